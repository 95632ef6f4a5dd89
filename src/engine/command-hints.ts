/** Finds the command that words in another order or with another verb mean: `get volumes`, `volumes destroy data`. */
import { orList } from '../rules/nearest'
import type { Outline } from './command'
import { pathOf } from './help'
import { entriesAt, proposedLine, type TypedLine } from './typed-line'
import type { UnknownCommand } from './usage-error'

const remove = ['delete', 'revoke']

/** Verbs of other tools, and those of skyctl, best first. */
const verbs: Readonly<Record<string, readonly string[]>> = {
  change: ['update'],
  del: remove,
  delete: remove,
  describe: ['view', 'list'],
  destroy: remove,
  details: ['view'],
  edit: ['edit', 'update'],
  erase: remove,
  find: ['list'],
  generate: ['create'],
  get: ['view', 'list'],
  info: ['view'],
  insert: ['create', 'add'],
  inspect: ['view'],
  make: ['create'],
  modify: ['update'],
  new: ['create'],
  order: ['create'],
  patch: ['update'],
  provision: ['create'],
  put: ['update'],
  read: ['view', 'list'],
  rename: ['update'],
  replace: ['update'],
  search: ['list'],
  show: ['view', 'list'],
  terminate: remove,
}

/** Part of a typed word, `firewall` and `rules` of `firewall-rules`, with the word's index. */
interface Part {
  text: string
  index: number
}

/** A command that words mean. */
interface Match {
  /** From the entry in the group at hand to the command. */
  levels: readonly Outline[]
  /** Number of groups that are among the words. */
  groups: number
  /** Place of the verb among those with this meaning. */
  verb: number
}

/** Returns a hint with the command line; undefined if the words mean no command. */
export function commandHint({ word, group }: UnknownCommand, line: TypedLine): string | undefined {
  const at = line.argv.indexOf(word)
  const after = line.argv.slice(at + 1)
  const flag = after.findIndex((one) => one.startsWith('-'))
  const words = [word, ...(flag < 0 ? after : after.slice(0, flag))].map((one) => one.toLowerCase())
  const entries = entriesAt(group, line.program)
  const parts = words.map((text, index) => ({ text, index }))
  const split = parts.flatMap(({ text, index }) => text.split(/[-:.]/).map((part) => ({ text: part, index })))
  for (const some of [parts, split]) {
    const matches = matchesOf(some, entries)
    const [match, ...others] = matches
    if (!match) continue
    const path = (levels: readonly Outline[]) => [pathOf(group), ...levels.map(({ name }) => name)].join(' ')
    if (others.length > 0) return `Did you mean ${orList(matches.map(({ levels }) => path(levels)).slice(0, 3))}?`
    const used = (some[match.groups]?.index ?? 0) + 1
    const levels = words.length > used ? match.levels : listInstead(match.levels, entries)
    const rest = withLabel(line.argv.slice(at + used), words[0] ?? '', [
      group.name(),
      ...match.levels.map(({ name }) => name),
    ])
    const whole = proposedLine([...line.argv.slice(0, at), ...levels.map(({ name }) => name), ...rest])
    const suggestion = whole ?? path(levels)
    return match.groups > 0 ? `The group comes first: ${suggestion}` : `Did you mean "${suggestion}"?`
  }
  return group.parent ? swappedHint(at, entries, line.argv) : undefined
}

/** Groups whose creations take no argument, but a label. */
const labelled = ['volumes', 'firewalls', 'tokens']

/** Adds the flag that a label needs: `rename data logs` is `update data --label logs`, `create volume data` has one, too. */
function withLabel(rest: readonly string[], verb: string, path: readonly string[]): readonly string[] {
  const [group, command] = path.slice(-2)
  const isCreation = command === 'create' && labelled.includes(group ?? '')
  const place = verb === 'rename' ? 1 : isCreation ? 0 : -1
  const label = rest[place]
  if (label === undefined || rest.slice(0, place + 1).some((word) => word.startsWith('-'))) return rest
  return [...rest.slice(0, place), '--label', ...rest.slice(place)]
}

/** Returns a hint for `volumes data delete`; undefined if no verb follows the word. */
function swappedHint(at: number, entries: readonly Outline[], argv: readonly string[]): string | undefined {
  const [word = '', next = ''] = argv.slice(at)
  const verb = commandsBelow(entries).find(
    ([command, ...more]) => more.length === 0 && command && isNamed(command, next),
  )
  if (!verb?.[0]) return undefined
  const whole = proposedLine([...argv.slice(0, at), verb[0].name, word, ...argv.slice(at + 2)])
  return whole === undefined ? undefined : `The verb comes first: ${whole}`
}

/** Returns the best matches: most groups among the words, then the nearest verb. */
function matchesOf([verb, ...objects]: readonly Part[], entries: readonly Outline[]): Match[] {
  if (!verb) return []
  const names = [...new Set([verb.text, ...(Object.hasOwn(verbs, verb.text) ? (verbs[verb.text] ?? []) : [])])]
  const matches = commandsBelow(entries).flatMap((levels): Match[] => {
    const command = levels.at(-1)
    const place = names.findIndex((name) => command && isNamed(command, name))
    const groups = groupsAmong(objects, levels.slice(0, -1))
    // A word in two halves must not be used by half.
    const isWhole = objects[groups]?.index !== (objects[groups - 1] ?? verb).index
    return place >= 0 && isWhole && (groups > 0 || levels.length === 1) ? [{ levels, groups, verb: place }] : []
  })
  const rank = ({ groups, verb: place }: Match) => groups * 100 - place
  const best = Math.max(...matches.map(rank))
  return matches.filter((match) => rank(match) === best)
}

/** Returns how many of the last groups the words begin with: `rules`, or `firewall rules`. */
function groupsAmong(words: readonly Part[], groups: readonly Outline[]): number {
  for (let count = Math.min(words.length, groups.length); count > 0; count -= 1) {
    if (groups.slice(-count).every((group, index) => isNamed(group, words[index]?.text ?? ''))) return count
  }
  return 0
}

/** Returns `volumes list` for `volumes view` where no volume is named. */
function listInstead(levels: readonly Outline[], entries: readonly Outline[]): readonly Outline[] {
  const list = (levels.at(-2)?.commands ?? entries).find(({ name }) => name === 'list')
  return levels.at(-1)?.name === 'view' && list ? [...levels.slice(0, -1), list] : levels
}

function commandsBelow(entries: readonly Outline[], above: readonly Outline[] = []): Outline[][] {
  return entries
    .filter(({ hidden }) => !hidden)
    .flatMap((entry) => (entry.commands ? commandsBelow(entry.commands, [...above, entry]) : [[...above, entry]]))
}

const isNamed = ({ name, aliases = [] }: Outline, word: string) => [name, ...aliases].includes(word)
