/** Closing openings of several firewalls, and telling which those were. */
import { sameAccount } from '../../../engine/account'
import { forEachTarget, type Outcome, resultsOf } from '../../../engine/bulk'
import type { Flags } from '../../../engine/command'
import { type Found, findTarget, nameOf, parseTarget } from '../../../engine/resource'
import { Problem } from '../../../errors'
import type { Opening } from '../../../firewall/opening'
import { isForPeople } from '../../../output/formats'
import { printMany, type View } from '../../../output/print'
import type { Session } from '../../../session'
import { firewallResource } from '../resource'
import { readRecords, removeRecord } from '../watch/records'
import { closeOpenings } from './closing'
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
  const view = await openingView(flags, session)
  const targets = firewalls.map((one) => (typeof one === 'string' ? { typed: one } : one))
  const closed: OpeningRecord[] = []
  const changed: Problem[] = []
  const fails = () => closing.changed === 'fail' && changed.length > 0
  const finish = async (result: OpeningRecord[]) => {
    closed.push(...result)
    if (closed.length > 0 || !fails()) await print(closed, view, session)
  }
  const several = async (outcomes: AsyncIterable<Outcome<(typeof targets)[number], OpeningRecord[]>>) => {
    const results: OpeningRecord[] = []
    for await (const page of resultsOf(outcomes)) results.push(...page.flat())
    await finish(results)
  }
  const act = (target: (typeof targets)[number]) => closeAtOne(target, closing, (problem) => changed.push(problem))
  await forEachTarget(targets, { verb: 'close', changes: false, act, one: finish, several }, { flags, session })
  if (fails()) throw changed[0]
  for (const { message, details } of changed) await session.warn(`${message}. ${details.hint}`)
  if (closed.length === 0) await session.say(closing.nothing)
}

async function closeAtOne(
  target: Found | { typed: string },
  { session, marks, test }: Closing,
  onChanged: (problem: Problem) => void,
): Promise<OpeningRecord[]> {
  const found =
    'id' in target
      ? target
      : await findTarget(parseTarget(target.typed, firewallResource.noun), firewallResource, session, { record: true })
  const now = (await session.client()).serviceTime ?? session.clock.now()
  const isMeant = (mark: string) => marks?.has(mark) ?? true
  const isOver = (opening: Opening) => isMeant(opening.mark) && test(opening, now)
  const { closed, changed } = await closeOpenings(found, isOver, session)
  const name = nameOf(firewallResource, found)
  for (const { rule } of closed) await session.say(`Closed ${passageText(rule)} of ${name}`)
  await forget(
    closed.map(({ opening }) => opening.mark),
    session,
  )
  for (const _ of changed.filter(isMeant)) {
    const text = `somebody has changed a rule of ${name} that was opened for a while: it was not removed`
    const hint = `Run: skyctl firewalls rules list ${found.id}${await sameAccount(session)}`
    onChanged(new Problem('refused', text, { hint }))
  }
  return closed.map((one) => recordOf(one, { id: Number(found.id), label: found.record?.label }))
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
