/** Plans a saved plan again, and compares it with the account: each object must be as it was found, or as it was planned. */
import { version } from '../../../package.json'
import { expectOwnAccount } from '../../account/expect-own-account'
import type { DesiredState } from '../../account-file/desired-state'
import { knownEntry } from '../../account-file/entry-before-after'
import type { AccountState } from '../../account-file/kind'
import { kinds } from '../../account-file/kinds'
import type { Plan } from '../../account-file/plan'
import type { PlannedState } from '../../account-file/reuse-plan-records'
import type { Flags } from '../../engine/command'
import type { Session } from '../../engine/session'
import { type ErrorCode, Problem } from '../../errors'
import { isRecord } from '../../rules/records'
import { createPlan } from './account-plan'
import { titleOf } from './plan-screen'
import { digestOf, foundIn, keyOf, type SavedPlan } from './saved-plan'

/**
 * Plans a saved plan again. Throws `usage` for flags that it decides about already, `conflict` in another account, and
 * `changed` if the account has changed since.
 */
export async function planAgain(
  saved: SavedPlan,
  name: string,
  { force, flags }: { force: boolean; flags: Flags },
  session: Session,
): Promise<{ plan: Plan; desired: DesiredState } & PlannedState> {
  if (flags.prune) throw new Problem('usage', '--prune: a saved plan already decides whether it prunes')
  if (flags.adopt) throw new Problem('usage', '--adopt: a saved plan already decides whether it adopts')
  if (flags.only) throw new Problem('usage', '--only: a saved plan already decides what it changes')
  const hint = 'Sign in to that account, or plan again for this one: skyctl plan FILE --out plan.json'
  await expectOwnAccount({ text: `${name} is a plan for`, owner: saved.account, hint }, session.account)
  const options = { prune: saved.prune, only: saved.only, outdated: outdatedBy(saved), force, flags }
  const { plan, desired, world, readAt } = await createPlan(saved.desired, options, session)
  expectUnchanged(saved, plan, world)
  return { plan, desired, world, readAt }
}

/** Throws `changed` with the names of objects that are neither as they were found nor as they were planned. */
function expectUnchanged({ skyctl, objects, planned }: SavedPlan, plan: Plan, world: AccountState): void {
  const now = new Map(foundIn(plan).map((object) => [keyOf(object), object]))
  const then = new Map(objects.filter(isRecord).map((object) => [keyOf(object), object]))
  const done = new Set(
    planned
      .filter(isRecord)
      .filter((object) => isDone(object, plan, world))
      .map(keyOf),
  )
  const isSame = (key: string) => JSON.stringify(then.get(key)) === JSON.stringify(now.get(key))
  const changed = [...new Set([...then.keys(), ...now.keys()])].filter(
    (key) => !isSame(key) && (now.has(key) || !done.has(key)),
  )
  if (changed.length === 0) return
  throw outdated(
    skyctl,
    changed.map((key) => then.get(key) ?? now.get(key) ?? {}),
    world,
  )
}

/**
 * Returns a function that turns the refusal of a saved plan into its cause: its objects that were deleted or changed
 * since. If all are as they were, the refusal itself names the cause, such as an instance that is gone.
 */
const outdatedBy =
  ({ skyctl, planned, unchanged }: SavedPlan) =>
  (refusal: Problem, world: AccountState): Problem => {
    if (!refusals.includes(refusal.code)) return refusal
    const differing = [...planned, ...unchanged].filter(isRecord).filter((object) => differs(object, world))
    return differing.length > 0 ? outdated(skyctl, differing, world) : refusal
  }

const refusals: readonly ErrorCode[] = ['usage', 'not_found', 'conflict', 'refused', 'protected']

/** Reports whether an object of a saved plan has neither its values before the plan nor those after it. */
function differs({ kind: key, id, action, before, after }: Record<string, unknown>, world: AccountState): boolean {
  const kind = kinds.find((one) => one.key === key)
  if (!kind || id === null || !world.has(kind.key)) return false
  const record = world.get(kind.key)?.find((one) => kind.idOf(one) === id)
  if (record === undefined) return action !== 'delete'
  const entry = digestOf({ entry: knownEntry(kind, record) })
  return ![before, after].some((value) => digestOf({ entry: value }) === entry)
}

function outdated(skyctl: unknown, objects: readonly Record<string, unknown>[], world: AccountState): Problem {
  // The texts of steps depend on the version.
  const what =
    skyctl === version
      ? 'the account has changed since the plan was made'
      : 'the steps differ from the saved plan: another version of skyctl saved it, or the account has changed'
  const names = objects.map(({ kind, name, id }) => {
    const { noun = String(kind) } = kinds.find(({ key }) => key === kind) ?? {}
    return titleOf({ noun, name: String(name), id: isId(id) ? id : undefined })
  })
  const errors = objects.flatMap((object) => differencesOf(object, world))
  return new Problem('changed', `${what}: ${names.join(', ')}`, {
    hint: 'Plan again, and review the difference',
    ...(errors.length > 0 && { errors }),
  })
}

/** Returns the differences between an object of a saved plan, as it was found, and as it is now; for scripts. */
function differencesOf(
  { kind: key, name, id, before, after }: Record<string, unknown>,
  world: AccountState,
): { field: string; reason: string }[] {
  const kind = kinds.find((one) => one.key === key)
  const records = kind && world.get(kind.key)
  if (!kind || !records) return []
  const field = `${kind.key}.${name}`
  const record = records.find((one) => (id === null ? kind.nameOf(one) === name : kind.idOf(one) === id))
  // What needed no change is in the plan as it should stay.
  const then = before ?? (id === null ? null : after)
  if (record === undefined) return then === null ? [] : [{ field, reason: 'Does not exist any more' }]
  if (!isRecord(then)) return [{ field, reason: `Exists now: ${kind.idOf(record)}` }]
  const now = JSON.parse(JSON.stringify(knownEntry(kind, record)))
  return [...new Set([...Object.keys(then), ...Object.keys(now)])]
    .filter((one) => digestOf({ value: then[one] }) !== digestOf({ value: now[one] }))
    .map((one) => ({ field: `${field}.${one}`, reason: differenceText(then[one], now[one]) }))
}

function differenceText(then: unknown, now: unknown): string {
  const [was, is] = [then, now].map((value) => JSON.stringify(value ?? null))
  const isShort = [was, is].every((text) => text !== undefined && text.length <= 60)
  return isShort ? `Was ${was}, is ${is} now` : 'Differs now'
}

/** Reports whether an object needs no steps any more, since an earlier run has made it as planned. */
function isDone(
  { kind, name, id, action, after, steps }: Record<string, unknown>,
  { unchanged }: Plan,
  world: AccountState,
): boolean {
  if (action === 'delete') return isGone(String(kind), id, world)
  const object = unchanged.find((one) => one.kind === kind && one.name === name)
  const isNew = [steps].flat().some((step) => isRecord(step) && step.action === 'create')
  if (!object || !(isNew || (object.id ?? null) === id)) return false
  return digestOf({ after }) === digestOf({ after: object.after() ?? null })
}

/** Reports whether the account was read and has no object with this id. */
function isGone(key: string, id: unknown, world: AccountState): boolean {
  const kind = kinds.find((one) => one.key === key)
  return world.get(key)?.every((record) => kind?.idOf(record) !== id) === true
}

const isId = (id: unknown) => typeof id === 'number' || typeof id === 'string'
