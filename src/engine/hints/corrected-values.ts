/** Corrects values of flags on a line that parses, although the command would refuse them. */
import type { Option, Command as Parser } from 'commander'
import { fieldPaths } from '../../catalogue/operation'
import { formatHint } from '../../output/formats'
import { amountIn, isUnit } from '../../rules/flag-units'
import { isReadOnly, readingScopesFlag } from '../../rules/scopes'
import type { CommandCall } from '../command'
import { testsMeant, withLikelyField } from '../filter/correct-test'
import { SpelledOption } from '../spelled-option'
import { likelyField, sortField, sortFieldIn } from '../unknown-fields'

/** Returns the line with the values that are meant; undefined if all are right. */
export function correctValues(argv: readonly string[], { command }: CommandCall, parser: Parser): string[] | undefined {
  const fields = command.records ? fieldPaths(command.records) : []
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const line: string[] = []
  for (let place = 0; place < end; place += 1) {
    const word = argv[place] ?? ''
    const [, name = word, attached] = /^(--[^=]+)=(.*)$/s.exec(word) ?? []
    const option = parser.options.find((one) => one.is(name))
    const isNext = attached === undefined && option?.required === true && place + 1 < end
    const value = isNext ? argv[place + 1] : attached
    if (isNext) place += 1
    const flags = value === undefined ? [] : flagsMeant(option, value)
    const values = value === undefined ? [] : valuesMeant(option, value, fields)
    if (flags.length > 0) line.push(...flags)
    else if (value === undefined) line.push(word)
    else line.push(...values.flatMap((text) => (isNext ? [word, text] : [`${name}=${text}`])))
  }
  line.push(...argv.slice(end))
  return line.join('\0') === argv.join('\0') ? undefined : line
}

/** Returns the flags that `-o wide` and `--scope read_only` mean; none for a value that the flag may have. */
function flagsMeant(option: Option | undefined, value: string): readonly string[] {
  if (option?.long === '--output') return formatHint(value).slice(1)
  return option?.long === '--scope' && isReadOnly(value) ? readingScopesFlag : []
}

/** Returns the value as it is meant, and several for a flag that is to be repeated. */
function valuesMeant(option: Option | undefined, value: string, fields: readonly string[]): string[] {
  const { values, value: unit } = option instanceof SpelledOption ? option.flag : {}
  if (isUnit(unit)) return [String(amountIn(unit, value) ?? value)]
  // Without records, no field is known.
  if (fields.length === 0) return [value]
  if (values === 'columns')
    return [
      itemsIn(value)
        .map((name) => likelyField(name, fields))
        .join(','),
    ]
  if (values === 'sort') return [sortsIn(value, fields).join(',')]
  if (values === 'filter') return testsMeant(value, fields) ?? [withLikelyField(value, fields)]
  return [value]
}

const itemsIn = (value: string) => value.split(',').map((item) => item.trim())

/** `size:desc`, and `size,desc`, in which the order looks like another field. */
function sortsIn(value: string, fields: readonly string[]): string[] {
  const sorts: string[] = []
  for (const item of itemsIn(value)) {
    const last = sorts.at(-1)
    const reverse = last === undefined || fields.includes(item) ? undefined : sortField(last.replace(/^-/, ''), item)
    const [, minus = '', name = ''] = /^(-?)(.*)$/s.exec(sortFieldIn(item) ?? item) ?? []
    if (reverse === undefined) sorts.push(`${minus}${likelyField(name, fields)}`)
    else sorts.splice(-1, 1, reverse)
  }
  return sorts
}
