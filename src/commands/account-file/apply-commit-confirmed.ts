/** Restores replaced firewall rules unless the user confirms them. */

import type { Plan } from '../../account-file/plan'
import type { FirewallRules } from '../../catalogue/firewall-rules'
import type { Session } from '../../engine/session'
import type { Confirmation } from '../firewalls/rules/commit-confirmed'
import type { Undoing } from '../firewalls/watch/watch'
import { titleOf } from './plan-screen'

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
