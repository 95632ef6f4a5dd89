/** Hints for unknown flags: the flag, the argument or the filter that was meant. */
import type { Command as Parser } from 'commander'
import { fieldPaths } from '../catalogue/operation'
import { nearest } from '../rules/nearest'
import { directionMeaning } from '../rules/protocols'
import { joinNames, shellWord } from '../rules/texts'
import type { Command } from './command'
import { groupLayout } from './help'
import { type Hint, hintOf, leaveOut, rename, replaceFlag, replaceFlagAndValue, replaceWords } from './hint'
import { has, ownHint, type UnknownFlag } from './own-flag-hints'
import { withForm } from './renamed-flags'
import { scopesForHint } from './scopes-for'
import { SpelledOption } from './spelled-option'
import { flagMeanings } from './synonyms'
import { meaningOfField } from './unknown-fields'
import { pathOf } from './usage-error'

/** Returns a hint by the first rule that knows the flag. No hint proposes a flag that means something else. */
export function flagHint(unknown: UnknownFlag): Hint | undefined {
  for (const rule of [
    secretHint,
    ownHint,
    scopesForHint,
    orderHint,
    pairHint,
    everythingHint,
    chosenHint,
    argumentHint,
    filterHint,
    meaningHint,
    prefixHint,
    initialHint,
    similarHint,
  ]) {
    const hint = rule(unknown)
    if (hint !== undefined) return hintOf(hint)
  }
  return undefined
}

const secretFlag = /^--?(.*token|(api|access)-?key|bearer|.*password|.*secret|pass|passphrase|credentials?)$/

function secretHint({ flag }: UnknownFlag): string | undefined {
  return secretFlag.test(flag)
    ? 'Secrets are never flags: set SKYCTL_TOKEN or SKYCTL_TOKEN_FILE, or sign in: skyctl auth login'
    : undefined
}

const everything = /^(-[aA]|--(no-)?(all|all-rows|all-pages|page-all|paginate|all-namespaces))$/

/** `--all-rows`: other tools print the first page only. And `delete --all`. */
function everythingHint(unknown: UnknownFlag): string | Hint | undefined {
  const { flag, parser, command } = unknown
  if (!everything.test(flag)) return undefined
  if (has(command, 'limit') && has(command, 'filter')) return leaveOut(unknown, 'every page is read')
  const group = parser.parent && pathOf(parser.parent)
  return takesNames(command) ? `To name all of them: ${group} list --quiet | ${pathOf(parser)} -` : undefined
}

const takesNames = (command: Command | undefined) =>
  command?.arguments?.some(({ many, values }) => many && typeof values === 'string' && values !== 'files') === true

/** `delete --tag db` and `delete --filter tags=db`: a list chooses, and the command reads its ids. */
function chosenHint({ flag, value, parser, command }: UnknownFlag): string | undefined {
  const group = parser.parent && pathOf(parser.parent)
  const tagged = ['skyctl volumes', 'skyctl firewalls']
  if (value === undefined || !group || !tagged.includes(group) || !takesNames(command)) return undefined
  if (!/^(-l|--(filter|selector|tags?))$/.test(flag)) return undefined
  const test = value.includes('=') ? value.replace(/^tag=/, 'tags=') : `tags=${value}`
  return `Choose with a list: ${group} list --filter ${shellWord(test)} --quiet | ${pathOf(parser)} - --yes`
}

