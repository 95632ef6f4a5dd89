/** Hints for unknown flags: the flag, the argument or the filter that was meant. */
import type { Option, Command as Parser } from 'commander'
import { fieldPaths } from '../../catalogue/operation'
import { queryFromJq } from '../../output/jq'
import { nearest } from '../../rules/nearest'
import { directionMeaning } from '../../rules/protocols'
import { joinNames, shellWord } from '../../rules/texts'
import { groupLayout } from '../help'
import { SpelledOption } from '../spelled-option'
import { meaningOfField, sortFieldIn } from '../unknown-fields'
import { pathOf } from '../usage-error'
import {
  firstHint,
  type Hint,
  has,
  hasTarget,
  type Rule,
  rename,
  replaceFlag,
  replaceFlagAndValue,
  replaceWords,
  takesNames,
  type UnknownFlag,
} from './hint'
import { otherToolFlagHint, withoutLoss } from './other-tool-flag-hints'
import { flagMeanings } from './synonyms'

/** Returns a hint by the first rule that knows the flag. No hint proposes a flag that means something else. */
export const flagHint = (unknown: UnknownFlag): Hint | undefined => firstHint(rules, unknown)

/** `--sort size --desc` and `--sort-by size --order desc`: the field has the direction. */
const orderHint: Rule<UnknownFlag> = (unknown) => {
  const { flag, value, parser, command, argv } = unknown
  const isOrder = flag === '--order' && /^desc/i.test(value ?? '')
  if ((!isOrder && !/^--(desc|descending|reverse)$/.test(flag)) || !has(command, 'sort')) return undefined
  const isSort = (word: string) => word === '--sort' || flagMeanings(word).includes('--sort')
  const place = argv.findIndex(isSort)
  const { sort = place < 0 ? 'FIELD' : argv[place + 1] } = parser.opts()
  const field = `-${String(sort).replace(/^-/, '')}`
  const before = isOrder ? replaceFlagAndValue(unknown, []) : replaceFlag(unknown, [])
  return {
    text: `Write a minus before the field: --sort ${field}`,
    argv: replaceWords(before, [`${sort}`], [field]),
  }
}

/** `delete --tag db` and `delete --filter tags=db`: a list chooses, and the command reads its ids. */
const chosenHint: Rule<UnknownFlag> = (unknown) => {
  const { flag, value, parser, command, argv } = unknown
  const group = parser.parent && pathOf(parser.parent)
  const isTagged = group === 'skyctl volumes' || group === 'skyctl firewalls'
  if (value === undefined || !isTagged || !takesNames(unknown)) return undefined
  if (!/^(-l|--(filter|selector|tags?))$/.test(flag)) return undefined
  const test = /[=<>~]/.test(value) ? value.replace(/^tag=/, 'tags=') : `tags=${value}`
  const before = `${group} list --filter ${shellWord(test)} --quiet | `
  // Stdin is the pipe, so that no question can be answered.
  const yes = command?.asks && !argv.includes('--yes') ? ['--yes'] : []
  const line = [...withoutLoss(replaceFlagAndValue(unknown, ['-']), unknown), ...yes]
  return { text: 'Choose with a list', before, argv: line, form: `${before}${[pathOf(parser), '-', ...yes].join(' ')}` }
}

/** Flags of other tools, by the argument that they are here. */
const argumentFlags: Readonly<Record<string, readonly string[]>> = {
  method: ['x', 'request'],
  name: ['ptr', 'rdns', 'dns-ptr', 'hostname'],
}

