/** What all commands that change rules have in common: read, propose, check, show the difference, ask, replace. */
import { type FirewallRules, firewallRules } from '../../../catalogue/firewall-rules'
import { sameAccount } from '../../../engine/account'
import { type Change, carryOut } from '../../../engine/change'
import type { Flag, Flags } from '../../../engine/command'
import { showDifference } from '../../../engine/difference'
import { textFlag } from '../../../engine/flag-values'
import { dryRunFlag, outputFlags } from '../../../engine/flags'
import { fieldPaths, viewOf } from '../../../engine/printing'
import { type Found, findTarget, nameOf, parseTarget } from '../../../engine/resource'
import { type Situation, situationOf } from '../../../engine/situation'
import { Problem } from '../../../errors'
import { diffRules } from '../../../firewall/diff'
import { hashPattern } from '../../../firewall/hash'
import { sendable } from '../../../firewall/rules'
import { tidyRules } from '../../../firewall/tidy'
import { isForPeople } from '../../../output/formats'
import { printOne, type View } from '../../../output/print'
import { once } from '../../../rules/once'
import type { Session } from '../../../session'
import { lockoutFlags } from '../lockout-flags'
import { firewallResource } from '../resource'
import { checkRules, comparable, tellAbout } from '../rules-check'
import type { GivenRules } from '../rules-file'
import { changeLine, warnOfStillAllowed } from './difference'
import { confirmationOf, keepingFlags, keepingOf } from './keeping-flags'
import { type Replacement, readRules, replaceRules } from './standing'

/** What a command was given. */
export interface Invocation {
  flags: Flags
  session: Session
}

export const ifMatchFlag: Flag = {
  name: 'if-match',
  value: 'hash',
  description: 'Only if the rules are still those of this hash, which "rules list --hash" prints',
}

export const changeFlags: readonly Flag[] = [
  { name: 'validate', negative: 'only', description: 'Send what looks wrong here; the service decides' },
  ...lockoutFlags,
  ...keepingFlags,
  dryRunFlag,
  ...outputFlags,
]

/** A firewall with the rules that a change starts from. */
export interface Standing {
  firewall: Found
  rules: FirewallRules
}

/**
 * Throws `refused` where they are not those of `--if-match`, unless all is as wanted already: what an earlier run has
 * done is no change (RFC 9110, 13.1.1).
 */
export async function readStanding(
  typed: string,
  { flags, session }: Invocation,
  isDone: (rules: FirewallRules) => boolean = () => false,
): Promise<Standing> {
  const target = parseTarget(typed, firewallResource.noun)
  confirmationOf(flags, session)
  const hash = ifMatchOf(flags)
  if (flags['keep-open'] !== undefined) await (await import('../kept-open')).keptOpen(flags, session)
  const firewall = await findTarget(target, firewallResource, session, { record: true })
  const standing = { firewall, rules: await readRules(firewall, session) }
  if (hash !== undefined && !isDone(standing.rules))
    await (await import('./if-match')).expectHash(hash, standing, session)
  return standing
}

function ifMatchOf(flags: Flags): string | undefined {
  const hash = textFlag(flags, ifMatchFlag.name)?.toLowerCase()
  if (hash === undefined || hashPattern.test(hash)) return hash
  throw new Problem('usage', `--if-match: "${hash}" is not a hash`, {
    hint: 'Give what "skyctl firewalls rules list --hash" prints',
  })
}

export interface Proposal {
  /** What will be done, as a question without its mark; without it nothing is asked. */
  consequence?(name: string, shown: FirewallRules): string
  /**
   * The rules that are wanted, made from those that stand; a key that is left out keeps what stands. `shown` are those
   * that stood when the command began.
   */
  propose(standing: FirewallRules, shown: FirewallRules, name: string): GivenRules | Promise<GivenRules>
  /** It can be made of what others have changed meanwhile as well, or says itself that it cannot. */
  commutes?: boolean
  /** What the service has had, beside what stands: that is not for us to check. */
  known?: FirewallRules | undefined
}

export const viewOfRules = ({ flags, session }: Invocation): Promise<View> =>
  viewOf({ fields: fieldPaths(firewallRules.list), columns: [] }, flags, session)

