/** Orders the steps of a plan (state.md, The order of carrying out). Pure. */
import { groupBy } from '../rules/records'
import { isProtection } from './kinds/firewall/claims'
import { firewallKind } from './kinds/firewalls'
import type { Plan, PlannedObject } from './plan'
import type { PlanStep } from './plan-step'

export interface JobPart {
  object: PlannedObject
  step: PlanStep
}

export interface Job {
  parts: readonly JobPart[]
  /** Jobs that must end before, whatever their outcome. */
  after: readonly Job[]
  /** True if it moves services between firewalls: no other request is sent in the meantime. */
  isHandover: boolean
  /** True for firewalls, which come before slow steps. */
  isEarly: boolean
}

/**
 * Schedules firewalls first: each is prepared before it gets the services of another one. Then each service is released
 * and claimed, alone. Then the old firewalls are disabled, or get their other rules. Everything else follows: steps
 * that free a place, creations and changes, and removals: firewalls, then volumes.
 */
export function jobsOf({ objects }: Plan): Job[] {
  const contested = contestedIn(objects)
  const isHandover = ({ frees = [], takes = [] }: PlanStep) => [...frees, ...takes].some((key) => contested.has(key))
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
  const isLater = ({ first, batch }: PlanStep) => !first && !batch
  const rest = late.flatMap((object) => {
    const freed = first.filter((job) => needsFreed(object, job))
    return jobWith(({ steps }) => steps.filter(isLater), [...handed, ...freed], false)(object)
  })
  const batches = batchesIn(objects).map((parts) => ({ parts, after: handed, isHandover: false, isEarly: false }))
  return [
    ...guarded,
    ...first,
    ...soonest(rest, first),
    ...batches,
    ...removals(objects, isHandover, [...guarded, ...first, ...rest]),
  ]
}

function batchesIn(objects: readonly PlannedObject[]): JobPart[][] {
  const parts = objects.flatMap((object) => object.steps.map((step) => ({ object, step })))
  const batched = parts.filter(({ step }) => step.batch)
  return [...groupBy(batched, ({ step }) => step.batch?.key).values()]
}

/** A step to run, and the parts of the plan that it does: several if they are sent as one request. */
export interface StepRequest {
  part: JobPart
  parts: readonly JobPart[]
}

/** Returns the steps to run. */
export function requestsOf({ parts }: Job): StepRequest[] {
  const [first] = parts
  const { batch } = first?.step ?? {}
  if (!first || !batch) return parts.map((part) => ({ part, parts: [part] }))
  const steps = parts.map(({ step }) => step)
  const joined = (values: readonly PlanStep['body'][]) => ({
    ...values[0],
    [batch.list]: values.flatMap((value) => value?.[batch.list] ?? []),
  })
  const [body, replaced] = [joined(steps.map(({ body }) => body)), joined(steps.map(({ replaced }) => replaced))]
  const guard: PlanStep['guard'] = async (client) => {
    await batch.guard(client, { body, replaced })
    return undefined
  }
  const step = { ...first.step, target: steps.flatMap((one) => one.target), body, replaced, guard }
  return [{ part: { ...first, step }, parts }]
}

export const servicesIn = ({ parts }: Job): string[] => [
  ...new Set(parts.flatMap(({ step: { frees = [] } }) => frees).filter(isProtection)),
]

const isFirewall = ({ kind }: PlannedObject) => kind === firewallKind.key

/** Returns the keys that one step releases and another one claims. */
function contestedIn(objects: readonly PlannedObject[]): ReadonlySet<string> {
  const steps = objects.flatMap(({ steps }) => steps)
  const taken = new Set(steps.flatMap(({ takes = [] }) => takes))
  return new Set(steps.flatMap(({ frees = [] }) => frees).filter((key) => taken.has(key)))
}

/** Returns a job with some steps of an object, or nothing without steps. */
const jobWith =
  (pick: (object: PlannedObject) => readonly PlanStep[], after: readonly Job[], isEarly: boolean) =>
  (object: PlannedObject): Job[] => {
    const parts = pick(object).map((step) => ({ object, step }))
    return parts.length > 0 ? [{ parts, after, isHandover: false, isEarly }] : []
  }

/** Reports whether an object needs the place that a job frees, or may need it; its own steps stay in their order. */
function needsFreed(object: PlannedObject, { parts }: Job): boolean {
  const freed = parts.map((part) => part.step.replaced?.compute_id)
  const needed = object.steps.map(({ body }) => body?.compute_id)
  return parts[0]?.object === object || freed.some((place) => place === undefined || needed.includes(place))
}

/** Moves volumes that were detached to free a place to the front. */
function soonest(rest: readonly Job[], first: readonly Job[]): Job[] {
  const begun = new Set(first.flatMap(({ parts }) => parts.map(({ object }) => object)))
  const isBegun = ({ parts }: Job) => parts.some(({ object }) => begun.has(object))
  return [...rest.filter(isBegun), ...rest.filter((job) => !isBegun(job))]
}

function removals(
  objects: readonly PlannedObject[],
  isHandover: (step: PlanStep) => boolean,
  before: readonly Job[],
): Job[] {
  const jobs: Job[] = []
  const left = ({ steps }: PlannedObject) => steps.filter((step) => !step.first && !isHandover(step))
  const doomed = objects.filter(({ action }) => action === 'delete').reverse()
  for (const removed of groupBy(doomed, ({ kind }) => kind).values())
    jobs.push(...removed.flatMap(jobWith(left, [...before, ...jobs], false)))
  return jobs
}

/** Groups handovers that depend on each other, with their steps in order; most are of one service. */
function handoversIn(objects: readonly PlannedObject[], isHandover: (step: PlanStep) => boolean): JobPart[][] {
  const parts = objects.flatMap((object) => object.steps.filter(isHandover).map((step) => ({ object, step })))
  const groups: { keys: Set<string>; parts: JobPart[] }[] = []
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

/**
 * Puts each claim right after the release of its service. Services may change places in a circle, and a firewall
 * accepts no second balancer (api.md, Firewall behaviour 4). Then one of them is released early, and waits for the
 * others.
 */
function inOrder(parts: readonly JobPart[]): JobPart[] {
  const ordered: JobPart[] = []
  let claims = parts.filter(({ step }) => step.takes)
  let releases = parts.filter(({ step }) => step.frees)
  const needed = ({ step: { takes = [] } }: JobPart) => releases.filter(({ step }) => shares(step.frees, takes))
  const add = (...added: JobPart[]) => {
    ordered.push(...added)
    releases = releases.filter((release) => !added.includes(release))
    claims = claims.filter((claim) => !added.includes(claim))
  }
  const easiest = () =>
    claims
      .map((claim) => {
        const all = needed(claim)
        return {
          claim,
          all,
          others: all.filter(({ step }) => !shares(step.frees?.filter(isProtection), claim.step.takes)),
        }
      })
      .toSorted((one, other) => one.others.length - other.others.length || one.all.length - other.all.length)[0]
  for (let next = easiest(); next; next = easiest()) {
    if (next.others.length > 0) add(...next.others)
    else add(...next.all, next.claim)
  }
  return ordered
}

const shares = (keys: readonly string[] = [], others: readonly string[] = []) =>
  keys.some((key) => others.includes(key))
