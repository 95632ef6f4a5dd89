/** The rules of firewalls that a plan replaces: they stay only when they are confirmed. */
import type { FirewallRules } from '../catalogue/firewall-rules'
import type { Session } from '../session'
import type { Plan } from '../state/plan'
import { titleOf } from './account-plan'
import type { Confirmation } from './firewalls/rules/keeping-flags'
import { readRules } from './firewalls/rules/standing'
import type { Undoing } from './firewalls/watch/watch'

/** `work` is to call `begin` before it writes rules: the time begins with the first of them. */
export type Keep = (work: (begin: () => Promise<void>) => Promise<void>) => Promise<void>

/**
 * Wraps the work that writes rules: they are restored where they are not confirmed. Undefined where no rules are
 * replaced, or nobody wants them confirmed.
 */
export async function keepingRules(
  plan: Plan,
  { confirmation, session }: { confirmation: Confirmation | undefined; session: Session },
): Promise<Keep | undefined> {
  const undoings = confirmation ? await rulesOf(plan, session) : []
  if (!confirmation || undoings.length === 0) return undefined
  const { keepAll } = await import('./firewalls/rules/keeping')
  return (work) => keepAll(undoings, { confirmation, session }, work)
}

/** What stands by now is what the step replaces, or it is refused: it has the hash of that. */
function rulesOf({ objects }: Plan, session: Session): Promise<Undoing[]> {
  const replaced = objects.flatMap((object) => {
    const step = object.steps.find(({ action }) => action === 'rules')
    return step ? [{ name: titleOf(object), firewallId: Number(step.arguments[0]), written: step.body }] : []
  })
  return Promise.all(
    replaced.map(async ({ name, firewallId, written }) => ({
      kind: 'put back' as const,
      name,
      firewallId,
      before: await readRules({ id: firewallId }, session),
      written: written as FirewallRules,
    })),
  )
}