/** `--volume data-1` and `apply -f FILE`: what other tools have as a flag is an argument. */
const argumentHint: Rule<UnknownFlag> = (unknown) => {
  const { flag, value, parser, command } = unknown
  const [first, ...others] = command?.arguments ?? []
  const ownName = nameOf(flag)
  const isFlag = flagMeanings(flag).some((meaning) => parser.options.some(({ long }) => long === meaning))
  // `--id 3001`, for a command that needs one target, has none yet, and nothing else of that name.
  const isTarget =
    value !== undefined &&
    !hasTarget(unknown) &&
    typeof first?.values === 'string' &&
    others.every(({ optional }) => optional) &&
    !isFlag
  const meanings = [ownName.replace(/-(id|ids|name|names)$/, ''), ...flagMeanings(flag).map(nameOf)]
  const isArgument = command?.arguments?.some(
    ({ name }) => meanings.includes(name) || argumentFlags[name]?.includes(ownName),
  )
  if (!isArgument && !(isTarget && ['id', 'name', 'label'].includes(ownName))) return undefined
  const direction = value === undefined ? undefined : directionMeaning(value)
  const argv = direction === undefined ? replaceFlag(unknown, []) : replaceFlagAndValue(unknown, [direction])
  return { text: `Leave out ${flag}`, argv, form: groupLayout.commandUsage?.(parser) }
}

/** `--region us-east` and `-l production`: lists have one flag for all fields. */
const filterHint: Rule<UnknownFlag> = (unknown) => {
  const { flag, value, command } = unknown
  if (!command?.records || !has(command, 'filter')) return undefined
  const name = nameOf(flag).replaceAll('-', '_')
  const isSelector = /^(l|(label_)?selector)$/.test(name)
  // A limit.
  if (name === 'l' && isNumber(value)) return undefined
  const inner = isSelector ? /^([a-z_]+)==?([^=].*)$/s.exec(value ?? '') : awsFilter.exec(value ?? '')
  const byValue = inner ? filterHint({ ...unknown, flag: `--${inner[1]}`, value: inner[2] }) : undefined
  // A tag may have the form of another key: `env=prod`.
  if (byValue) return byValue
  const fields = fieldPaths(command.records)
  const words = [name, ...flagMeanings(flag).map((one) => nameOf(one).replaceAll('-', '_'))]
  if (isSelector) words.push('tags')
  words.push(`${name.replace(/_name$/, '').replace(/y$/, 'ie')}s`)
  const field = [...words, ...words.map(meaningOfField)].find((word) => word !== undefined && fields.includes(word))
  const isText = value !== undefined && /^[\w./ :-]+$/.test(value)
  if (field === undefined && isSelector && isText && fields.includes('label'))
    return renamed(unknown, '--filter', `label~${value}`)
  if (field === undefined && !isSelector) return undefined
  if (field === undefined || value === undefined || !/^[\w./ :-]+(=[\w./ :-]+)?$/.test(value))
    return 'Did you mean --filter? See skyctl help filter'
  const byLabel = field.replace(/_id$/, '_label')
  const isLabel = !/^\d+$/.test(value) && fields.includes(byLabel)
  return renamed(unknown, '--filter', `${isLabel ? byLabel : field}=${value}`)
}

const awsFilter = /^Name=([\w-]+)[\w:-]*,Values=([\w.-]+)/

/** `--name data`: the flag of another tool. */
const meaningHint: Rule<UnknownFlag> = (unknown) => {
  const { flag, value, isAttached, parser, command } = unknown
  const candidates = flagMeanings(flag).flatMap((name) => visibleOptions(parser).filter(({ long }) => long === name))
  const taking = candidates.filter((option) => option.required)
  const switches = candidates.filter((option) => !option.required)
  const fitting = value !== undefined && (isAttached || taking.length > 0) ? taking : switches
  const names = (fitting.length > 0 || isAttached ? fitting : candidates).map(({ long }) => long ?? '')
  const likely = names.filter((name) => {
    // A file with rules or a key; the body of a request is another one.
    if (name === '--body') return !names.includes('--file')
    // A list asks no question.
    if (name === '--yes') return !command?.paged
    // `rules add web inbound --cidr 192.0.2.0/24`: an inbound rule has no destination.
    return !parser.args.some((word) => otherEnds[word] === name)
  })
  if (likely.length !== 1 || likely[0] !== '--body') return either(likely, unknown)
  const reads = 'Did you mean --body? It reads JSON or YAML from a file, or from stdin with --body -'
  return /\.ya?ml$/i.test(value ?? '') ? `${reads}. For an account file: skyctl apply ${shellWord(value ?? '')}` : reads
}

const otherEnds: Readonly<Record<string, string>> = { inbound: '--to', outbound: '--from' }

