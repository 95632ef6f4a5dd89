/** Closes openings of several firewalls, and prints them. */
import { sameAccount } from '../../../account/account'
import type { PlannedRequest } from '../../../account/change'
import { parseTarget } from '../../../account/find-target'
import { type FoundObject, nameOf } from '../../../account/resource'
import { firewallResource } from '../../../account/resources/firewall'
import { type FirewallRule, firewallRules } from '../../../catalogue/firewall-rules'
import { forEachTarget, together } from '../../../engine/bulk'
import type { CommandInput } from '../../../engine/command'
import { printRequests } from '../../../engine/dry-run'
import type { Session } from '../../../engine/session'
import { Problem } from '../../../errors'
import { stillAllowedWarnings } from '../../../firewall/still-allowed'
import type { TemporaryOpening } from '../../../firewall/temporary-opening'
import { printMany, type View, wantsScreen } from '../../../output/print'
import { readWatches, removeWatch } from '../watch/watch-file'
import { closeOpenings, planClosing } from './close-openings'
import { accessRuleText } from './open-flags'
import { type FirewallTarget, firewallFinder, type OpeningRecord, openingView, recordOf } from './openings'

interface Closing extends CommandInput {
  /** Marks of the openings to close; by default all. */
  marks?: ReadonlySet<string> | undefined
  /** Reports whether a rule is meant by its addresses; by default all are. */
  isFromThem?: ((rule: FirewallRule) => boolean) | undefined
  /** Reports whether an opening is to be closed, at the service's time. */
  test(opening: TemporaryOpening, now: number): boolean
  /** Reaction to rules that somebody has changed, so that they are no longer openings. */
  changed: 'fail' | 'warn'
  /** Message if nothing was closed. */
  nothing: string
}

/** Closes openings of firewalls, which were named by the user or listed. */
export async function closeAt(firewalls: readonly (FoundObject | string)[], closing: Closing): Promise<void> {
  const { flags, session } = closing
  const { noun } = firewallResource
  const targets = firewalls.map((one): FirewallTarget => (typeof one === 'string' ? parseTarget(one, noun) : one))
  const find = await firewallFinder(targets, session)
  if (flags['dry-run']) return showRequests(targets, find, closing)
  const view = await openingView(flags, session)
  const closed: OpeningRecord[] = []
  const changed: Problem[] = []
  const finish = async (results: readonly OpeningRecord[][]) => {
    closed.push(...results.flat())
    if (closed.length > 0 || closing.changed === 'warn' || changed.length === 0) await print(closed, view, session)
  }
  const act = async (target: FirewallTarget) => closeAtOne(await find(target), closing, changed)
  // A job of cron closes the other openings, whatever became of one firewall.
  const whole = closing.changed === 'fail' && { find }
  await forEachTarget(
    targets,
    { verb: 'close', changes: false, act, ...whole, ...together(finish) },
    { flags, session },
  )
  await tellOfChanged(changed, closing)
  if (closed.length === 0) await session.ui.status(closing.nothing)
}

async function showRequests(
  targets: readonly FirewallTarget[],
  find: (target: FirewallTarget) => Promise<FoundObject>,
  closing: Closing,
): Promise<void> {
  const changed: Problem[] = []
  const show = async (looks: readonly Look[]) => {
    changed.push(...looks.flatMap((look) => look.changed))
    for (const { plan, name } of looks)
      for (const { rule } of plan.closed)
        await closing.session.ui.status(`Would close ${accessRuleText(rule)} of ${name}`)
    const plans = looks.map(({ plan }) => plan).filter(({ closed }) => closed.length > 0)
    await printRequests(plans.map(requestOf), closing)
  }
  const act = async (target: FirewallTarget) => lookAt(await find(target), closing)
  await forEachTarget(targets, { verb: 'check', changes: false, act, ...together(show) }, closing)
  await tellOfChanged(changed, closing)
}

const requestOf = ({ firewall, next }: Look['plan']): PlannedRequest => ({
  operation: firewallRules.update,
  path: { firewallId: firewall.id },
  body: { ...next },
})

async function tellOfChanged(changed: readonly Problem[], closing: Closing): Promise<void> {
  const [first] = changed
  if (first && closing.changed === 'fail') throw first
  for (const { message, details } of changed) await closing.session.ui.warn(`${message}. ${details.hint}`)
}

type Look = Awaited<ReturnType<typeof lookAt>>

/** Finds openings to close at a firewall, and rules that are no longer openings. */
async function lookAt(firewall: FoundObject, { session, marks, isFromThem, test }: Closing) {
  const now = (await session.account.client()).serviceTime ?? session.clock.now()
  const isMeant = (mark: string, rule: FirewallRule) => (marks?.has(mark) ?? true) && (isFromThem?.(rule) ?? true)
  const plan = await planClosing(
    firewall,
    (opening, rule) => isMeant(opening.mark, rule) && test(opening, now),
    session,
  )
  const name = nameOf(firewallResource, firewall)
  const hint = `Run: skyctl firewalls rules list ${firewall.id}${await sameAccount(session.account)}`
  const text = `somebody has changed a temporary opening of ${name}: it was not removed`
  return {
    plan,
    name,
    changed: plan.changed
      .filter(({ mark, rule }) => isMeant(mark, rule))
      .map(() => new Problem('refused', text, { hint })),
  }
}

async function closeAtOne(firewall: FoundObject, closing: Closing, changed: Problem[]): Promise<OpeningRecord[]> {
  const { session } = closing
  const { plan, name, changed: own } = await lookAt(firewall, closing)
  const { closed } = plan
  await closeOpenings(plan, session)
  for (const text of stillAllowedWarnings(plan.shown, plan.next)) await session.ui.warn(text)
  for (const { rule } of closed) await session.ui.status(`Closed ${accessRuleText(rule)} of ${name}`)
  await forget(
    closed.map(({ opening }) => opening.mark),
    session,
  )
  changed.push(...own)
  return closed.map((one) => recordOf(one, { id: Number(firewall.id), label: firewall.record?.label }))
}

/** Removes the records of closed openings; their watchers notice that and exit. */
async function forget(marks: readonly string[], session: Session): Promise<void> {
  for (const stored of await readWatches(session)) {
    const { undoings } = stored.watch
    if (undoings.every((undoing) => undoing.kind === 'close' && marks.includes(undoing.mark))) removeWatch(stored)
  }
}

/** Prints the closed openings; in text output, messages have already named them. */
async function print(closed: readonly OpeningRecord[], view: View, session: Session): Promise<void> {
  if (wantsScreen(view)) return
  await printMany([...closed], view, session.ui.stdout)
}
