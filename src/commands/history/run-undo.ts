/** Makes a prepared undo. */
import { runStep } from '../../account/actions'
import { readItem } from '../../account/resource'
import { firewallResource } from '../../account/resources/firewall'
import { duplicatesAllowed } from '../../engine/command-context'
import { lockoutOptions } from '../firewalls/keep-open-options'
import { telling } from '../sentences'
import type { Prepared, UndoInput } from './prepare-undo'

/** Makes the undo. Its action refuses one that blocks traffic that must stay open. */
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

/** Throws `protected` if the undo would harm a firewall that is protected now. */
export async function expectUnprotected({ change, step }: Prepared, { flags, session }: UndoInput): Promise<void> {
  const harm = harmOf(step)
  const { firewallId } = change.holes
  if (flags.force || harm === undefined || firewallId === undefined) return
  const { refuseIfProtected } = await import('../../account/protection')
  const record = await readItem(firewallId, firewallResource, session.account)
  refuseIfProtected({ resource: firewallResource, record }, harm)
}

function harmOf({ does, body = {} }: Prepared['step']): string | undefined {
  if (does === 'firewalls devices delete') return 'no service can be removed from it'
  return does === 'firewalls update' && body.status === 'disabled' ? 'it cannot be disabled' : undefined
}