/** `--labl data` and `-s 40`: a typing mistake, or the first letter of a flag with a value. */
const similarHint: Rule<UnknownFlag> = (unknown) => {
  const { flag, value, isAttached, parser } = unknown
  // The word of another tool is spelled right: `--source` is no mistyped `--force`.
  if (flagMeanings(flag).length > 0) return undefined
  if (flag.startsWith('--')) {
    const options = visibleOptions(parser).filter((option) => option.required || !isAttached)
    const names = nearest(nameOf(flag), options.map(longName).map(nameOf), 2)
    const flags = names.map((name) => `--${name}`)
    return either(flags, unknown)
  }
  const initials = ownOptions(parser).filter(
    (option) =>
      option.required && longName(option).startsWith(`-${flag}`) && (option.flag.value !== 'n' || isNumber(value)),
  )
  return value === undefined ? undefined : either(initials.map(longName), unknown)
}

const isNumber = (value = '') => /^\d+$/.test(value)

const longName = ({ long }: Option) => long ?? ''

const rules = [otherToolFlagHint, orderHint, chosenHint, argumentHint, filterHint, meaningHint, similarHint]

/** Proposes flags; the line is only known if there is one. Its value gets the form that this flag takes. */
function either(names: readonly string[], unknown: UnknownFlag): Hint | undefined {
  const [name, ...others] = names
  if (name === undefined) return undefined
  if (others.length > 0) return { text: `Did you mean ${joinNames(names, 'or')}?` }
  const { value, parser, argv } = unknown
  if (value === undefined) return rename(unknown, name)
  if (name === '--size') return renamed(unknown, name, /^(\d+) ?Gi?B?$/i.exec(value)?.[1] ?? value)
  if (name === '--sort') return renamed(unknown, name, sortFieldIn(value) ?? value)
  if (name !== '--query') return rename(unknown, name)
  // An answer of `api` has the list in `data`.
  const query = queryFromJq(value, parser.name() === 'api' && !argv.includes('--paginate'))
  const line = withoutFields(unknown, value)
  return query === undefined ? pipeHint(value, line) : renamed(line, name, query)
}

/** `view data-1 --json id --jq .id`, as gh has it: the fields of the query would be taken for other targets. */
function withoutFields(unknown: UnknownFlag, query: string): UnknownFlag {
  const { argv } = unknown
  const place = argv.indexOf('--json')
  const fields = (argv[place + 1] ?? '').split(',')
  const isInQuery = place >= 0 && takesNames(unknown) && fields.every((field) => query.split(/\W+/).includes(field))
  return isInQuery ? { ...unknown, argv: argv.toSpliced(place, 2) } : unknown
}

function renamed(unknown: UnknownFlag, name: string, value: string): Hint {
  if (value === unknown.value) return rename(unknown, name)
  return { text: `Did you mean ${name} ${shellWord(value)}?`, argv: replaceFlagAndValue(unknown, [name, value]) }
}

/** `--jq '.[] | select(.size > 100)'`: more than a path, for which jq itself is the simplest. */
function pipeHint(expression: string, unknown: UnknownFlag): Hint {
  const pipe = ` | jq ${shellWord(expression)}`
  const isJson = unknown.argv.some((word) => /^(--json|-o|--output)(=|$)/.test(word))
  return {
    text: 'Pipe JSON to jq',
    argv: replaceFlagAndValue(unknown, isJson ? [] : ['--json']),
    pipe,
    form: `${pathOf(unknown.parser)} --json${pipe}`,
  }
}

/** Returns the usual flags of a command without the global ones, if they fit on a few lines: `--label, --size`. */
export function ownFlags(parser: Parser): string | undefined {
  const names = ownOptions(parser).map(({ long }) => long)
  return names.length > 0 && names.length <= 20 ? names.join(', ') : undefined
}

const ownOptions = (parser: Parser) =>
  visibleOptions(parser).filter(({ flag }) => !flag.rare && flag.group !== 'Global flags')

const visibleOptions = (parser: Parser) =>
  parser.options.filter((option) => option instanceof SpelledOption).filter(({ hidden }) => !hidden)

const nameOf = (flag: string) => flag.replace(/^--?/, '').replaceAll('_', '-').toLowerCase()
