/** Plans the object of one entry, whole or as far as it can be reached. */
import { isRecord } from '../rules/records'
import { type Kind, type PlanInput, type PlanRefusal, type StepOutcome, unknownIn } from './kind'

/** Plans an object that has a name in the files; `records` are the objects of the account with that name. */
export function planNamed(
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
  return { record, steps: [], refusals: [{ field: null, reason: twice(kind, records) }] }
}

/**
 * Reports whether a refusal may be about the account, such as an instance that is gone, and not a wrong file only. An
 * entry may lack what only the creation of its object needs: the object was there, so its absence is a difference.
 */
export const isDifference = ({ code }: PlanRefusal, record: unknown) => code !== 'usage' || record === undefined

/** Plans an object without the fields that are refused, and returns the refusals, too. */
export function planReachable(...[kind, one, records]: Parameters<typeof planNamed>): ReturnType<typeof planNamed> {
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

function twice({ noun, idOf }: Kind, records: readonly unknown[]): string {
  return `${records.length} ${noun}s of the account have this label: ${records.map((record) => idOf(record)).join(', ')}`
}
