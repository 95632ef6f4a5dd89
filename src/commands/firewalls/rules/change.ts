/** What all commands that change rules have in common: read, propose, check, show the difference, ask, replace. */
import { firewallRules } from '../../../catalogue/firewall-rules'
import type { Context } from '../../../context'
import type { Flag, Flags } from '../../../engine/command'
import { confirm } from '../../../engine/confirm'
import { dryRunFlag, outputFlags } from '../../../engine/flags'
import { planRequest, printRequests } from '../../../engine/request'
import { type Found, findTarget, nameOf, parseTarget } from '../../../engine/resource'
import { fieldPaths, viewOf } from '../../../engine/view'
import { Problem } from '../../../errors'
import { printOne } from '../../../output/print'
import { wrap } from '../../../output/wrap'
import { type Change, diffRules } from '../../../rules/firewall-diff'
import type { Rules } from '../../../rules/firewall-rules'
import { firewallResource } from '../resource'
import { checkRules, isComparable, tellAbout } from '../rules-check'
import { type GivenRules, tidyRules } from '../rules-file'
import { changeLine } from './difference'
import { type Replacement, readRules, replaceRules } from './standing'

export interface Situation {
  flags: Flags
  context: Context
}

export const changeFlags: readonly Flag[] = [
  { name: 'validate', negative: 'only', description: 'Send what looks wrong here; the service decides' },
  dryRunFlag,
  ...outputFlags,
]

/** A firewall with the rules that a change starts from. */
export interface Standing {
  firewall: Found
  rules: Rules
}

export async function readStanding(typed: string, context: Context): Promise<Standing> {
  const target = parseTarget(typed, firewallResource.noun)
  const firewall = await findTarget(target, firewallResource, context, { record: true })
  return { firewall, rules: await readRules(firewall, context) }
}

export interface Proposal {
  /** What will be done, as a question without its mark; without it nothing is asked. */
  consequence?(name: string): string
  /** The rules that are wanted, made from those that stand; a key that is left out keeps what stands. */
  propose(standing: Rules): GivenRules | Promise<GivenRules>
}

/** Checks the proposal, shows the difference, asks, and replaces the rules if those that it started from still stand. */
export async function changeRules(standing: Standing, proposal: Proposal, situation: Situation): Promise<void> {
  const { flags, context } = situation
  const { firewall, rules: before } = standing
  const view = await viewOf({ fields: fieldPaths(firewallRules.list), columns: [] }, flags, context)
  const after = await finishRules(await proposal.propose(before), before, situation)
  const changes = diffRules(before, after)
  await showChanges(changes, context)
  if (flags['dry-run']) {
    const path = { firewallId: firewall.id }
    return printRequests([planRequest(firewallRules.update, { path, body: after })], situation)
  }
  const now = changes.length === 0 ? before : await carryOut({ firewall, before, after }, proposal, context)
  if (changes.length === 0) await context.say('Nothing is different; nothing was sent')
  // A person has seen the difference; the whole set is one command away.
  if (view.format !== 'table' || view.query !== undefined) await printOne(now, view, context.stdout)
}

async function carryOut(replacement: Replacement, { consequence }: Proposal, context: Context): Promise<Rules> {
  if (consequence) await confirm(consequence(nameOf(firewallResource, replacement.firewall)), context)
  return replaceRules(replacement, context)
}

/** What was given, completed to the four keys that the service takes, and checked. */
export async function finishRules(given: GivenRules, standing: Rules, { flags, context }: Situation): Promise<Rules> {
  const { inbound, inbound_policy, outbound, outbound_policy } = standing
  const stood = tidyRules({ inbound, inbound_policy, outbound, outbound_policy }).value
  const value = { ...stood, ...given.value }
  if (flags.validate !== false) checkRules(firewallRules.update.body, { ...given, value }, standing)
  if (!isComparable(value)) {
    throw new Problem('usage', 'these are no rules: inbound and outbound must be lists of objects with addresses')
  }
  const rules = value as unknown as Rules
  await tellAbout(rules, given, context)
  return rules
}

/** Where a person is asked, it is shown whatever the format; otherwise it is a message like others. */
async function showChanges(changes: readonly Change[], context: Context): Promise<void> {
  const { columns } = context.stderr
  const text = changes.map((change) => wrap(changeLine(change), columns, ' '.repeat(9))).join('\n')
  if (text === '') return
  await (context.interactive && !context.yes ? context.aside(text) : context.say(text))
}
