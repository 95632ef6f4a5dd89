/** Corrects values of flags on a line that parses, although the command would refuse them: fields, orders and tests. */

import type { Command as Parser } from 'commander'
import { fieldPaths } from '../../catalogue/operation'
import { columnsIn } from '../../output/formats'
import type { CommandCall, FieldValues, Flag } from '../command'
import { testsMeant } from '../filter/test'
import { SpelledOption } from '../spelled-option'
import { fieldMeant, sortField, sortFieldIn } from '../unknown-fields'

/** Returns the value as it is meant, and several for a flag that is to be repeated. */
type Correct = (value: string, fields: readonly string[]) => string[]

const corrections: Readonly<Record<FieldValues, Correct>> = {
  columns: (value, fields) => [
    itemsIn(value)
      .map((name) => knownField(name, fields))
      .join(','),
  ],
  sort: (value, fields) => [sortsIn(value, fields).join(',')],
  filter: (value, fields) => (testsMeant(value) ?? [value]).map((test) => knownTest(test, fields)),
}

/** Returns the line with the values that are meant; undefined if all are right. */
export function correctValues(argv: readonly string[], { command }: CommandCall, parser: Parser): string[] | undefined {
  const { records } = command
  if (!records) return undefined
  const fields = fieldPaths(records)
  const line: string[] = []
  for (let place = 0; place < argv.length; place += 1) {
    const word = argv[place] ?? ''
    if (word === '--') {
      line.push(...argv.slice(place))
      break
    }
    const [, name = word, attached] = /^(--[^=]+)=(.*)$/s.exec(word) ?? []
    const option = parser.options.find((one) => one.is(name))
    const takesNext = attached === undefined && option?.required === true && argv[place + 1] !== undefined
    const value = takesNext ? argv[place + 1] : attached
    const columns = option?.long === '--output' ? columnsIn(value ?? '') : undefined
    const correct = option instanceof SpelledOption ? correctionOf(option.flag) : undefined
    if (columns !== undefined) line.push('--columns', ...corrections.columns(columns, fields))
    else if (correct && value !== undefined) {
      for (const text of correct(value, fields)) line.push(...(takesNext ? [word, text] : [`${name}=${text}`]))
    } else line.push(word, ...(takesNext && value !== undefined ? [value] : []))
    if (takesNext) place += 1
  }
  return line.join('\0') === argv.join('\0') ? undefined : line
}

const isFieldValues = (values: Flag['values']): values is FieldValues =>
  typeof values === 'string' && Object.hasOwn(corrections, values)

const correctionOf = ({ values }: Flag) => (isFieldValues(values) ? corrections[values] : undefined)

const itemsIn = (value: string) => value.split(',').map((item) => item.trim())

/** A field that nobody knows may be one that the service has added. */
const knownField = (name: string, fields: readonly string[]) =>
  name === 'all' || fields.includes(name) ? name : (fieldMeant(name, fields) ?? name)

/** `size:desc`, and `size,desc`, in which the order looks like another field. */
function sortsIn(value: string, fields: readonly string[]): string[] {
  const sorts: string[] = []
  for (const item of itemsIn(value)) {
    const last = sorts.at(-1)
    const reverse = last === undefined || fields.includes(item) ? undefined : sortField(last.replace(/^-/, ''), item)
    if (reverse === undefined) sorts.push(knownSort(sortFieldIn(item) ?? item, fields))
    else sorts.splice(-1, 1, reverse)
  }
  return sorts
}

const knownSort = (item: string, fields: readonly string[]) =>
  item.replace(/^(-?)(.+)$/s, (_, minus: string, name: string) => `${minus}${knownField(name, fields)}`)

const knownTest = (test: string, fields: readonly string[]) =>
  test.replace(/^\s*[\w.-]+/, (name) => knownField(name.trim(), fields))
