/** Makes a prepared undo. */
import { runStep } from '../../account/actions'
import { readItem } from '../../account/resource'
import { firewallResource } from '../../account/resources/firewall'
import { duplicatesAllowed } from '../../engine/command-context'
import { opensAll } from '../../firewall/effects'
import { lockoutOptions } from '../firewalls/keep-open-options'
import { telling } from '../sentences'
import type { Prepared, UndoInput } from './prepare-undo'

/** Makes the undo. Its action refuses one that blocks traffic that must stay open: other undos may have been made before. */
export async function runPrepared({ step }: Prepared, input: UndoInput): Promise<Record<string, unknown>> {
  const { flags, session } = input
  const options = {
    ...step.options,
    ...(await lockoutOptions(flags, session)),
    allowDuplicate: duplicatesAllowed(flags, session),
  }
  const { answer } = await runStep({ ...step, options }, session.account, {
    looks: true,
    force: flags.force === true,
    onResult: telling(step.does, session),
  })
  return answer
}

/**
 * Throws `protected` if an undo would harm a firewall that is protected now; others of them may end its protection
 * before.
 */
export async function expectNoneProtected(prepared: readonly Prepared[], { flags, session }: UndoInput): Promise<void> {
  if (flags.force) return
  const { refuseIfProtected } = await import('../../account/protection')
  for (const { change, step, rules } of prepared) {
    const harm = harmOf(step, rules)
    const { firewallId } = change.holes
    if (harm === undefined || firewallId === undefined) continue
    const record = await readItem(firewallId, firewallResource, session.account)
    refuseIfProtected({ resource: firewallResource, record }, harm)
  }
}

function harmOf({ does, body = {} }: Prepared['step'], rules: Prepared['rules']): string | undefined {
  if (does === 'firewalls devices delete') return 'no service can be removed from it'
  if (does === 'firewalls update' && body.status === 'disabled') return 'it cannot be disabled'
  return rules && opensAll(rules.now, rules.before) ? 'its rules cannot allow all traffic' : undefined
}
