/** Refuses the steps of a plan that harm protected objects (state.md, For teams). Pure. */
import type { ActionName } from '../account/actions'
import { endsProtection, hasProtectedTag, protectedTag } from '../account/protection'
import { isMissing } from '../catalogue/normalize'
import { isRecord } from '../rules/records'
import type { Kind, PlanRefusal } from './kind'
import { listOf } from './kinds/firewall/compare-services'
import type { PlanStep } from './plan-step'

/** Harm of a step, as the end of "the plan would", and the field of a file that asks for it. */
interface Harm {
  text: string
  field: string | null
}

const harms: Partial<Record<ActionName, (step: PlanStep, record: unknown) => Harm | undefined>> = {
  'volumes detach': () => ({ text: 'detach it', field: 'compute_id' }),
  'volumes delete': () => ({ text: 'delete it', field: null }),
  'firewalls delete': () => ({ text: 'delete it', field: null }),
  // A new firewall to disable gets its services later: the next run of an interrupted apply has to continue.
  'firewalls disable': (_step, record) => (hasServices(record) ? { text: 'disable it', field: 'status' } : undefined),
  'firewalls devices delete': ({ replaced }) => unassigned(replaced?.entity),
  'firewalls rules update': ({ opensAll }) => (opensAll ? { text: 'allow all traffic', field: 'rules' } : undefined),
  'profile sshkeys delete': () => ({ text: 'replace it', field: 'ssh_key' }),
}

const hasServices = (record: unknown) =>
  !isRecord(record) || !Array.isArray(record.devices) || record.devices.length > 0

function unassigned(entity: unknown): Harm {
  const { type, id } = isRecord(entity) ? entity : {}
  const list = listOf(String(type))
  return { text: `remove ${type} ${id} from it`, field: list === undefined ? 'devices' : `devices.${list}` }
}

/** Reports whether steps may harm an object, so that they rely on its state right before them. */
export const mayHarm = (steps: readonly PlanStep[]): boolean => steps.some(({ does }) => harms[does] !== undefined)

const harmIn = (steps: readonly PlanStep[], record: unknown): Harm[] =>
  steps.flatMap((step) => harms[step.does]?.(step, record) ?? [])

/** The desired and the current state of an object, and the steps between them. */
interface Change {
  kind: Kind
  /** Undefined if no file has the object. */
  desired: unknown
  record: unknown
  steps: readonly PlanStep[]
  /** Next step that comes before all others. */
  advice?: string | undefined
}

export function protectionRefusals({ kind, desired, record, steps, advice }: Change): PlanRefusal[] {
  const harm = record === undefined ? [] : harmIn(steps, record)
  if (harm.length === 0) return []
  const { protect, tags } = fieldsIn(desired)
  const tagged = kind.tagged?.(record)
  const isStated = protect === true || hasProtectedTag(tags)
  if (!isStated && tagged && isMissing(tagged, 'tags')) return harm.map(unknown)
  if (!isStated && !hasProtectedTag(tagged?.tags)) return []
  return harm.map(({ text, field }) => ({
    field,
    reason: `${stateOf(protect)}, and the plan would ${text}. ${advice === undefined ? '' : `${advice}. `}${wayOut(kind, desired)}`,
    code: 'protected',
  }))
}

/** Puts the step that ends the protection of an object before the steps that harm it. */
export function unprotectingFirst(steps: readonly PlanStep[]): readonly PlanStep[] {
  const isEnding = ({ body = {}, replaced }: PlanStep) => endsProtection(replaced, body)
  return [...steps.filter(isEnding), ...steps.filter((step) => !isEnding(step))]
}

/** Returns the refusal of an entry whose tags protect the object while `protect` is false. */
export function contradictionIn(desired: unknown): PlanRefusal[] {
  const { protect, tags } = fieldsIn(desired)
  const reason = `The tag "${protectedTag}" in tags says the opposite`
  return protect === false && hasProtectedTag(tags) ? [{ field: 'protect', reason, code: 'usage' }] : []
}

const fieldsIn = (desired: unknown): Record<string, unknown> => (isRecord(desired) ? desired : {})

const unknown = ({ text, field }: Harm): PlanRefusal => ({
  field,
  reason: `The answer lacks the tags, so skyctl cannot tell whether it is protected, and the plan would ${text}`,
  code: 'defect',
})

function stateOf(protect: unknown): string {
  if (protect === false) return 'It is still protected'
  return protect === true ? 'It is protected' : `It has the tag "${protectedTag}"`
}

function wayOut({ tagged }: Kind, desired: unknown): string {
  const force = 'To go on anyway, add --force'
  if (!tagged) return `Set "protect: false". ${force}`
  return desired === undefined
    ? `Remove that tag first. ${force}`
    : `Apply "protect: false" first, in a plan of its own. ${force}`
}
