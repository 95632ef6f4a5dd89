/** Edits the rules of a firewall as one change, for commands, plans and undo. */
import { type FirewallRules, firewallRules } from '../../catalogue/firewall-rules'
import { diffRules, type RulesChange } from '../../firewall/diff'
import { opensAll } from '../../firewall/effects'
import { tidyRules } from '../../firewall/normalize-rules'
import { once } from '../../rules/once'
import type { Account } from '../account'
import type { ChangeRequest } from '../action-runner'
import type { Change, ChangeResult, ResultListener } from '../change'
import type { LockoutAssessment, LockoutInput } from '../lockout/assess'
import { perform } from '../perform'
import { hasProtectedTag, refuseIfProtected } from '../protection'
import { type FoundObject, nameOf } from '../resource'
import { findFirewall, firewallResource } from '../resources/firewall'
import { expectHash, nextRules, type PlannedEdit, type RulesWrite, readRules, writeEdit } from './rules'

/** Writes rules; announces each write before it, if they must be confirmed. */
export type WriteRules = <T extends { written: boolean }>(
  work: (writing?: PlannedEdit['writing']) => Promise<T>,
) => Promise<T>

/** Returns the change that edits rules to the next ones. */
export function changeOfRules(
  planned: PlannedEdit,
  {
    account,
    next,
    write = (work) => work(),
  }: { account: Account; next: FirewallRules; write?: WriteRules | undefined },
): Change {
  const { firewall } = planned
  return {
    operation: firewallRules.update,
    resource: firewallResource,
    object: firewall,
    path: { firewallId: firewall.id },
    body: { ...next },
    async send() {
      const { rules, written, hasBackup } = await write((writing) => writeEdit({ ...planned, writing }, account))
      return { answer: rules, outcome: written ? { kind: 'done', hasBackup } : { kind: 'already' } }
    },
  }
}

/** An edit of the shown rules, and what it changes. */
interface EditPreview extends LockoutAssessment {
  next: FirewallRules
  changes: readonly RulesChange[]
  /** Texts about traffic that stays allowed although a rule that allowed it is taken away. */
  warnings: readonly string[]
  /** Throws if the same edit of other rules must not be made. */
  guard(change: RulesWrite): Promise<void>
}

/** Applies an edit to the shown rules, and finds what that blocks. */
export async function previewEdit(planned: PlannedEdit, input: LockoutInput): Promise<EditPreview> {
  const { firewall, shown } = planned
  const next = await nextRules(planned, shown)
  const changes = diffRules(shown, next)
  const assess = await rulesAssessor(firewall, input)
  return {
    ...(await assess({ now: shown, next })),
    next,
    changes,
    warnings: input.options.hasPlan ? [] : await warningsOf(changes, shown, next),
    async guard(change) {
      const { refusal } = await assess(change)
      if (refusal) throw refusal
    },
  }
}

/** Returns warnings of traffic that stays allowed. Added rules take none away. */
async function warningsOf(changes: readonly RulesChange[], shown: FirewallRules, next: FirewallRules) {
  if (changes.every(({ kind }) => kind === 'added')) return []
  const { stillAllowedWarnings } = await import('../../firewall/still-allowed')
  return stillAllowedWarnings(shown, next)
}

/**
 * Returns a function that assesses the traffic blocked by other rules; a disabled firewall blocks none. It throws
 * `protected` for rules that would end all filtering by a protected firewall.
 */
async function rulesAssessor(firewall: FoundObject, input: LockoutInput) {
  const { assessLockout, servicesOf } = await import('../lockout/assess')
  const isDisabled = firewall.record?.status === 'disabled'
  const services = once(async () => (isDisabled ? [] : servicesOf(firewall.id, input.account)))
  const where = `the services of ${nameOf(firewallResource, firewall)}`
  return async ({ now, next }: RulesWrite): Promise<LockoutAssessment> => {
    if (!input.options.force) expectFiltering(firewall, now, next)
    return assessLockout({ before: now, after: next, services, where }, input)
  }
}

function expectFiltering({ record }: FoundObject, now: FirewallRules, next: FirewallRules): void {
  if (record && hasProtectedTag(record.tags) && opensAll(now, next))
    refuseIfProtected({ resource: firewallResource, record }, 'its rules cannot allow all traffic')
}

/** Replaces rules; keys that the body lacks stay unchanged. Rules that are current already need no `ifMatch`. */
export async function performUpdate(
  { target: [input = ''] = [], body = {}, options = {} }: ChangeRequest,
  account: Account,
  onResult?: ResultListener | undefined,
): Promise<ChangeResult> {
  const firewall = await findFirewall(input, account, { record: true })
  const shown = await readRules(firewall, account)
  const validate = options.validate !== false
  const planned: PlannedEdit = { firewall, shown, edit: { kind: 'replace', input: tidyRules(body) }, validate }
  const { next, changes, warnings, refusal } = await previewEdit(planned, { account, options })
  const isDone = changes.length === 0
  if (options.ifMatch !== undefined && !isDone) await expectHash(options.ifMatch, { firewall, shown }, account)
  const { adviseOn } = await import('../../firewall/advice')
  for (const { text } of adviseOn(next, shown)) await account.reporter.warn(text)
  if (refusal) throw refusal
  for (const text of warnings) await account.reporter.warn(text)
  const change = changeOfRules(planned, { account, next })
  const noop = { answer: shown, outcome: { kind: 'already' } } as const
  return perform(isDone ? { ...change, noop } : change, account, { onResult })
}
