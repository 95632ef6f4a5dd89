/** Plans the object of one entry, whole or as far as it can be reached, and names the faults that refuse it. */
import { once } from '../rules/once'
import { isRecord } from '../rules/records'
import { capitalized, shellWord } from '../rules/texts'
import { formerLabel } from './check-former-labels'
import type { DesiredObject } from './desired-object'
import { entryAfter, knownEntry } from './entry-before-after'
import type { Kind, PlanInput, PlanRefusal, StepOutcome } from './kind'
import { unknownIn } from './kind-functions'
import type { Fault } from './places'
import type { PlannedObject } from './plan'
import type { PlanStep } from './plan-step'
import { contradictionIn, protectionRefusals, unprotectingFirst } from './protection'
import type { RenameHint } from './rename-hints'
import { type UnmetExpectation, unmetTests } from './unmet-expectations'

interface Planning extends Omit<PlanInput<unknown, unknown>, 'name' | 'desired' | 'record'> {
  /** Objects of the account, by name. */
  records: ReadonlyMap<string, readonly unknown[]>
  /** Plans changes that harm protected objects, too. */
  force: boolean
  /** Keeps refusals with the object, for reports of differences. */
  reports: boolean
  /** True if the plan may end the protection of the object, before its other changes. */
  mayUnprotect: boolean
  /** Step that gives the object its new label. */
  renaming: PlanStep | undefined
  /** Object that the entry is probably meant to rename. */
  hint: RenameHint | undefined
}

export function planObject(
  kind: Kind,
  { name, value, at }: DesiredObject,
  { records, renaming, hint, force, reports, mayUnprotect, ...around }: Planning,
): { object: PlannedObject; refused: Fault[]; notes: readonly string[]; unmet: readonly UnmetExpectation[] } {
  const all = records.get(name) ?? []
  const planOne = reports ? planReachable : planNamed
  const one = { name, desired: value, ...around }
  const { record, refusals, notes = [], ...planned } = planOne(kind, one, all)
  const steps = mayUnprotect ? unprotectingFirst(planned.steps) : planned.steps
  const before = () => (record === undefined ? null : knownEntry(kind, record))
  const isChanged = refusals.length === 0 && steps.length > 0
  const tests = reports ? refusals.filter(({ isTest }) => isTest) : []
  const reported = reports ? refusals.filter((one) => !one.isTest && isDifference(one, record)) : []
  const thrown = refusals.filter((one) => !reported.includes(one) && !tests.includes(one))
  const object = {
    kind: kind.key,
    noun: kind.noun,
    name,
    id: record === undefined ? undefined : kind.idOf(record),
    before,
    after: isChanged ? once(() => entryAfter(kind, { ...one, record })) : before,
    record,
    was: renaming && formerLabel({ value }),
    at,
    steps: renaming ? [renaming, ...steps] : steps,
    action: record === undefined ? ('create' as const) : ('update' as const),
    ...(reported.length > 0 && { refusals: reported }),
  }
  const brakes = force || mayUnprotect ? [] : protectionRefusals({ kind, desired: value, record, steps })
  const refused = [...thrown, ...contradictionIn(value), ...brakes].map(
    ({ field, reason, code = 'refused' }, index) => {
      const whole = hint && index === 0 ? `${reason}. ${capitalized(hint.text)}` : reason
      return { at: at.of(field), reason: whole, code }
    },
  )
  return { object, refused, notes, unmet: unmetTests(tests, { name, value, at }, { kind, record, ...around }) }
}

/** Plans an object that has a name in the files; `records` are the objects of the account with that name. */
function planNamed(
  kind: Kind,
  one: Omit<PlanInput<unknown, unknown>, 'record'>,
  records: readonly unknown[],
): StepOutcome & { record?: unknown } {
  const [record] = records
  if (records.length < 2) {
    const unknown = unknownIn(kind, record).filter((field) => isSet(field, one))
    if (unknown.length > 0) return { record, steps: [], refusals: unknown.map(lackingIn(one.desired)) }
    return { record, ...kind.plan({ ...one, record }) }
  }
  const several = kind.planSeveral?.(one, records)
  if (several) return { ...several, refusals: [] }
  return { record, steps: [], refusals: [{ field: null, reason: twice(kind, one, records) }] }
}

/**
 * Reports whether a refusal may be about the account, such as an instance that is gone, and not a wrong file only. An
 * entry may lack what only the creation of its object needs: the object was there, so its absence is a difference.
 */
const isDifference = ({ code }: PlanRefusal, record: unknown) => code !== 'usage' || record === undefined

/** Plans an object without the fields that are refused, and returns the refusals, too. */
function planReachable(...[kind, one, records]: Parameters<typeof planNamed>): ReturnType<typeof planNamed> {
  const outcome = planNamed(kind, one, records)
  const refused = outcome.refusals.map(({ field }) => field?.split('.')[0])
  const fields = isRecord(one.desired) ? Object.entries(one.desired) : []
  const rest = fields.filter(([field]) => !refused.includes(field))
  if (rest.length === fields.length) return outcome
  const { refusals, ...others } = planReachable(kind, { ...one, desired: Object.fromEntries(rest) }, records)
  return { ...others, refusals: [...outcome.refusals, ...refusals] }
}

/** Reports whether an entry sets a field; `protect` and an adoption set the tags. */
const isSet = (field: string, { desired, settings }: Pick<PlanInput<unknown, unknown>, 'desired' | 'settings'>) =>
  !isRecord(desired) ||
  desired[field] !== undefined ||
  (field === 'tags' && (desired.protect !== undefined || settings.adopts === true))

/** Returns the refusal to plan a field that the answer lacked. */
const lackingIn = (desired: unknown) => (field: string) => ({
  field: isRecord(desired) ? field : null,
  reason: `The answer lacks the ${field}, so skyctl cannot compare it`,
  code: 'defect' as const,
})

/** Names all objects with the label, and a command that gives one of them another: one that differs from the entry. */
function twice(kind: Kind, one: Omit<PlanInput<unknown, unknown>, 'record'>, records: readonly unknown[]): string {
  const { noun, idOf, rename } = kind
  const text = `${records.length} ${noun}s of the account have this label: ${records.map(idOf).join(', ')}`
  if (!rename) return text
  const other = records.find((record) => kind.plan({ ...one, record }).steps.length > 0) ?? records.at(-1)
  const command = `skyctl ${rename.does} ${idOf(other)} --label ${shellWord(`${one.name}-2`)}`
  return `${text}. Rename ${records.length > 2 ? 'all but one' : 'one'}: ${command}`
}
