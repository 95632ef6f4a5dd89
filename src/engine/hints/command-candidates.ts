/** Finds the commands that an unknown word means: those of other tools, and those in other places. */
import type { Outline } from '../command'
import { adviceOn } from './command-advice'
import { entryAt, isNamed, joined } from './command-places'
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
  /** True if flags follow the word: one of the next words may be a flag's value, such as a secret. */
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

/** Returns the commands that the words of the line mean, by the first rule that finds one. */
export function commandsFor(unknown: UnknownWord): Candidate[] {
  for (const rule of [verbFirst, targetFirst, twoWords, otherWord, afterService, elsewhere]) {
    const candidates = rule(unknown)
    if (candidates.length > 0) return candidates
  }
  return []
}

const using = (used: number, paths: readonly string[]): Candidate[] => paths.map((path) => ({ path, used }))

/** `get volumes`: other tools have the verb first. */
function verbFirst({ word, rest: [noun = '', target], ...place }: UnknownWord): Candidate[] {
  return using(1, pathsOf(noun, word, { ...place, target }))
}

/** Commands that take no target: `tag add` and `snapshot create` are not about an object with this name. */
export const withoutTarget = ['create', 'list']

/** `volumes data-1 view`: the target comes before the command. */
function targetFirst({ word, group, entries, rest: [next = ''] }: UnknownWord): Candidate[] {
  // `completion install bash` is about another task.
  const isOther = group === '' || adviceOn(joined(group, word)) !== undefined || commandMeanings(word, group).length > 0
  const command = isOther
    ? undefined
    : entries.find((one) => !one.commands && !withoutTarget.includes(one.name) && isNamed(one, next))
  return command ? [{ path: joined(group, command.name), used: 1, target: word }] : []
}

/** `rules-list`, `add-rule`, `describe-security-groups`: noun and verb are one word in other tools. */
function twoWords({ word, rest: [target], ...place }: UnknownWord): Candidate[] {
  const [first = '', ...afterFirst] = word.split('-')
  const last = afterFirst.at(-1) ?? ''
  if (last === '') return []
  const beforeLast = word.slice(0, -last.length - 1)
  const inPlace = { ...place, target }
  return using(0, [...pathsOf(beforeLast, last, inPlace), ...pathsOf(afterFirst.join('-'), first, inPlace)])
}

/** `volumes destroy`, `whoami`, `floating-ip list`: the word of another tool. */
function otherWord({ word, group, entries, root, rest: [next] }: UnknownWord): Candidate[] {
  // Those of the root are among the places.
  const ends = group === '' ? [] : entries.filter(({ commands }) => !commands)
  // `tag add data-2 db`: the verb is in the flag.
  const isVerb = next === 'add' || next === 'set'
  const verbs = verbsFor(word, ends, { target: next, group }).map((verb) => ({
    path: joined(group, verb),
    used: isVerb && verb.includes(' --') ? 1 : 0,
  }))
  const places = commandMeanings(word, group).flatMap((meaning): Candidate[] => {
    const entry = entryAt(meaning.split(' '), root)
    if (!entry || (group !== '' && !meaning.includes(' '))) return []
    const [verb] = next === undefined ? [] : verbsFor(next, entry.commands ?? [], { group: meaning })
    // `state list`: the command that is meant has no such verb.
    const isWithin = verb !== undefined || (!entry.commands && commandMeanings(next ?? '').includes('view'))
    return [{ path: joined(meaning, verb), used: isWithin || next === 'list' ? 1 : 0 }]
  })
  return [...verbs, ...places]
}

const services = ['compute', 'ec2', 'networking']

/** `compute volume list`: other tools have the name of a service first. */
function afterService({ word, group, root, rest, hasFlags }: UnknownWord): Candidate[] {
  if (group !== '' || !services.includes(word)) return []
  const [noun = '', verb = '', ...targets] = rest
  const place = { group, entries: root, root, hasFlags }
  const withoutService = { ...place, word: noun, rest: rest.slice(1) }
  const candidates = verbFirst({ ...place, word: verb, rest: [noun, ...targets] })
  const others = candidates.length > 0 ? [] : [twoWords, otherWord].flatMap((rule) => rule(withoutService))
  return [...candidates, ...others.slice(0, 1)].map(({ used, ...more }) => ({ ...more, used: used + 1 }))
}

/** `profile tokens list`, `ipv6 list` and `devices add`: the word is right in another place. */
function elsewhere({ word, group, entries, root, rest: [next = ''] }: UnknownWord): Candidate[] {
  if (group === '') {
    const paths = root.flatMap(({ name, commands = [] }) => {
      const inner = commands.find((one) => isNamed(one, word))
      return verbsFor(next, inner?.commands ?? [], {}).map((verb) => joined(name, inner?.name, verb))
    })
    return paths.length > 0 ? using(1, paths) : using(0, onlyIn(word, root))
  }
  const inner = entries.flatMap(({ name, commands = [] }) => {
    const command = commands.find((one) => isNamed(one, word))
    return command ? [joined(group, name, command.name)] : []
  })
  if (inner.length > 0) return using(0, inner)
  const places = root.filter(({ name }) => name === word)
  const paths = places.flatMap(({ name, commands = [] }) =>
    verbsFor(next, commands, {}).map((verb) => joined(name, verb)),
  )
  return using(1, paths)
}

/** `attach data-2`: one group has such a command. The words of other tools are no names of commands. */
function onlyIn(word: string, root: readonly Outline[]): string[] {
  const paths = root.flatMap(({ name, commands = [] }) => {
    const inner = commands.find((one) => one.name === word && !one.hidden && !one.commands)
    return inner ? [joined(name, word)] : []
  })
  return paths.length === 1 ? paths : []
}

interface Place extends Pick<UnknownWord, 'group' | 'entries' | 'root'> {
  target: string | undefined
}

/** Returns commands for a verb in the groups that a noun names, here or at the root, in the singular or the plural. */
export function pathsOf(noun: string, verb: string, { group, entries, root, target }: Place): string[] {
  const inner = entries.map((entry) => ({ entry, path: joined(group, entry.name) }))
  const others = group === '' ? [] : root.map((entry) => ({ entry, path: entry.name }))
  const named = [...inner, ...others].filter(({ entry }) => isNamed(entry, noun) || isNamed(entry, `${noun}s`))
  const synonymous = commandMeanings(noun).flatMap((path) => ({ entry: entryAt(path.split(' '), root), path }))
  return [...named, ...(group === '' ? synonymous : [])].flatMap(({ entry, path }) =>
    verbsFor(verb, entry?.commands ?? [], { target, group: path }).map((found) => joined(path, found)),
  )
}

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
    const command = commands.find((one) => !one.hidden && isNamed(one, verb))
    return command ? [joined(command.name, ...flags)] : []
  })
  const isEither = commandMeanings(word).includes('view') && commands.some(({ name }) => name === 'list')
  if (names.includes('view') && isEither) return target === undefined ? ['list'] : ['view']
  return names
}
