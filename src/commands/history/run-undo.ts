/** Makes a prepared undo, after a last check of what it blocks. */
import { runStep } from '../../account/actions'
import { readItem } from '../../account/resource'
import { firewallResource } from '../../account/resources/firewall'
import type { FirewallRules } from '../../catalogue/firewall-rules'
import { opensAll } from '../../firewall/effects'
import { stillAllowedWarnings } from '../../firewall/still-allowed'
import { telling } from '../sentences'
import { type Prepared, reachability, type UndoInput } from './prepare-undo'
import type { ChangeRecord } from './records'

/** Makes the undo, after a last check of what it blocks. */
export async function runPrepared(prepared: Prepared, input: UndoInput): Promise<Record<string, unknown>> {
  await guardUndo(prepared, input)
  const { step } = prepared
  const { flags, session } = input
  const onResult = telling(step.does, session)
  const { answer } = await runStep(step, session.account, {
    looks: true,
    force: flags.force === true,
    onResult,
  })
  return answer
}

/**
 * Throws `locked_out` if the undo blocks traffic that must stay open; other undos may have been made before it. What
 * ends a protection blocks nothing.
 */
async function guardUndo({ change, step, rules }: Prepared, input: UndoInput): Promise<void> {
  if (rules) return guardRules(change, rules, input)
  const { body = {}, does } = step
  const { firewallId = '' } = change.holes
  const { guardAssigning, guardStatus } = await import('../firewalls/enforcement-check')
  const context = { ...input, isSilent: true, dry: false }
  if (does === 'firewalls update' && body.status === 'enabled') {
    const record = () => readItem(firewallId, firewallResource, input.session.account)
    await guardStatus('enabled', { ...context, record, reread: record })
  }
  if (does === 'firewalls devices add') {
    const service = { type: String(body.type), id: Number(body.id), reference: undefined }
    await guardAssigning({ id: Number(firewallId), input: String(firewallId) }, [service], context)
  }
}

async function guardRules(
  change: ChangeRecord,
  { now, before }: Record<'now' | 'before', FirewallRules>,
  input: UndoInput,
): Promise<void> {
  const { refusal } = await reachability(change, { now, before }, input)
  if (refusal) throw refusal
  for (const text of stillAllowedWarnings(now, before)) await input.session.ui.warn(text)
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
