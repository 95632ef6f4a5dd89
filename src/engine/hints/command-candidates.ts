/** Finds the commands that an unknown word means: those of other tools, and those in other places. */
import type { Outline } from '../command'
import { commandMeanings } from './synonyms'

/** An unknown word, and its place among the commands. */
export interface UnknownWord {
  word: string
  /** Words of the group, without the program's name: `profile sshkeys`; empty at the root. */
  group: string
  /** Commands and groups of that group. */
  entries: readonly Outline[]
  /** Those of the root. */
  root: readonly Outline[]
  /** The next words of the line, without flags. */
  rest: readonly string[]
  /** True if flags of a command follow the word: one of the next words may be a flag's value, such as a secret. */
  hasFlags: boolean
}

/** A command that may be meant. */
export interface Candidate {
  /** Words of the command, and of a flag that it needs: `volumes update --label`. */
  path: string
  /** Number of the next words that are part of the name: one for `get volumes`. The others are arguments. */
  used: number
  /** The unknown word, if it is an argument. */
  target?: string
}

/** A command or a group, with its whole name. */
interface Place {
  path: string
  entry: Outline
}

export const namesOf = ({ name, aliases = [] }: Outline) => [name, ...aliases]

/** Reports whether a word is the name of an entry, or its singular. */
export const isNamed = (entry: Outline, word: string) =>
  [word, `${word}s`].some((name) => namesOf(entry).includes(name.toLowerCase()))

export const joined = (...words: (string | undefined)[]) => words.filter((word) => word).join(' ')

/** Returns the commands that the words of the line mean, by the first reading that finds one. */
export function commandsFor(unknown: UnknownWord): Candidate[] {
  const readings = [verbFirst, targetFirst, twoWords, verbOfGroup, placeFirst, placeAlone, verbBelow, afterService]
  for (const read of readings) {
    const candidates = read(unknown)
    if (candidates.length > 0) return candidates
  }
  return []
}

/** `get volumes`: other tools have the verb first. */
const verbFirst = (unknown: UnknownWord) => {
  const { word, rest } = unknown
  return using(1, commandsIn(placesNamed(rest[0] ?? '', unknown), word, rest[1]))
}

/** Commands that take no target: `tag add` and `snapshot create` are not about an object with this name. */
export const withoutTarget = ['create', 'list']

/** `volumes data-1 view`: the target comes before the command. */
function targetFirst({ word, group, entries, rest: [next = ''] }: UnknownWord): Candidate[] {
  const isWord = group === '' || commandMeanings(word, group).length > 0
  const command = entries.find((one) => !one.commands && !withoutTarget.includes(one.name) && isNamed(one, next))
  return command && !isWord ? [{ path: joined(group, command.name), used: 1, target: word }] : []
}

/** `rules-list`, `add-rule`, `describe-security-groups`: noun and verb are one word in other tools. */
function twoWords(unknown: UnknownWord): Candidate[] {
  const { word, rest } = unknown
  const [, beforeLast, last = ''] = /^(.+)-(.+)$/.exec(word) ?? []
  const [, first = '', afterFirst] = /^(.+?)-(.+)$/.exec(word) ?? []
  if (beforeLast === undefined || afterFirst === undefined) return []
  const nounFirst = commandsIn(placesNamed(beforeLast, unknown), last, rest[0])
  return using(0, [...nounFirst, ...commandsIn(placesNamed(afterFirst, unknown), first, rest[0])])
}

/** `volumes destroy`: the verb of another tool. */
function verbOfGroup({ word, group, entries, rest: [next] }: UnknownWord): Candidate[] {
  const ends = group === '' ? [] : entries.filter(({ commands }) => !commands)
  const verbs = verbsFor(word, ends, { target: next, group })
  // `tag add data-2 db`: the verb is in the flag.
  const isVerb = next === 'add' || next === 'set'
  return verbs.map((verb) => ({ path: joined(group, verb), used: isVerb && verb.includes(' --') ? 1 : 0 }))
}

