/** Formats plans as data, for scripts and saved plans. */
import type { AccountIdentity } from '../account/account'
import type { Plan } from '../state/plan'
import type { PlanStep } from '../state/plan-step'

/** Version of the --json document; increased with every incompatible change. */
export const formatVersion = 1

const recordOfStep = ({ action, does, arguments: words, body, changes, rules, consequences }: PlanStep) => ({
  action,
  changes,
  ...(rules && { rules }),
  consequences: consequences ?? [],
  command: ['skyctl', ...does.split(' '), ...words],
  ...(body && { body }),
})

/** Formats the account of a plan for scripts; unknown values are null. */
export const accountRecord = ({ service, user }: AccountIdentity): Record<string, unknown> => ({
  service,
  uid: user?.uid ?? null,
  username: user?.username ?? null,
})

/** Formats a plan for scripts. */
export function documentOf(
  { objects, same, unselected = 0, notes, left, unmet = [] }: Plan,
  identity: AccountIdentity,
): Record<string, unknown> {
  return {
    format_version: formatVersion,
    account: accountRecord(identity),
    objects: objects.map((object) => ({
      kind: object.kind,
      name: object.name,
      id: object.id ?? null,
      action: object.action,
      steps: object.steps.map(recordOfStep),
    })),
    same,
    unselected,
    notes,
    left,
    expectations: unmet.map(({ kind, name, id, isChecked, differences, fix }) => {
      return { kind, name, id: id ?? null, checked: isChecked, differences, fix: fix ?? null }
    }),
  }
}
