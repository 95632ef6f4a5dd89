/** Selects objects of account files (`--only`), by kind or by kind and label. Pure. */
import { Problem } from '../errors'
import { didYouMean, nearest, orList } from '../rules/nearest'
import { groupBy, isRecord } from '../rules/records'
import { nameList, shellWord, splitOnce } from '../rules/texts'
import type { DesiredState } from './desired-state'
import { kinds } from './kinds'
import { isProtection } from './kinds/firewall/claims'
import { type Fault, Place } from './places'
import type { PlanStep } from './plan-step'

/** A value of `--only`. */
interface Selector {
  text: string
  kind: string
  /** Pattern of labels; undefined selects all objects of the kind. */
  pattern: string | undefined
}

/** The objects that some values of `--only` select; all objects without one. */
export class Selection {
  readonly #selectors: readonly Selector[] | undefined

  /** Throws `usage` for values that are wrong. */
  constructor(readonly only: readonly string[] | undefined) {
    this.#selectors = only?.map(parseSelector)
  }

  hasKind(kind: string): boolean {
    return this.#selectors?.some((one) => one.kind === kind) ?? true
  }

  has(kind: string, name: string): boolean {
    return this.#selectors?.some((one) => isMatch(one, kind, name)) ?? true
  }

  /** Throws `usage` for the first value that matches none of these objects. */
  expectMatches(objects: readonly { kind: string; name: string }[]): void {
    const unmatched = this.#selectors?.find((one) => !objects.some(({ kind, name }) => isMatch(one, kind, name)))
    if (!unmatched) return
    const { text, kind, pattern = '' } = unmatched
    const names = objects.flatMap((object) => (object.kind === kind ? [object.name] : []))
    const near = nearest(pattern, names).map((name) => `${kind}/${name}`)
    const available =
      names.length === 0 ? `The files have no ${kind}` : `The ${kind} are: ${nameList(names, mostListed)}`
    throw wrong(text, 'matches nothing in the files', near.length > 0 ? `Did you mean ${orList(near)}?` : available)
  }
}

const mostListed = 10

const wrong = (text: string, reason: string, hint?: string) =>
  new Problem('usage', `--only: "${text}" ${reason}`, hint === undefined ? {} : { hint })

function parseSelector(text: string): Selector {
  const [key = '', pattern] = splitOnce(text, '/')
  const kind = kinds.find((one) => one.key === key)
  const keys = kinds.map((one) => one.key)
  if (!kind)
    throw wrong(text, 'does not begin with a kind', didYouMean(key, keys) ?? `The kinds are: ${keys.join(', ')}`)
  if (pattern === '') throw wrong(text, 'lacks a label after "/"', `For all of them, write ${key}`)
  if (kind.single && pattern !== undefined) throw wrong(text, 'has a label, but there is only one', `Write ${key}`)
  return { text, kind: key, pattern: pattern === undefined ? undefined : (kind.tidyName?.(pattern) ?? pattern) }
}

const isMatch = (selector: Selector, kind: string, name: string) =>
  selector.kind === kind && (selector.pattern === undefined || isGlobMatch(selector.pattern, name))

/** Reports whether a whole label matches a pattern: `*` is any text, also with slashes, and `?` any character. */
function isGlobMatch(pattern: string, name: string): boolean {
  const literal = pattern.replaceAll(/[\\^$+.()|[\]{}]/g, String.raw`\$&`)
  return new RegExp(`^${literal.replaceAll(/\*+/g, '.*').replaceAll('?', '.')}$`, 'su').test(name)
}

export const everything = new Selection(undefined)

/** Returns the desired state without the kinds of which nothing is selected. */
export const withSelectedKinds = ({ entries, ...others }: DesiredState, selection: Selection): DesiredState => ({
  ...others,
  entries: new Map([...entries].filter(([kind]) => selection.hasKind(kind))),
})

export const objectsIn = ({ entries }: DesiredState) =>
  [...entries].flatMap(([kind, named]) => [...named.keys()].map((name) => ({ kind, name })))

interface Planned {
  kind: string
  noun: string
  name: string
  steps: readonly PlanStep[]
}

