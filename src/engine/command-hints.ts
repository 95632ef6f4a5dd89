/** Hints for unknown commands: those that do the same, or those with a similar name. */
import type { Command as Parser } from 'commander'
import { nearest, orList } from '../rules/nearest'
import { shellWord } from '../rules/texts'
import type { Outline, Root } from './command'
import { adviceOn, insteadOf } from './command-advice'
import { commandMeanings } from './synonyms'
import { adviceWith } from './target-advice'
import { pathOf } from './usage-error'

/** A command line, word by word, and the program that it is for. */
export interface TypedLine {
  argv: readonly string[]
  program: Root
  /** Topics of help, if the line may name one. */
  topics?: readonly string[] | undefined
}

/** An unknown word, and its place among the commands. */
interface UnknownWord {
  word: string
  /** Words of the group, without the program's name: `profile sshkeys`; empty at the root. */
  group: string
  /** Commands and groups of that group. */
  entries: readonly Outline[]
  /** Those of the root. */
  root: readonly Outline[]
  /** The next words of the line, without flags. */
  rest: readonly string[]
  /** True if flags follow the word: one of the next words may be a flag's value, such as a secret. */
  hasFlags: boolean
}

/** Returns a hint with whole commands, or with the help of the group. */
export function commandHint(word: string, parser: Parser, { argv, program, topics = [] }: TypedLine): string {
  const [, ...names] = pathOf(parser).split(' ')
  const after = argv.slice(argv.indexOf(word) + 1)
  const unknown: UnknownWord = {
    word,
    group: names.join(' '),
    entries: entriesAt(parser, program),
    root: program.entries,
    rest: after.filter((one) => !one.startsWith('-')),
    hasFlags: after.some((one) => one.startsWith('-')),
  }
  // `help me` asks for a topic, not for a command.
  const isTopic = argv[0] === 'help' && names.length === 0
  const ownAdvice = isTopic ? undefined : adviceWithWords(unknown)
  if (ownAdvice) return ownAdvice
  const candidates = isTopic ? [] : commandsFor(unknown)
  if (candidates.length > 0) return didYouMeanLines(candidates)
  const advice = isTopic ? undefined : adviceFor(unknown)
  if (advice) return advice
  const similar = similarNames(unknown, topics)
  return similar.length > 0 ? didYouMeanLines(similar) : namesHint(unknown, parser)
}

/** Names the commands of the group: nobody has to look for them in its help. */
function namesHint({ entries }: UnknownWord, parser: Parser): string {
  const names = entries.filter(({ hidden }) => !hidden).map(({ name }) => name)
  return `${names.length > 0 ? `The commands are ${names.join(', ')}. ` : ''}See ${pathOf(parser)} --help`
}

const didYouMeanLines = (lines: readonly string[]) =>
  `Did you mean ${orList([...new Set(lines)].slice(0, 3).map((line) => `skyctl ${line}`))}?`

/** Returns the commands that the words of the line mean, by the first rule that finds one. */
function commandsFor(unknown: UnknownWord): string[] {
  for (const rule of [verbFirst, targetFirst, twoWords, otherWord, afterService, elsewhere]) {
    const lines = rule(unknown)
    if (lines.length > 0) return lines
  }
  return []
}

/** `firewalls copy web` and `copy firewall web`: one command of another tool that is several here. */
function adviceWithWords({ word, group, entries, rest, hasFlags }: UnknownWord): string | undefined {
  const [noun = '', ...others] = rest
  const inner = entries.find((entry) => entry.commands && (isNamed(entry, noun) || isNamed(entry, `${noun}s`)))
  const words = inner ? others : rest
  return adviceWith(joined(group, inner?.name, word), hasFlags ? [] : words)
}

/** `get volumes`: other tools have the verb first. */
function verbFirst({ word, rest: [noun = '', target], ...place }: UnknownWord): string[] {
  return linesOf(noun, word, { ...place, target })
}

/** Commands that take no target: `tag add` and `snapshot create` are not about an object with this name. */
const withoutTarget = ['create', 'list']