/** `floating-ip list`, `devices add`, `profile tokens list`: the place has another name, or is elsewhere. */
const placeFirst = (unknown: UnknownWord) => {
  const { word, rest } = unknown
  return rest[0] === undefined ? [] : using(1, commandsIn(placesNamed(word, unknown), rest[0]))
}

/** `whoami`, `ssh-keys`, `attach data-2`: the word means one place, or only one has this name. */
function placeAlone({ word, group, root, rest: [next = ''] }: UnknownWord): Candidate[] {
  const places = placesIn(root)
  const meanings = commandMeanings(word, group).filter((path) => group === '' || path.includes(' '))
  const placesMeant = meanings.flatMap((path) => places.filter((place) => place.path === path))
  const isNear = ({ path, entry }: Place) =>
    group === '' ? /^\S+ \S+$/.test(path) : entry.commands !== undefined && !path.includes(' ')
  const named = places.filter((place) => place.entry.name === word && isNear(place))
  return (placesMeant.length > 0 || named.length !== 1 ? placesMeant : named).map(({ path, entry }) => {
    // `state list`: the command that is meant has no such verb.
    const isVerb = next === 'list' || (!entry.commands && commandMeanings(next).includes('view'))
    return { path, used: isVerb ? 1 : 0 }
  })
}

/** `ipv6 list`: groups within the group have the command. */
const verbBelow = ({ word, group, entries }: UnknownWord) => {
  const inner =
    group === '' ? [] : entries.flatMap((entry) => placesIn(entry.commands ?? [], joined(group, entry.name)))
  const named = inner.filter(({ entry }) => isNamed(entry, word))
  return using(
    0,
    named.map(({ path }) => path),
  )
}

/** `compute volume list`: other tools have the name of a service first. */
function afterService(unknown: UnknownWord): Candidate[] {
  const { word, group, rest } = unknown
  const [next, ...others] = rest
  if (group !== '' || next === undefined || !/^(compute|ec2|networking)$/.test(word)) return []
  const [first] = commandsFor({ ...unknown, word: next, rest: others })
  return first ? [{ ...first, used: first.used + 1 }] : []
}

const using = (used: number, paths: readonly string[]): Candidate[] =>
  [...new Set(paths)].map((path) => ({ path, used }))

/** Returns all groups and commands below some, with these. */
const placesIn = (entries: readonly Outline[], group = ''): Place[] =>
  entries.flatMap((entry) => {
    const path = joined(group, entry.name)
    return [{ path, entry }, ...placesIn(entry.commands ?? [], path)]
  })

/** Returns the places that a noun names or means: those of the group, or else all. */
function placesNamed(noun: string, { group, root }: Pick<UnknownWord, 'group' | 'root'>): Place[] {
  const meanings = commandMeanings(noun, group)
  const places = placesIn(root).filter(({ entry, path }) => isNamed(entry, noun) || meanings.includes(path))
  const inner = places.filter(({ path }) => group !== '' && path.startsWith(`${group} `))
  return inner.length > 0 ? inner : places
}

/** Returns the commands of groups that a verb names or means. */
const commandsIn = (places: readonly Place[], verb: string, target?: string) =>
  places.flatMap(({ path, entry: { commands = [] } }) =>
    verbsFor(verb, commands, { target, group: path }).map((name) => joined(path, name)),
  )

/** Returns the commands that a verb names or means: `get` and `describe` are `list` if there is no target. */
export function verbsFor(
  word: string,
  commands: readonly Outline[],
  { target, group }: { target?: string | undefined; group?: string },
): string[] {
  const exact = commands.find(({ name }) => name === word)
  if (exact) return [exact.name]
  const meanings = [word, ...commandMeanings(word, group).map((meaning) => meaning.replace(`${group} `, ''))]
  const names = meanings.flatMap((meaning) => {
    const [verb = '', ...flags] = meaning.split(' ')
    const command = commands.find((one) => !one.hidden && namesOf(one).includes(verb.toLowerCase()))
    return command ? [joined(command.name, ...flags)] : []
  })
  const isEither = commandMeanings(word).includes('view') && commands.some(({ name }) => name === 'list')
  if (names.includes('view') && isEither) return target === undefined ? ['list'] : ['view']
  return names
}