/**
 * Returns a fault for each selected firewall that gets a service from, or releases it for, one that is not selected:
 * half of a handover would fail, or leave the service unprotected. `isSound` says that nothing else is refused.
 */
export function splitHandovers(
  selected: readonly Planned[],
  others: readonly Planned[],
  { entries, isSound }: Pick<DesiredState, 'entries'> & { isSound: boolean },
): Fault[] {
  if (others.length === 0) return []
  const [freed, taken] = [new Set(protectionsOf(selected, 'frees')), new Set(protectionsOf(selected, 'takes'))]
  return selected.flatMap((object) => {
    const open = [
      ...protectionsOf([object], 'frees').filter((key) => !taken.has(key)),
      ...protectionsOf([object], 'takes').filter((key) => !freed.has(key)),
    ]
    const needed = linkedTo(open, others)
    // The other firewall has no steps where it cannot be planned. Or this one takes nothing, and that is refused anyway.
    if (open.length === 0 || (needed.length === 0 && !isSound)) return []
    const names = needed.length === 0 ? 'another firewall' : nameList(needed.map(nameOf))
    const flags = needed.map(({ kind, name }) => `--only ${shellWord(`${kind}/${name}`)}`)
    const todo = flags.length === 0 ? '' : `. Add ${flags.join(' ')}`
    const moves = open.length === 1 ? 'moves' : 'move'
    const reason = `${nameList(open)} ${moves} between it and ${names}, so select them together${todo}`
    const at = entries.get(object.kind)?.get(object.name)?.at ?? prunedPlace(object)
    return [{ at, reason, code: 'refused' }]
  })
}

/** Returns the place of an object that --prune deletes: no file has a line of it. */
export const prunedPlace = ({ kind, name }: Pick<Planned, 'kind' | 'name'>) =>
  new Place({ name: '--prune' }, [kind, name])

function protectionsOf(objects: readonly Planned[], side: 'frees' | 'takes'): string[] {
  return objects.flatMap(({ steps }) => steps.flatMap((step) => step[side] ?? [])).filter(isProtection)
}

/** Returns the objects that release or claim one of these services, and those that they need in turn. */
function linkedTo(keys: readonly string[], objects: readonly Planned[]): Planned[] {
  const keysOf = (some: readonly Planned[]) => [...protectionsOf(some, 'frees'), ...protectionsOf(some, 'takes')]
  const linked = objects.filter((object) => keysOf([object]).some((key) => keys.includes(key)))
  if (linked.length === 0) return []
  const rest = objects.filter((object) => !linked.includes(object))
  return [...linked, ...linkedTo(keysOf(linked), rest)]
}

const nameOf = ({ noun, name }: Planned) => `${noun} "${name}"`

/**
 * Returns a note for each selected volume to attach to an instance from which others, which are not selected, would be
 * detached: an instance has a limited number of volumes (api.md, Limits).
 */
export function missingRoom<T extends Planned>(
  selected: readonly T[],
  others: readonly Planned[],
): { object: T; text: string }[] {
  const detached = others.flatMap((other) => detachedIn(other).map((compute) => ({ other, compute })))
  const byCompute = groupBy(detached, ({ compute }) => compute)
  return selected.flatMap((object) =>
    attachedIn(object).flatMap((compute) => {
      const leaving = (byCompute.get(compute) ?? []).map(({ other }) => other)
      if (leaving.length === 0) return []
      const names = nameList(leaving.map(nameOf))
      const text = `compute instance ${compute} may have too many volumes: the files detach ${names} from it, but --only leaves that out`
      return [{ object, text }]
    }),
  )
}

const attachedIn = ({ steps }: Planned) =>
  steps.flatMap(({ does, body }) => {
    const isAttaching = does === 'volumes attach' || does === 'volumes create'
    return isAttaching && isRecord(body) && body.compute_id !== undefined ? [body.compute_id] : []
  })

const detachedIn = ({ steps }: Planned) =>
  steps.flatMap(({ does, replaced }) => (does === 'volumes detach' ? [replaced?.compute_id] : []))