/** `volumes data-1 view`: the target comes before the command. */
function targetFirst({ word, group, entries, rest: [next = ''] }: UnknownWord): string[] {
  // `completion install bash` is about another task.
  const isOther = group === '' || adviceOn(joined(group, word)) !== undefined || commandMeanings(word, group).length > 0
  const command = isOther
    ? undefined
    : entries.find((one) => !one.commands && !withoutTarget.includes(one.name) && isNamed(one, next))
  return command ? [joined(group, command.name, shellWord(word))] : []
}

/** `rules-list`, `add-rule`, `describe-security-groups`: noun and verb are one word in other tools. */
function twoWords({ word, rest: [target], ...place }: UnknownWord): string[] {
  const [first = '', ...afterFirst] = word.split('-')
  const last = afterFirst.at(-1) ?? ''
  if (last === '') return []
  const beforeLast = word.slice(0, -last.length - 1)
  const inPlace = { ...place, target }
  return [...linesOf(beforeLast, last, inPlace), ...linesOf(afterFirst.join('-'), first, inPlace)]
}

/** `volumes destroy`, `whoami`, `floating-ip list`: the word of another tool. */
function otherWord({ word, group, entries, root, rest, hasFlags }: UnknownWord): string[] {
  const [next] = rest
  const ends = entries.filter(({ commands }) => !commands)
  const verbs = verbsFor(word, ends, { target: next, group }).map((verb) =>
    joined(group, hasFlags ? verb : withWords(verb, rest)),
  )
  const places = commandMeanings(word, group).flatMap((meaning) => {
    const entry = entryAt(meaning.split(' '), root)
    if (!entry || (group !== '' && !meaning.includes(' '))) return []
    const [verb] = next === undefined ? [] : verbsFor(next, entry.commands ?? [], { group: meaning })
    return [joined(meaning, verb)]
  })
  return [...verbs, ...places]
}

/** Returns `update pgdata --label pgmain` for `update --label` with these two words: the target and a value. */
function withWords(verb: string, [target, value, more]: readonly string[]): string {
  const [name = '', flag] = verb.split(' ')
  const isPair = flag !== undefined && target !== undefined && value !== undefined && more === undefined
  return isPair ? joined(name, shellWord(target), flag, shellWord(value)) : verb
}

const services = ['compute', 'ec2', 'networking']

/** `compute volume list`: other tools have the name of a service first. */
function afterService({ word, group, root, rest, hasFlags }: UnknownWord): string[] {
  if (group !== '' || !services.includes(word)) return []
  const [noun = '', verb = '', ...targets] = rest
  const place = { group, entries: root, root, hasFlags }
  const withoutService = { ...place, word: noun, rest: rest.slice(1) }
  const lines = verbFirst({ ...place, word: verb, rest: [noun, ...targets] })
  return lines.length > 0 ? lines : [twoWords, otherWord].flatMap((rule) => rule(withoutService)).slice(0, 1)
}

/** `profile tokens list`, `ipv6 list` and `devices add`: the word is right in another place. */
function elsewhere({ word, group, entries, root, rest: [next = ''] }: UnknownWord): string[] {
  if (group === '')
    return root.flatMap(({ name, commands = [] }) => {
      const inner = commands.find((one) => isNamed(one, word))
      return verbsFor(next, inner?.commands ?? [], {}).map((verb) => joined(name, inner?.name, verb))
    })
  const inner = entries.flatMap(({ name, commands = [] }) => {
    const command = commands.find((one) => isNamed(one, word))
    return command ? [joined(group, name, command.name)] : []
  })
  if (inner.length > 0) return inner
  return root
    .filter(({ name }) => name === word)
    .flatMap(({ name, commands = [] }) => verbsFor(next, commands, {}).map((verb) => joined(name, verb)))
}

interface Place extends Pick<UnknownWord, 'group' | 'entries' | 'root'> {
  target: string | undefined
}

/** Returns lines for a verb in the groups that a noun names, here or at the root, in the singular or the plural. */
function linesOf(noun: string, verb: string, { group, entries, root, target }: Place): string[] {
  const inner = entries.map((entry) => ({ entry, path: joined(group, entry.name) }))
  const others = group === '' ? [] : root.map((entry) => ({ entry, path: entry.name }))
  const named = [...inner, ...others].filter(({ entry }) => isNamed(entry, noun) || isNamed(entry, `${noun}s`))
  const synonymous = commandMeanings(noun).flatMap((path) => ({ entry: entryAt(path.split(' '), root), path }))
  return [...named, ...(group === '' ? synonymous : [])].flatMap(({ entry, path }) =>
    verbsFor(verb, entry?.commands ?? [], { target, group: path }).map((found) => joined(path, found)),
  )
}