/** `--sort size --desc` and `--sort-by size --order desc`: the field has the direction. */
function orderHint(unknown: UnknownFlag): Hint | undefined {
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

/** `ips assign 192.0.2.31 --server web-1`, and `--address 192.0.2.31`: address and instance are one word. */
function pairHint({ flag, argv, parser, command }: UnknownFlag): string | undefined {
  const isPair = command?.arguments?.some(({ name }) => name === 'assignment')
  if (!isPair || !(isInstanceFlag(flag) || isAddressFlag(flag))) return undefined
  const words = argv.flatMap((word) => (word.startsWith('--') ? word.split('=') : [word]))
  const after = words.find((_, place) => isInstanceFlag(words[place - 1] ?? ''))
  const instance = after === undefined || after.startsWith('-') ? 'INSTANCE' : after
  const parts = parser.args.flatMap((word) => (isAddressFlag(word.replace(/=.*/s, '')) ? word.split('=') : [word]))
  const addresses = parts.filter((word) => /^[\da-f.:]+$/i.test(word) && word !== instance)
  const pairs = (addresses.length > 0 ? addresses : ['ADDRESS']).map((address) => shellWord(`${address}=${instance}`))
  return `Write ADDRESS=INSTANCE: skyctl ips assign ${pairs.join(' ')}`
}

const isInstanceFlag = (flag: string) =>
  [flag, ...flagMeanings(flag)].some((one) => one === '--compute-id' || one === '--to')

const isAddressFlag = (flag: string) => /^--((floating|reserved|primary|public)-)?(ip|address)$/.test(flag)

/** Flags of other tools, by the argument that they are here. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  method: ['x', 'request'],
  name: ['ptr', 'rdns', 'dns-ptr', 'hostname'],
}

/** `--volume data-1` and `apply -f FILE`: what other tools have as a flag is an argument. */
function argumentHint(unknown: UnknownFlag): Hint | undefined {
  const { flag, value, parser, command } = unknown
  const name = nameOf(flag).replace(/-(id|ids|name|names)$/, '')
  const { registeredArguments: all } = parser
  const names = all.map((argument) => argument.name())
  const isNamed = [name, ...flagMeanings(flag).map(nameOf)].some((one) => names.includes(one))
  // `--id 3001`, for a command that needs one target and nothing else of that name.
  const isTarget =
    all.slice(1).every(({ required }) => !required) && typeof command?.arguments?.[0]?.values === 'string'
  const isOther = flagMeanings(flag).some((meaning) => parser.options.some(({ long }) => long === meaning))
  const isIdentity = isTarget && !isOther && value !== undefined && ['id', 'name', 'label'].includes(nameOf(flag))
  const isOtherWord = names.some((one) => otherWords[one]?.includes(nameOf(flag)))
  if (!isNamed && !isIdentity && !isOtherWord) return undefined
  const meaning = value === undefined ? undefined : directionMeaning(value)
  const argv = meaning === undefined ? replaceFlag(unknown, []) : replaceFlagAndValue(unknown, [meaning])
  return { text: `Leave out ${flag}`, argv, form: groupLayout.commandUsage?.(parser) }
}

/** `--region us-east` and `-l production`: lists have one flag for all fields. */
function filterHint(unknown: UnknownFlag): string | Hint | undefined {
  const { flag, value, command } = unknown
  if (!command?.records || !has(command, 'filter')) return undefined
  const fields = fieldPaths(command.records)
  const [, awsName, awsValue] = /^Name=([\w-]+)[\w:-]*,Values=([\w.-]+)/.exec(value ?? '') ?? []
  if (awsValue !== undefined) return filterHint({ ...unknown, flag: `--${awsName}`, value: awsValue })
  const name = nameOf(flag).replaceAll('-', '_')
  const isSelector = ['l', 'selector', 'label_selector'].includes(name)
  const inner = isSelector ? selectorHint(unknown) : undefined
  if (inner) return inner
  const words = [name, ...flagMeanings(flag).map((one) => nameOf(one).replaceAll('-', '_'))]
  if (isSelector) words.push('tags')
  words.push(`${name.replace(/_name$/, '').replace(/y$/, 'ie')}s`)
  const field = [...words, ...words.map(meaningOfField)].find((word) => word !== undefined && fields.includes(word))
  if (field === undefined) return undefined
  if (value === undefined || !/^[\w./ :-]+(=[\w./ :-]+)?$/.test(value))
    return 'Did you mean --filter? See skyctl help filter'
  const byLabel = field.replace(/_id$/, '_label')
  const isLabel = !/^\d+$/.test(value) && fields.includes(byLabel)
  const test = `${isLabel ? byLabel : field}=${value}`
  return {
    text: `Did you mean --filter ${shellWord(test)}?`,
    argv: replaceFlagAndValue(unknown, ['--filter', test]),
  }
}

/** `-l tag=db` and `-l region=us-east`: the field is in the value. A tag may have the form of another key: `env=prod`. */
function selectorHint(unknown: UnknownFlag): string | Hint | undefined {
  const [, field, value] = /^([a-z_]+)==?([^=].*)$/s.exec(unknown.value ?? '') ?? []
  return field === undefined ? undefined : filterHint({ ...unknown, flag: `--${field}`, value })
}

/** `--name data`: the flag of another tool. */
function meaningHint(unknown: UnknownFlag): string | Hint | undefined {
  const { flag, value, isAttached, parser, command } = unknown
  const candidates = flagMeanings(flag).flatMap((name) => visibleOptions(parser).filter(({ long }) => long === name))
  const taking = candidates.filter((option) => option.required)
  const switches = candidates.filter((option) => !option.required)
  const fitting = value !== undefined && (isAttached || taking.length > 0) ? taking : switches
  const names = (fitting.length > 0 || isAttached ? fitting : candidates).map(({ long = '' }) => long)
  // A file with rules or a key; the body of a request is another one.
  const candidate = names.includes('--file') ? names.filter((name) => name !== '--body') : names
  // `logs -f`: a list asks no question.
  const possible = command?.paged ? candidate.filter((name) => name !== '--yes') : candidate
  // `rules add web inbound --cidr 192.0.2.0/24`: an inbound rule has no destination.
  const otherEnd = Object.entries(otherEnds).find(([direction]) => parser.args.includes(direction))?.[1]
  const likely = possible.filter((name) => name !== otherEnd)
  if (likely.length === 0) return undefined
  const [only] = likely.length === 1 ? likely : []
  if (only !== '--body') return either(likely, unknown)
  const reads = 'Did you mean --body? It reads JSON or YAML from a file, or from stdin with --body -'
  return /\.ya?ml$/i.test(value ?? '') ? `${reads}. For an account file: skyctl apply ${shellWord(value ?? '')}` : reads
}

const otherEnds: Readonly<Record<string, string>> = { inbound: '--to', outbound: '--from' }

/** `--new-label logs`: another tool says that the value replaces one. */
function prefixHint(unknown: UnknownFlag): Hint | undefined {
  const { flag, value, parser } = unknown
  const [, name] = /^--(?:new|set|desired)-(.+)$/.exec(flag) ?? []
  const option = visibleOptions(parser).find(({ long, required }) => required && long === `--${name}`)
  return option?.long && value !== undefined ? rename(unknown, option.long) : undefined
}

/** `-s 40`: the first letter of a flag with a value. */
function initialHint(unknown: UnknownFlag): Hint | undefined {
  const { flag, value, parser } = unknown
  if (!/^-[a-z]$/.test(flag) || value === undefined) return undefined
  const names = ownOptions(parser).flatMap(({ required, long }) =>
    required && long?.startsWith(`-${flag}`) ? [long] : [],
  )
  return either(names, unknown)
}

/** Proposes flags; the line is only known if there is one. */
function either(names: readonly string[], unknown: UnknownFlag): Hint | undefined {
  const [only, ...others] = names
  if (only === undefined) return undefined
  return others.length === 0 ? withForm(only, unknown) : { text: `Did you mean ${joinNames(names, 'or')}?` }
}

/** `--labl data`: a typing mistake. */
function similarHint(unknown: UnknownFlag): Hint | undefined {
  const { flag, isAttached, parser } = unknown
  // The word of another tool is spelled right: `--source` is no mistyped `--force`.
  if (!flag.startsWith('--') || flagMeanings(flag).length > 0) return undefined
  const options = visibleOptions(parser).filter((option) => option.required || !isAttached)
  const names = nearest(
    nameOf(flag),
    options.map(({ long }) => nameOf(long ?? '')),
    2,
  )
  return either(
    names.map((name) => `--${name}`),
    unknown,
  )
}

/** Returns the usual flags of a command without the global ones, if they fit on a few lines: `--label, --size`. */
export function ownFlags(parser: Parser): string | undefined {
  const names = ownOptions(parser).map(({ long }) => long)
  return names.length > 0 && names.length <= 20 ? names.join(', ') : undefined
}

const ownOptions = (parser: Parser) =>
  parser.options
    .filter((option) => option instanceof SpelledOption)
    .filter(({ flag, hidden }) => !hidden && !flag.rare && flag.group !== 'Global flags')

const nameOf = (flag: string) => flag.replace(/^--?/, '').replaceAll('_', '-').toLowerCase()

const visibleOptions = (parser: Parser) =>
  parser.options.filter((option) => option instanceof SpelledOption && !option.hidden)
