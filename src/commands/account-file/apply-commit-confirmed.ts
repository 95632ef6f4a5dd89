/** Restores replaced firewall rules unless the user confirms them. */

import type { Plan, PlannedObject } from '../../account-file/plan'
import type { FirewallRules } from '../../catalogue/firewall-rules'
import type { Flags } from '../../engine/command'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import { nameList } from '../../rules/texts'
import type { Confirmation } from '../firewalls/rules/commit-confirmed'
import { commitConfirmedFlags } from '../firewalls/safety-flags'
import type { Undoing } from '../firewalls/watch/watch'
import { titleOf } from './plan-screen'

/**
 * Returns the refusal of a plan that changes services or status of firewalls: these could not be restored, and the rules from
 * before may block the traffic of a service that was assigned since.
 */
export function restoreRefusal({ objects }: Plan, flags: Flags): Problem | undefined {
  const changing = objects.filter((object) => object.steps.some((step) => changesProtection(step, object)))
  if (changing.length === 0) return undefined
  const what = `changes services or status: ${nameList(changing.map(titleOf))}`
  return new Problem('usage', `${flagNames(flags)}: only rules can be restored, and the plan also ${what}`, {
    hint: `Put the rules into one apply with ${flagNames(flags)}, and services and status into another one without`,
  })
}

/** Reports whether a step changes which services a firewall protects. A new one protects nothing without services. */
function changesProtection({ does, body }: PlannedObject['steps'][number], { action }: PlannedObject): boolean {
  if (does === 'firewalls enable' || does === 'firewalls disable') return action !== 'create'
  return does.startsWith('firewalls devices ') || (does === 'firewalls create' && body?.devices !== undefined)
}

/** Says that the flags are not used if the plan replaces no rules. */
export async function reportUnused({ objects }: Plan, flags: Flags, { ui }: Session): Promise<void> {
  if (objects.some(({ steps }) => steps.some(({ action }) => action === 'rules'))) return
  await ui.status(`${flagNames(flags)}: not used, because the plan replaces no rules of an existing firewall`)
}

const flagNames = (flags: Flags) =>
  commitConfirmedFlags.flatMap(({ name }) => (flags[name] === undefined ? [] : [`--${name}`])).join(' and ')

/** Wraps work on rules. `work` must call `begin` before it writes rules; the time begins with the first call. */
export type CommitConfirmedPlan = (work: (begin: () => Promise<void>) => Promise<void>) => Promise<void>

/**
 * Returns a wrapper for the work on rules, which restores them if they are not confirmed. Undefined if no rules are
 * replaced, or no confirmation is requested.
 */
export async function confirmPlanRules(
  plan: Plan,
  { confirmation, session }: { confirmation: Confirmation | undefined; session: Session },
): Promise<CommitConfirmedPlan | undefined> {
  const undoings = confirmation ? await rulesOf(plan, session) : []
  if (!confirmation || undoings.length === 0) return undefined
  const { commitAllConfirmed } = await import('../firewalls/rules/commit-confirmed')
  return (work) => commitAllConfirmed(undoings, { confirmation, session }, work)
}

/**
 * Returns how to undo the rule changes. The steps have the hash of the current rules, so they cannot replace others.
 */
async function rulesOf({ objects }: Plan, session: Session): Promise<Undoing[]> {
  const { readRules } = await import('../../account/actions/rules')
  const replaced = objects.flatMap((object) => {
    const step = object.steps.find(({ action }) => action === 'rules')
    return step ? [{ name: titleOf(object), firewallId: Number(step.target[0]), written: step.body }] : []
  })
  return Promise.all(
    replaced.map(async ({ name, firewallId, written }) => ({
      kind: 'restore' as const,
      name,
      firewallId,
      before: await readRules({ id: firewallId }, session.account),
      written: written as FirewallRules,
    })),
  )
}
