/** The order in which a plan is carried out (state.md, The order of carrying out). Pure. */
import { groupBy } from '../rules/groups'
import type { Step } from './kind'
import { isProtection } from './kinds/firewall-claims'
import { firewallKind } from './kinds/firewalls'
import type { Plan, PlannedObject } from './plan'

/** A step with the object that it is of. */
export interface Part {
  object: PlannedObject
  step: Step
}

/** Steps that are carried out one after the other. */
export interface Job {
  parts: readonly Part[]
  /** Begins when these are over, whatever became of them. */
  after: readonly Job[]
  /** Releases services and claims them again: nothing else is sent meanwhile. */
  isHandover: boolean
  /** Of firewalls; what takes long comes later. */
  isEarly: boolean
}

/**
 * Firewalls first, each ready before it gets the services of another one; then each service is released and claimed,
 * alone; then what was released is disabled, or gets its other rules. Everything else follows: what makes room, what is
 * made and changed, and what is removed: firewalls, then volumes.
 */
export function jobsOf({ objects }: Plan): Job[] {
  const contested = contestedIn(objects)
  const isHandover = ({ frees = [], takes = [] }: Step) => [...frees, ...takes].some((key) => contested.has(key))
  const stay = objects.filter(({ action }) => action !== 'delete')
  const [early, late] = [stay.filter(isFirewall), stay.filter((object) => !isFirewall(object))]
  const firstHandover = ({ steps }: PlannedObject) => {
    const index = steps.findIndex(isHandover)
    return index < 0 ? steps.length : index
  }
  const before = (object: PlannedObject) => object.steps.slice(0, firstHandover(object))
  const behind = (object: PlannedObject) =>
    object.steps.slice(firstHandover(object)).filter((step) => !isHandover(step))
  const prepared = early.flatMap(jobWith(before, [], true))
  const handed: Job[] = []
  for (const parts of handoversIn(objects, isHandover))
    handed.push({ parts, after: [...prepared, ...handed], isHandover: true, isEarly: true })
  const settled = early.flatMap(jobWith(behind, [...prepared, ...handed], true))
  const guarded = [...prepared, ...handed, ...settled]
  const first = objects.flatMap(jobWith(({ steps }) => steps.filter(({ first }) => first), handed, false))
  const rest = late.flatMap(jobWith(({ steps }) => steps.filter(({ first }) => !first), [...handed, ...first], false))
  return [
    ...guarded,
    ...first,
    ...soonest(rest, first),
    ...removals(objects, isHandover, [...guarded, ...first, ...rest]),
  ]
}

/** The services that a handover releases. */
export const servicesIn = ({ parts }: Job): string[] => [
  ...new Set(parts.flatMap(({ step: { frees = [] } }) => frees).filter(isProtection)),
]

const isFirewall = ({ kind }: PlannedObject) => kind === firewallKind.key

/** What one step releases and another one claims. */
function contestedIn(objects: readonly PlannedObject[]): ReadonlySet<string> {
  const steps = objects.flatMap(({ steps }) => steps)
  const taken = new Set(steps.flatMap(({ takes = [] }) => takes))
  return new Set(steps.flatMap(({ frees = [] }) => frees).filter((key) => taken.has(key)))
}

/** A job with some steps of an object; none where there are none. */
const jobWith =
  (pick: (object: PlannedObject) => readonly Step[], after: readonly Job[], isEarly: boolean) =>
  (object: PlannedObject): Job[] => {
    const parts = pick(object).map((step) => ({ object, step }))
    return parts.length > 0 ? [{ parts, after, isHandover: false, isEarly }] : []
  }

/** What was detached to make room waits for nothing else. */
function soonest(rest: readonly Job[], first: readonly Job[]): Job[] {
  const begun = new Set(first.flatMap(({ parts }) => parts.map(({ object }) => object)))
  const isBegun = ({ parts }: Job) => parts.some(({ object }) => begun.has(object))
  return [...rest.filter(isBegun), ...rest.filter((job) => !isBegun(job))]
}

function removals(
  objects: readonly PlannedObject[],
  isHandover: (step: Step) => boolean,
  before: readonly Job[],
): Job[] {
  const jobs: Job[] = []
  const left = ({ steps }: PlannedObject) => steps.filter((step) => !step.first && !isHandover(step))
  const doomed = objects.filter(({ action }) => action === 'delete').reverse()
  for (const removed of groupBy(doomed, ({ kind }) => kind).values())
    jobs.push(...removed.flatMap(jobWith(left, [...before, ...jobs], false)))
  return jobs
}

/** Handovers that depend on each other, each with its steps in order: most are of one service. */
function handoversIn(objects: readonly PlannedObject[], isHandover: (step: Step) => boolean): Part[][] {
  const parts = objects.flatMap((object) => object.steps.filter(isHandover).map((step) => ({ object, step })))
  const groups: { keys: Set<string>; parts: Part[] }[] = []
  for (const part of parts) {
    const keys = [...(part.step.frees ?? []), ...(part.step.takes ?? [])]
    const linked = groups.filter((group) => keys.some((key) => group.keys.has(key)))
    for (const group of linked) groups.splice(groups.indexOf(group), 1)
    groups.push({
      keys: new Set([...linked.flatMap(({ keys }) => [...keys]), ...keys]),
      parts: [...linked.flatMap(({ parts }) => parts), part],
    })
  }
  return groups.map(({ parts }) => inOrder(parts))
}

/** Each claim right behind the releases that it needs; the one that needs the fewest goes first. */
function inOrder(parts: readonly Part[]): Part[] {
  const ordered: Part[] = []
  let claims = parts.filter(({ step }) => step.takes)
  const releases = parts.filter(({ step }) => step.frees)
  const needed = ({ step: { takes = [] } }: Part) =>
    releases.filter((release) => !ordered.includes(release) && release.step.frees?.some((key) => takes.includes(key)))
  while (claims.length > 0) {
    const [next] = claims.toSorted((one, other) => needed(one).length - needed(other).length) as [Part]
    ordered.push(...needed(next), next)
    claims = claims.filter((claim) => claim !== next)
  }
  return ordered
}
