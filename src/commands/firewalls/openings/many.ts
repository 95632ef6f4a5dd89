/** Closing openings of several firewalls, and telling which those were. */
import { sameAccount } from '../../../engine/account'
import { forEachTarget, type Outcome, resultsOf } from '../../../engine/bulk'
import type { Flags } from '../../../engine/command'
import { printRequests } from '../../../engine/dry-run'
import { type Found, findTarget, nameOf, parseTarget } from '../../../engine/resource'
import { Problem } from '../../../errors'
import type { Opening } from '../../../firewall/opening'
import { isForPeople } from '../../../output/formats'
import { printMany, type View } from '../../../output/print'
import type { Session } from '../../../session'
import { atOnce } from '../../../state/at-once'
import { firewallResource } from '../resource'
import { warnOfStillAllowed } from '../rules/difference'
import { readRecords, removeRecord } from '../watch/records'
import { carryOutClosing, closingRequest, planClosing } from './closing'
import { passageText } from './passage'
import { type OpeningRecord, openingView, recordOf } from './record'

interface Closing {
  flags: Flags
  session: Session
  /** The marks of those that it is about; all where none are named. */
  marks?: ReadonlySet<string> | undefined
  /** Whether one of them is to be closed, at the time that the service tells. */
  test(opening: Opening, now: number): boolean
  /** What to do about rules that somebody has changed, so that nothing proves them to be openings. */
  changed: 'fail' | 'warn'
  /** What is said where nothing was closed. */
  nothing: string
}

/** Firewalls by what was typed for them, or as they were listed. */
export async function closeAt(firewalls: readonly (Found | string)[], closing: Closing): Promise<void> {
  const { flags, session } = closing
  const targets = firewalls.map((one): Target => (typeof one === 'string' ? { typed: one } : one))
  if (flags['dry-run']) return showRequests(targets, closing)
  const view = await openingView(flags, session)
  const closed: OpeningRecord[] = []
  const changed: Problem[] = []
  const finish = async (result: OpeningRecord[]) => {
    closed.push(...result)
    if (closed.length > 0 || closing.changed === 'warn' || changed.length === 0) await print(closed, view, session)
  }
  const several = async (outcomes: AsyncIterable<Outcome<Target, OpeningRecord[]>>) => {
    const results: OpeningRecord[] = []
    for await (const page of resultsOf(outcomes)) results.push(...page.flat())
    await finish(results)
  }
  const act = (target: Target) => closeAtOne(target, closing, changed)
  await forEachTarget(targets, { verb: 'close', changes: false, act, one: finish, several }, { flags, session })
  await tellOfChanged(changed, closing)
  if (closed.length === 0) await session.say(closing.nothing)
}

/** With --dry-run, what a closing would send. */
async function showRequests(targets: readonly Target[], closing: Closing): Promise<void> {
  const found = await atOnce(targets, (target) => lookAt(target, closing))
  const plans = found.map(({ plan }) => plan).filter(({ closed }) => closed.length > 0)
  await printRequests(plans.map(closingRequest), closing)
  const changed = found.flatMap(({ changed }) => changed)
  await tellOfChanged(changed, closing)
}

async function tellOfChanged(changed: readonly Problem[], closing: Closing): Promise<void> {
  const [first] = changed
  if (first && closing.changed === 'fail') throw first
  for (const { message, details } of changed) await closing.session.warn(`${message}. ${details.hint}`)
}

type Target = Found | { typed: string }

/** What is to be closed at a firewall, and what is wrong with rules that are none of its openings any more. */
async function lookAt(target: Target, { session, marks, test }: Closing) {
  const found =
    'id' in target
      ? target
      : await findTarget(parseTarget(target.typed, firewallResource.noun), firewallResource, session, { record: true })
  const now = (await session.client()).serviceTime ?? session.clock.now()
  const isMeant = (mark: string) => marks?.has(mark) ?? true
  const plan = await planClosing(found, (opening) => isMeant(opening.mark) && test(opening, now), session)
  const name = nameOf(firewallResource, found)
  const hint = `Run: skyctl firewalls rules list ${found.id}${await sameAccount(session)}`
  const text = `somebody has changed a rule of ${name} that was opened for a while: it was not removed`
  return { plan, name, changed: plan.changed.filter(isMeant).map(() => new Problem('refused', text, { hint })) }
}

async function closeAtOne(target: Target, closing: Closing, changed: Problem[]): Promise<OpeningRecord[]> {
  const { session } = closing
  const { plan, name, changed: own } = await lookAt(target, closing)
  const { firewall, closed } = plan
  await carryOutClosing(plan, session)
  await warnOfStillAllowed(plan.before, plan.without(plan.before), session)
  for (const { rule } of closed) await session.say(`Closed ${passageText(rule)} of ${name}`)
  await forget(
    closed.map(({ opening }) => opening.mark),
    session,
  )
  changed.push(...own)
  return closed.map((one) => recordOf(one, { id: Number(firewall.id), label: firewall.record?.label }))
}

/** Their watchers find their records gone, and end. */
async function forget(marks: readonly string[], session: Session): Promise<void> {
  for (const record of await readRecords(session)) {
    const { undoings } = record.watch
    if (undoings.every((undoing) => undoing.kind === 'close' && marks.includes(undoing.mark))) removeRecord(record)
  }
}

/** A person has read of each of them. */
async function print(closed: readonly OpeningRecord[], view: View, session: Session): Promise<void> {
  const isText = isForPeople(view.format) && view.query === undefined
  if (isText && view.quiet === undefined && view.chosen === undefined) return
  await printMany([...closed], view, session.stdout)
}