/** Returns the commands that a verb names or means: `get` and `describe` are `list` if there is no target. */
function verbsFor(
  word: string,
  commands: readonly Outline[],
  { target, group }: { target?: string | undefined; group?: string },
): string[] {
  const exact = commands.find(({ name }) => name === word)
  if (exact) return [exact.name]
  const meanings = [word, ...commandMeanings(word, group).map((meaning) => meaning.replace(`${group} `, ''))]
  const names = meanings.flatMap((meaning) => {
    const [verb = '', ...flags] = meaning.split(' ')
    const command = commands.find((one) => !one.hidden && isNamed(one, verb))
    return command ? [joined(command.name, ...flags)] : []
  })
  const isEither = commandMeanings(word).includes('view') && commands.some(({ name }) => name === 'list')
  if (names.includes('view') && isEither) return target === undefined ? ['list'] : ['view']
  return names
}

const instances = /^(machine|server|instance|droplet|linode|compute|vm)s?$/

/** Groups of objects of the account, and what users expect to do with objects. */
const objects = ['firewalls', 'ips', 'ipv6 pools', 'ipv6 ranges', 'regions', 'tokens', 'vlans', 'volumes']
const expected = ['create', 'view', 'update', 'delete', 'release', 'snapshot', 'backup']

function adviceFor({ word, group, root, rest: [next] }: UnknownWord): string | undefined {
  if (group === '' && next === 'all' && commandMeanings(word).includes('list')) return 'Did you mean "skyctl overview"?'
  if (group === '' && instances.test(word))
    return 'The API has no operations for compute instances. To see them: skyctl overview'
  // `create-snapshot` and `snapshots`.
  const noun = word
    .replace(/^(create|take|list|delete)-|-(create|list|delete)$/, '')
    .replace(/(snapshot|backup)s$/, '$1')
  // The group has no such verb, but volumes have most verbs, with their aliases.
  const [verb = noun] = verbsFor(noun, entryAt(['volumes'], root)?.commands ?? [], { target: '' })
  if (objects.includes(group) && expected.includes(verb))
    return `The API has no such operation. ${insteadOf(group, verb) ?? `See skyctl ${group} --help`}`
  return adviceOn(joined(group, word))
}

function similarNames({ word, group, entries, root }: UnknownWord, topics: readonly string[]): string[] {
  const lines = new Map(
    entries
      .filter(({ hidden }) => !hidden)
      .flatMap((entry) => namesOf(entry).map((name): [string, string] => [name, joined(group, entry.name)])),
  )
  // `firewalls clone` is no mistyped `close`, nor `firewalls revoke` a mistyped `remove`: volumes and tokens have them.
  const isRight = group !== '' && root.some(({ commands = [] }) => commands.some((one) => isNamed(one, word)))
  if (isRight) return []
  for (const topic of topics) lines.set(topic, `help ${topic}`)
  return nearest(word, lines.keys()).flatMap((name) => lines.get(name) ?? [])
}

const namesOf = ({ name, aliases = [] }: Outline) => [name, ...aliases]

const isNamed = (entry: Outline, word: string) => namesOf(entry).includes(word.toLowerCase())

const joined = (...words: (string | undefined)[]) => words.filter((word) => word).join(' ')

/** Returns the entries of a group, or of the root. */
export function entriesAt(group: Parser | null, { entries }: Root): readonly Outline[] {
  const [, ...names] = group ? pathOf(group).split(' ') : []
  return names.length === 0 ? entries : (entryAt(names, entries)?.commands ?? [])
}

function entryAt([name, ...rest]: readonly string[], entries: readonly Outline[]): Outline | undefined {
  const entry = entries.find((one) => one.name === name)
  return rest.length > 0 ? entryAt(rest, entry?.commands ?? []) : entry
}