/** Checks the proposal, shows the difference, asks, and replaces the rules if those that it started from still stand. */
export async function changeRules(standing: Standing, proposal: Proposal, given: Invocation): Promise<void> {
  const { firewall, rules } = standing
  const { flags, session } = given
  const view = await viewOfRules(given)
  const situation = situationOf(view, flags, session)
  const change = await prepareChange(standing, proposal, situation)
  if (change) {
    const question = proposal.consequence?.(nameOf(firewallResource, firewall), rules)
    return carryOut(change, situation, { question })
  }
  await session.say(nothingDone)
  if (!sawDifference(view)) await printOne(rules, view, session.stdout)
}

/** Checks the proposal and shows the difference, below a title; undefined where there is none, and it is no dry run. */
export async function prepareChange(
  { firewall, rules: before }: Standing,
  { propose, known, commutes = false }: Proposal,
  situation: Situation,
  title?: string,
): Promise<Change | undefined> {
  const { flags, session } = situation
  const name = nameOf(firewallResource, firewall)
  const after = await finishRules(await propose(before, before, name), before, { flags, session, known })
  const changes = diffRules(before, after)
  const lockout = await lockoutOf(firewall, { flags, session })
  const { lines, refusal } = await lockout(before, after)
  await showDifference([...changes.map(changeLine), ...lines], session, title)
  if (refusal) throw refusal
  await warnOfStillAllowed(before, after, session)
  if (changes.length === 0 && !situation.dry) return undefined
  const again = async (now: FirewallRules) => {
    const wanted = completeRules(await propose(now, before, name), now, { flags, known })
    const { refusal } = await lockout(now, wanted)
    if (refusal) throw refusal
    return wanted
  }
  const replacement = { firewall, before, after, ...(commutes && flags['if-match'] === undefined && { again }) }
  return replacing(replacement, situation)
}

/** Who is cut off by other rules; a firewall that is disabled cuts nobody off. */
async function lockoutOf(firewall: Found, invocation: Invocation) {
  const { servicesOf, weigh } = await import('../lockout')
  const isDisabled = firewall.record?.status === 'disabled'
  const services = once(async () => (isDisabled ? [] : servicesOf(firewall.id, invocation.session)))
  return async (before: FirewallRules, after: FirewallRules): ReturnType<typeof weigh> => {
    const where = `what ${nameOf(firewallResource, firewall)} protects`
    return weigh({ before, after, services, where }, invocation)
  }
}

const nothingDone = 'Nothing is different; nothing was sent'

/** A person has seen the difference; the whole set is one command away. */
export const sawDifference = ({ format, query }: View) => isForPeople(format) && query === undefined

function replacing(replacement: Replacement, situation: Situation): Change {
  const { view, session } = situation
  const { firewall, after } = replacement
  const name = nameOf(firewallResource, firewall)
  const keeping = keepingOf({ firewallId: Number(firewall.id), name }, situation)
  let said = ''
  return {
    operation: firewallRules.update,
    path: { firewallId: firewall.id },
    body: { ...after },
    async send() {
      const replaced = await keeping.write((writing) => replaceRules({ ...replacement, writing }, session))
      const undoing = `skyctl firewalls rules undo ${firewall.id}${await sameAccount(session)}`
      const undo = replaced.kept ? `. Undo with: ${undoing}` : ''
      said = replaced.written ? `Updated the rules of ${name}${undo}` : nothingDone
      return replaced.rules
    },
    follow: () => keeping.settle(),
    done: () => said,
    finish: async (rules) => (sawDifference(view) ? undefined : rules),
  }
}

/** What was given, completed to the four keys that the service takes, and checked; what is hardly meant is said. */
export async function finishRules(
  given: GivenRules,
  standing: FirewallRules,
  { flags, session, known }: Invocation & Pick<Proposal, 'known'>,
): Promise<FirewallRules> {
  const rules = completeRules(given, standing, { flags, known })
  await tellAbout(rules, given, session)
  return rules
}

/** The same without a word. */
export function completeRules(
  given: GivenRules,
  standing: FirewallRules,
  { flags, known }: Pick<Invocation, 'flags'> & Pick<Proposal, 'known'>,
): FirewallRules {
  const value = { ...tidyRules(sendable(standing)).value, ...given.value }
  if (flags.validate !== false)
    checkRules(firewallRules.update.body, { ...given, value }, { standing: known ? [standing, known] : [standing] })
  return comparable({ ...given, value })
}
