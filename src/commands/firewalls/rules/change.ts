/** Steps of all commands that change rules: read, propose, validate, show the difference, ask, replace. */

import { type CurrentRules, expectHash, readRules } from '../../../account/actions/rules'
import { replacingRules, rulesAssessor } from '../../../account/actions/update-rules'
import type { Change } from '../../../account/change'
import { findTarget, nameOf, parseTarget } from '../../../account/resource'
import { firewallResource } from '../../../account/resources/firewall'
import { type FirewallRules, firewallRules } from '../../../catalogue/firewall-rules'
import { fieldPaths } from '../../../catalogue/operation'
import type { Flag, Flags } from '../../../engine/command'
import { type CommandContext, printedContext } from '../../../engine/command-context'
import { blockingQuestion, showDifference } from '../../../engine/confirm'
import { textFlag } from '../../../engine/flag-values'
import { dryRunFlag, outputFlags, protectionFlag } from '../../../engine/flags'
import { viewOf } from '../../../engine/printing'
import { type Deliver, runOne } from '../../../engine/run-all'
import type { Session } from '../../../engine/session'
import { Problem } from '../../../errors'
import { completeRules } from '../../../firewall/check-rules'
import { diffRules } from '../../../firewall/diff'
import { hashPattern } from '../../../firewall/hash'
import { changeLine } from '../../../firewall/rule-text'
import { stillAllowedWarnings } from '../../../firewall/still-allowed'
import { isDrawn } from '../../../output/output-kind'
import { printOne, type View } from '../../../output/print'
import { sentences } from '../../sentences'
import { lockoutOptions } from '../keep-open-options'
import { lockoutFlags } from '../lockout-flags'
import { type RulesInput, tellAbout } from '../rules-file'
import { commitConfirmedFlags, commitConfirmedOf, confirmationOf } from './commit-confirmed-flags'

/** Input of a command. */
export interface RulesInvocation {
  flags: Flags
  session: Session
}

export const ifMatchFlag: Flag = {
  name: 'if-match',
  value: 'hash',
  description: 'Fail if the rules have changed since this hash',
}

/** Flags of all commands that change rules, and of their undo. */
export const undoFlags: readonly Flag[] = [
  { name: 'validate', negative: 'only', description: 'Skip client-side validation' },
  ...lockoutFlags,
  ...commitConfirmedFlags,
  dryRunFlag,
  ...outputFlags,
]

export const changeFlags: readonly Flag[] = [...undoFlags, { ...protectionFlag, group: 'Rule safety flags' }]

/**
 * Reads the rules. Throws `changed` if their hash is not that of `--if-match`, even if they are already the requested
 * ones.
 */
export async function readCurrentRules(reference: string, { flags, session }: RulesInvocation): Promise<CurrentRules> {
  const target = parseTarget(reference, firewallResource.noun)
  confirmationOf(flags, session)
  const hash = ifMatchOf(flags)
  await lockoutOptions(flags, session)
  const firewall = await findTarget(target, firewallResource, session.account, { record: true })
  const current = { firewall, rules: await readRules(firewall, session.account) }
  if (hash !== undefined) await expectHash(hash, current, session.account)
  return current
}

function ifMatchOf(flags: Flags): string | undefined {
  const hash = textFlag(flags, ifMatchFlag.name)?.toLowerCase()
  if (hash === undefined || hashPattern.test(hash)) return hash
  throw new Problem('usage', `--if-match: "${hash}" is not a hash`, {
    hint: 'Use the output of: skyctl firewalls rules list --hash',
  })
}

export interface Proposal {
  /** Returns the question without a question mark; without it nothing is asked. */
  consequence?(name: string, shown: FirewallRules): string
  /**
   * Returns the new rules, based on the current ones; a missing key stays unchanged. `shown` are the rules when the
   * command began.
   */
  propose(current: FirewallRules, shown: FirewallRules, name: string): RulesInput | Promise<RulesInput>
  /** True if the change can be applied to rules that others have changed, or throws if not. */
  commutes?: boolean
  /** Rules that the service had before, and which need no validation. */
  previous?: FirewallRules | undefined
}

export const viewOfRules = ({ flags, session }: RulesInvocation): Promise<View> =>
  viewOf({ fields: fieldPaths(firewallRules.list), columns: [] }, flags, session)

/** Validates a proposal, shows the difference, asks, and replaces the rules if they have not changed since. */
export async function changeRules(
  current: CurrentRules,
  proposal: Proposal,
  invocation: RulesInvocation,
): Promise<void> {
  const { firewall, rules } = current
  const { flags, session } = invocation
  const view = await viewOfRules(invocation)
  const context = printedContext(view, flags, session)
  const change = await prepareChange(current, proposal, context)
  if (change) {
    const name = nameOf(firewallResource, firewall)
    const question =
      proposal.consequence?.(name, rules) ?? blockingQuestion(change, `Update the rules of ${name}`, session)
    return runOne(change, context, { words: sentences['firewalls rules update'], question, deliver: unlessSeen(view) })
  }
  await session.ui.status('No changes')
  if (!isDrawn(view)) await printOne(rules, view, session.ui.stdout)
}

/**
 * Validates a proposal and shows the difference, below a title. Resolves to undefined if there is none, except in a dry
 * run.
 */
export async function prepareChange(
  { firewall, rules: before }: CurrentRules,
  { propose, previous, commutes = false }: Proposal,
  context: CommandContext,
  title?: string,
): Promise<Change | undefined> {
  const { flags, session } = context
  const name = nameOf(firewallResource, firewall)
  const after = await finishRules(await propose(before, before, name), before, { flags, session, previous })
  const changes = diffRules(before, after)
  const options = { ...context.options, ...(await lockoutOptions(flags, session)) }
  const assess = await rulesAssessor(firewall, { ...context, options })
  const { lines, effects, blocked: blocks, refusal } = await assess(before, after)
  await showDifference([...changes.map(changeLine), ...lines], session, title)
  if (refusal) throw refusal
  for (const text of stillAllowedWarnings(before, after)) await session.ui.warn(text)
  if (changes.length === 0 && !context.dry) return undefined
  const again = async (now: FirewallRules) => {
    const desired = completeRules(await propose(now, before, name), now, {
      validate: flags.validate !== false,
      previous,
    })
    const { refusal } = await assess(now, desired)
    if (refusal) throw refusal
    return desired
  }
  const showOthers = (lines: readonly string[], title: string) => showDifference(lines, session, title)
  const isRetried = commutes && flags['if-match'] === undefined
  const replacement = { firewall, before, after, ...(isRetried && { commuting: { again, showOthers } }) }
  const { write, settle } = commitConfirmedOf({ firewallId: Number(firewall.id), name }, context)
  return { ...replacingRules(replacement, session.account, write), effects, blocks, afterSend: settle }
}

/** Returns a `deliver` that leaves out rules whose difference people have seen. */
export const unlessSeen =
  (view: View): Deliver =>
  async (rules) =>
    isDrawn(view) ? undefined : rules

/** Completes rules to the four keys of the API, validates them, and warns of likely mistakes. */
export async function finishRules(
  input: RulesInput,
  current: FirewallRules,
  { flags, session, previous }: RulesInvocation & Pick<Proposal, 'previous'>,
): Promise<FirewallRules> {
  const rules = completeRules(input, current, { validate: flags.validate !== false, previous })
  await tellAbout(rules, { ...input, before: current }, session.account)
  return rules
}
