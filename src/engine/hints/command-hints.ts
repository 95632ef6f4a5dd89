/** Hints for unknown commands: those that do the same, or those with a similar name. */
import type { Command as Parser } from 'commander'
import { nearest, orList } from '../../rules/nearest'
import { shellWord } from '../../rules/texts'
import type { Outline, Root } from '../command'
import { globalFlags, outputFlags } from '../flags'
import { pathOf } from '../usage-error'
import { adviceOn, insteadOf } from './command-advice'
import { type Candidate, commandsFor, pathsOf, type UnknownWord, verbsFor, withoutTarget } from './command-candidates'
import { entriesAt, entryAt, isNamed, joined, namesOf } from './command-places'
import type { LineMatch, WholeLine } from './correct-line'
import { type Hint, hintOf } from './hint'
import { commandMeanings } from './synonyms'
import { adviceWith } from './target-advice'

/** A command line, word by word, and the program that it is for. */
export interface TypedLine {
  argv: readonly string[]
  program: Root
  /** Topics of help, if the line may name one. */
  topics?: readonly string[] | undefined
  /** Parses another line; throws the errors of commander. */
  parse(argv: readonly string[]): Promise<LineMatch | undefined>
}

interface CorrectableLine extends TypedLine {
  /** Returns a line with all other mistakes corrected. */
  wholeLine(argv: readonly string[]): Promise<WholeLine | undefined>
}

const takesValue = (word: string | undefined) =>
  [...globalFlags, ...outputFlags].some(
    ({ name, short, value }) => value !== undefined && (word === `--${name}` || word === `-${short}`),
  )

/** Returns a hint with whole commands, or with the help of the group. */
export async function commandHint(word: string, parser: Parser, line: CorrectableLine): Promise<Hint> {
  const { argv, program, topics = [] } = line
  const [, ...names] = pathOf(parser).split(' ')
  const after = argv.slice(argv.indexOf(word) + 1)
  const unknown: UnknownWord = {
    word,
    group: names.join(' '),
    entries: entriesAt(parser, program),
    root: program.entries,
    rest: after.filter((one, place) => !one.startsWith('-') && !takesValue(after[place - 1])),
    hasFlags: after.some((one) => one.startsWith('-')),
  }
  // `help me` asks for a topic, not for a command.
  const isTopic = argv[0] === 'help' && names.length === 0
  const ownAdvice = isTopic ? undefined : adviceWithWords(unknown)
  if (ownAdvice) return hintOf(ownAdvice)
  const candidates = isTopic ? [] : commandsFor(unknown)
  if (candidates.length > 0) return didYouMean(candidates, unknown, line)
  const advice = isTopic ? undefined : adviceFor(unknown)
  if (advice) return hintOf(filled(advice, unknown))
  const similar = similarNames(unknown, topics).map((path) => ({ path, used: 0 }))
  if (similar.length > 0) return didYouMean(similar, unknown, line)
  // `help cron nightly` is about a task.
  const search = `To search: skyctl help find ${[word, ...unknown.rest].map(shellWord).join(' ')}`
  return hintOf(topics.length > 0 && names.length === 0 ? search : namesHint(unknown, parser))
}

/** Writes the words of the line in the places of an advice: `skyctl ips assign 192.0.2.31=web-2`. */
function filled(advice: string, { rest, hasFlags }: UnknownWord): string {
  const words = rest.filter((word) => !withoutTarget.includes(word)).map(shellWord)
  // A flag may be followed by its value.
  if (hasFlags || words.length === 0) return advice
  const [first = '', second] = words
  const withFirst = advice.replace(/\b(VOLUME|FILE|ADDRESS(?==| NAME))/, first)
  return second === undefined ? withFirst : withFirst.replace(/\b(INSTANCE|LABEL|NAME)\b/, second)
}

/** Names the commands of the group: nobody has to look for them in its help. */
function namesHint({ entries }: UnknownWord, parser: Parser): string {
  const names = entries.filter(({ hidden }) => !hidden).map(({ name }) => name)
  return `${names.length > 0 ? `The commands are ${names.join(', ')}. ` : ''}See ${pathOf(parser)} --help`
}

