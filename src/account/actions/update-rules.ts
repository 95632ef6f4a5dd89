/** Replaces the rules of a firewall as one change, for commands, plans and undo. */
import { type FirewallRules, firewallRules } from '../../catalogue/firewall-rules'
import { completeRules } from '../../firewall/check-rules'
import { diffRules } from '../../firewall/diff'
import { opensAll } from '../../firewall/effects'
import { stillAllowedWarnings } from '../../firewall/still-allowed'
import { tidyRules } from '../../firewall/tidy'
import { once } from '../../rules/once'
import type { Account } from '../account'
import type { ChangeRequest, CustomAction } from '../action-runner'
import { type Change, type ChangeResult, performChange, type ResultListener } from '../change'
import type { LockoutAssessment, LockoutInput } from '../lockout/assess'
import { hasProtectedTag, refuseIfProtected } from '../protection'
import { type FoundObject, nameOf } from '../resource'
import { findFirewall, firewallResource } from '../resources/firewall'
import { expectHash, type Replaced, type RulesReplacement, readRules, replaceRules } from './rules'

/** Writes rules; announces each write before it, if they must be confirmed. */
export type WriteRules = <T extends { written: boolean }>(
  work: (writing?: RulesReplacement['writing']) => Promise<T>,
) => Promise<T>

/** Returns the change that replaces rules. */
export function replacingRules(
  replacement: RulesReplacement,
  account: Account,
  write: WriteRules = (work) => work(),
): Change {
  const { firewall, after } = replacement
  let replaced: Replaced | undefined
  return {
    operation: firewallRules.update,
    path: { firewallId: firewall.id },
    body: { ...after },
    async send() {
      replaced = await write((writing) => replaceRules({ ...replacement, writing }, account))
      return replaced.rules
    },
    nameOf: () => nameOf(firewallResource, firewall),
    outcome: () => (replaced?.written ? { kind: 'done', hasBackup: replaced.hasBackup } : { kind: 'already' }),
  }
}

/** Replaces rules; keys that the body lacks stay unchanged. Rules that are current already need no `ifMatch`. */
export const updateRules: CustomAction = {
  operation: firewallRules.update,
  resource: firewallResource,
  undo: { by: 'rules' },
  perform: performUpdate,
}

async function performUpdate(
  { target: [input = ''] = [], body = {}, options = {} }: ChangeRequest,
  account: Account,
  onResult?: ResultListener | undefined,
): Promise<ChangeResult> {
  const firewall = await findFirewall(input, account, { record: true })
  const before = await readRules(firewall, account)
  const after = completeRules(tidyRules(body), before, { validate: options.validate !== false })
  const isDone = diffRules(before, after).length === 0
  if (options.ifMatch !== undefined && !isDone) await expectHash(options.ifMatch, { firewall, rules: before }, account)
  const { adviseOn } = await import('../../firewall/advice')
  for (const { text } of adviseOn(after, before)) await account.reporter.warn(text)
  const { refusal } = await (await rulesAssessor(firewall, { account, options }))(before, after)
  if (refusal) throw refusal
  if (!options.hasPlan) for (const text of stillAllowedWarnings(before, after)) await account.reporter.warn(text)
  const change = replacingRules({ firewall, before, after }, account)
  return performChange(isDone ? { ...change, noop: true, send: async () => ({ ...before }) } : change, account, {
    onResult,
  })
}

/**
 * Returns a function that assesses the traffic blocked by other rules; a disabled firewall blocks none. It throws
 * `protected` for rules that would end all filtering by a protected firewall.
 */
export async function rulesAssessor(firewall: FoundObject, input: LockoutInput) {
  const { assessLockout, servicesOf } = await import('../lockout/assess')
  const isDisabled = firewall.record?.status === 'disabled'
  const services = once(async () => (isDisabled ? [] : servicesOf(firewall.id, input.account)))
  const where = `the services of ${nameOf(firewallResource, firewall)}`
  return async (before: FirewallRules, after: FirewallRules): Promise<LockoutAssessment> => {
    if (!input.options.force) expectFiltering(firewall, before, after)
    return assessLockout({ before, after, services, where }, input)
  }
}

function expectFiltering({ record }: FoundObject, before: FirewallRules, after: FirewallRules): void {
  if (record && hasProtectedTag(record.tags) && opensAll(before, after))
    refuseIfProtected({ resource: firewallResource, record }, 'its rules cannot allow all traffic')
}
