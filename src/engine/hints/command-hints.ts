/** Hints for unknown commands: those that do the same, or those with a similar name. */
import type { Command as Parser } from 'commander'
import { nearest, orList } from '../../rules/nearest'
import { shellWord } from '../../rules/texts'
import type { Outline, Root } from '../command'
import { globalFlags, outputFlags } from '../flags'
import { pathOf } from '../usage-error'
import { adviceOn, missing } from './command-advice'
import {
  type Candidate,
  commandsFor,
  isNamed,
  joined,
  namesOf,
  type UnknownWord,
  verbsFor,
  withoutTarget,
} from './command-candidates'
import type { FindLine, LineMatch } from './correct-line'
import { type Hint, hintOf } from './hint'
import { commandMeanings } from './synonyms'

/** A command line, word by word, and the program that it is for. */
export interface TypedLine {
  argv: readonly string[]
  program: Root
  /** Topics of help, if the line may name one. */
  topics?: readonly string[] | undefined
  /** Parses another line; throws the errors of commander. */
  parse(argv: readonly string[]): Promise<LineMatch | undefined>
}

export interface CorrectableLine extends TypedLine {
  /** Returns a line with all other mistakes corrected. */
  findLine: FindLine
}

const commonFlag = (word: string | undefined) =>
  [...globalFlags, ...outputFlags].find(({ name, short }) => word === `--${name}` || word === `-${short}`)
const takesValue = (word: string | undefined) => commonFlag(word)?.value !== undefined

/** Returns the entries of a group, or of the root. */
export function entriesAt(group: Parser | null, { entries }: Root): readonly Outline[] {
  const [, ...names] = group ? pathOf(group).split(' ') : []
  const inner = (outlines: readonly Outline[], name: string) =>
    outlines.find((one) => one.name === name)?.commands ?? []
  return names.reduce(inner, entries)
}

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
    hasFlags: after.some((one) => one.startsWith('-') && !commonFlag(one)),
  }
  const search = `To search: skyctl help find ${[word, ...unknown.rest].map(shellWord).join(' ')}`
  // `help me` and `help cron nightly` ask for a topic, not for a command.
  const isTopic = argv[0] === 'help' && names.length === 0
  const advice = isTopic ? undefined : adviceFor(unknown)
  if (advice !== undefined) return hintOf(advice)
  const commands = isTopic ? [] : commandsFor(unknown)
  const candidates = commands.length > 0 ? commands : similarNames(unknown, topics).map((path) => ({ path, used: 0 }))
  if (candidates.length > 0) return didYouMean(candidates, unknown, line)
  return hintOf(topics.length > 0 && names.length === 0 ? search : namesHint(unknown, parser))
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
    const whole = await line.findLine(lineWith(candidate, unknown, line))
    return whole?.isExample ? { bare, example: whole.text } : { bare: whole?.text ?? bare }
  })
  const lines = await Promise.all(wholeLines)
  const text = `Did you mean ${orList([...new Set(lines.map(({ bare }) => bare))])}?`
  const [{ example } = {}] = lines
  return { text: example === undefined || lines.length > 1 ? text : `${text} For example: ${example}` }
}

/** Returns the line with a command in place of the unknown word, of its group, and of the words that are part of the name. */
function lineWith({ path, used, target }: Candidate, { word, group, root }: UnknownWord, { argv }: TypedLine) {
  const [verb = '', flag] = path.split(' --')
  const place = argv.indexOf(word)
  const before = withoutWords(argv.slice(0, place), namesAlong(group, root))
  const isPart = argv.slice(place + 1).filter((one) => !one.startsWith('-'))
  const after = withoutWords(
    argv.slice(place + 1),
    isPart.slice(0, used).map((one) => [one]),
  )
  const words = [...before, ...verb.split(' '), ...(target === undefined ? [] : [target])]
  if (flag === undefined) return [...words, ...after]
  // `update pgdata --label pgmain` for `rename pgdata pgmain`: the target and a value, which may have a flag as well.
  const rest = after.slice(1)
  const values = flagsOfValue.test(rest[0] ?? '') ? rest.slice(1) : rest
  const isFlag = values[0]?.startsWith('-') === true
  return [...words, ...after.slice(0, 1), ...(isFlag ? [] : [`--${flag}`]), ...values]
}