/** Proposes commands, each with the arguments and flags of the line if it takes them. */
async function didYouMean(
  candidates: readonly Candidate[],
  unknown: UnknownWord,
  line: CorrectableLine,
): Promise<Hint> {
  const wholeLines = candidates.slice(0, 3).map(async (candidate) => {
    const bare = `skyctl ${joined(candidate.path, candidate.target && shellWord(candidate.target))}`
    const whole = await line.wholeLine(lineWith(candidate, unknown, line))
    return whole?.isExample ? { bare, example: whole.text } : { bare: whole?.text ?? bare }
  })
  const lines = await Promise.all(wholeLines)
  const text = `Did you mean ${orList([...new Set(lines.map(({ bare }) => bare))])}?`
  const [{ example } = {}] = lines
  return { text: example === undefined || lines.length > 1 ? text : `${text} For example: ${example}` }
}

/** Returns the line with a command in place of the unknown word, of the group, and of the words that are part of the name. */
function lineWith(
  { path, used, target }: Candidate,
  { word, group, root }: UnknownWord,
  { argv }: TypedLine,
): string[] {
  const place = argv.indexOf(word)
  const before = withoutGroup(argv.slice(0, place), group, root)
  const after = withoutFirst(argv.slice(place + 1), used)
  const [verb = '', flag] = path.split(' --')
  const words = [...verb.split(' '), ...(target === undefined ? [] : [target])]
  if (flag === undefined) return [...before, ...words, ...after]
  // `update pgdata --label pgmain` for `rename pgdata pgmain`: the target and a value.
  return [...before, ...words, ...after.slice(0, 1), `--${flag}`, ...after.slice(1)]
}

/** Returns words without the first ones that are no flags. */
function withoutFirst(words: readonly string[], count: number): string[] {
  let left = count
  return words.filter((word) => {
    if (left === 0 || word.startsWith('-')) return true
    left -= 1
    return false
  })
}

/** Returns the words before an unknown command without those of its group. */
function withoutGroup(words: readonly string[], group: string, root: readonly Outline[]): string[] {
  const others = [...words]
  const names = group === '' ? [] : group.split(' ')
  for (const [depth] of names.entries()) {
    const entry = entryAt(names.slice(0, depth + 1), root)
    const place = others.findIndex((word) => entry && isNamed(entry, word))
    if (place >= 0) others.splice(place, 1)
  }
  return others
}

/** `firewalls copy web` and `copy firewall web`: one command of another tool that is several here. */
function adviceWithWords({ word, group, entries, rest, hasFlags }: UnknownWord): string | undefined {
  const [noun = '', ...others] = rest
  const inner = entries.find((entry) => entry.commands && (isNamed(entry, noun) || isNamed(entry, `${noun}s`)))
  const words = inner ? others : rest
  return adviceWith(joined(group, inner?.name, word), hasFlags ? [] : words)
}

const instances = /^(machine|server|instance|droplet|linode|compute|vm)s?$/

/** Groups of objects of the account, and what users expect to do with objects. */
const objects = ['firewalls', 'ips', 'ipv6 pools', 'ipv6 ranges', 'regions', 'tokens', 'vlans', 'volumes']
const expected = ['create', 'view', 'update', 'delete', 'release', 'snapshot', 'backup']

function adviceFor({ word, group, root, rest: [next] }: UnknownWord): string | undefined {
  if (group === '' && next === 'all' && commandMeanings(word).includes('list')) return 'Did you mean "skyctl overview"?'
  // `get firewalls,volumes`: kubectl lists several kinds.
  const kind = /^([a-z-]+),/.exec(next ?? '')?.[1]
  if (group === '' && kind !== undefined && commandMeanings(word).includes('list')) {
    const [path = ''] = pathsOf(kind, 'list', { group, entries: root, root, target: undefined })
    return `Did you mean "skyctl overview"?${path === '' ? '' : ` For one kind: skyctl ${path}`}`
  }
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