/** `volumes tag data-1 --add backup`: flags of other tools for the value of a command that is a flag here. */
const flagsOfValue = /^--(add|set|tags?|labels?|values?|to|(new-)?name)$/

/** Returns all names of each group on the way to a group. */
function namesAlong(group: string, root: readonly Outline[]): string[][] {
  let entries = root
  return group.split(' ').map((name) => {
    const entry = entries.find((one) => one.name === name)
    entries = entry?.commands ?? []
    return entry ? namesOf(entry) : []
  })
}

/** Returns a line without the first word that is among the names, for each list of names. */
function withoutWords(line: readonly string[], lists: readonly (readonly string[])[]): string[] {
  const words = [...line]
  for (const names of lists) {
    const place = words.findIndex((word) => names.includes(word.toLowerCase()))
    if (place >= 0) words.splice(place, 1)
  }
  return words
}

/** Groups of objects of the account, and what users expect to do with objects. */
const objects = /^(firewalls|ips|ipv6 pools|ipv6 ranges|regions|tokens|vlans|volumes)$/
const expected = /^(create|view|update|delete|release|snapshot|backup)$/

/** `firewalls copy web`, `copy firewall web` and `servers list`: no single command does that here. */
function adviceFor({ word, group, entries, root, rest, hasFlags }: UnknownWord): string | undefined {
  const [noun = '', ...others] = rest
  const inner = entries.find((entry) => entry.commands && isNamed(entry, noun))
  // A flag may be followed by its value.
  const next = hasFlags ? [] : (inner ? others : rest).filter((one) => !withoutTarget.includes(one))
  const words = next.map(shellWord)
  // `create-snapshot`, and `rm` as volumes have it.
  const verb = word.replace(/^(create|take|list|delete)-|-(create|list|delete)$/, '')
  const volumes = root.find(({ name }) => name === 'volumes')?.commands ?? []
  const [meaning = verb] = verbsFor(verb, volumes, { target: '' })
  const place = joined(group, inner?.name)
  const isThere = verbsFor(word, inner?.commands ?? entries, { group: place }).length > 0
  for (const path of [joined(place, word, noun), joined(place, word), ...(isThere ? [] : [joined(place, meaning)])]) {
    const advice = adviceOn(path, words)
    if (advice !== undefined) return advice
  }
  if (objects.test(place) && expected.test(meaning) && !isThere) return `${missing} See skyctl ${place} --help`
  if (group !== '') return undefined
  // `get all`, and `get firewalls,volumes`: kubectl lists several kinds.
  if (/^all$|^[a-z-]+,/.test(noun) && commandMeanings(word).includes('list')) return 'Did you mean "skyctl overview"?'
  const isInstance = /^(machine|server|instance|droplet|linode|compute|vm)s?$/.test(word)
  return isInstance && !commandsFor({ word, group, entries, root, rest, hasFlags }).length
    ? 'The API has no operations for compute instances. To see them: skyctl overview'
    : undefined
}

function similarNames({ word, group, entries, root }: UnknownWord, topics: readonly string[]): string[] {
  // `firewalls clone` is no mistyped `close`, nor `firewalls revoke` a mistyped `remove`: volumes and tokens have them.
  if (group !== '' && root.some(({ commands = [] }) => commands.some((one) => namesOf(one).includes(word)))) return []
  const visible = entries.filter(({ hidden }) => !hidden)
  const commands = visible.flatMap((entry) => namesOf(entry).map((name) => [name, joined(group, entry.name)] as const))
  const lines = new Map([...commands, ...topics.map((topic) => [topic, `help ${topic}`] as const)])
  return nearest(word, lines.keys()).flatMap((name) => lines.get(name) ?? [])
}
