/** Opens a firewall temporarily, with a watcher that closes it even if this process ends. */

import { sameAccount } from '../../../account/account'
import { nextRules, type PlannedEdit, readRules, type ShownFirewall, writeEdit } from '../../../account/actions/rules'
import type { Change } from '../../../account/change'
import { warnOfStatus } from '../../../account/lockout/guard-firewall-changes'
import { nameOf } from '../../../account/resource'
import { findFirewall, firewallResource } from '../../../account/resources/firewall'
import { type FirewallRule, type FirewallRules, firewallRules, mostRules } from '../../../catalogue/firewall-rules'
import type { PrintedContext } from '../../../engine/change-command-context'
import type { ChangeMessages } from '../../../engine/change-message'
import type { Deliver } from '../../../engine/make-change'
import { runOne } from '../../../engine/run-all'
import type { Session } from '../../../engine/session'
import { Problem } from '../../../errors'
import { sinceBoot } from '../../../files/process-id'
import { randomMark } from '../../../files/temporary'
import { adviseOn } from '../../../firewall/advice'
import { openingRule, type TemporaryOpening } from '../../../firewall/temporary-opening'
import { showTime } from '../../../output/times'
import { formatTimestamp } from '../../../rules/times'
import { undoFailed } from '../watch/outcomes'
import { startWatcher, type Watcher } from '../watch/start'
import { undoTimeAt } from '../watch/watch'
import { type AccessRule, accessRuleText } from './open-flags'
import { recordOf } from './openings'

interface OpeningRequest {
  passage: AccessRule
  timeMs: number
  /** True if it is open while a command runs, which uses stdout. */
  forCommand: boolean
}

interface PreparedOpening extends ShownFirewall, OpeningRequest {
  /** Name of the firewall: `firewall "web" (9100)`. */
  name: string
  opening: TemporaryOpening
  rule: FirewallRule
  /** Command that closes it early. */
  closing: string
  /** The edit that adds the rule before all others. */
  planned: PlannedEdit
  next: FirewallRules
  session: Session
}

/** Finds the firewall and creates the rule; sends no change. */
export async function prepareOpening(
  reference: string,
  request: OpeningRequest,
  session: Session,
): Promise<PreparedOpening> {
  const firewall = await findFirewall(reference, session.account, { record: true })
  const shown = await readRules(firewall, session.account)
  const name = nameOf(firewallResource, firewall)
  expectRoom(shown, name)
  if (firewall.record?.status === 'disabled') await session.ui.warn(`${name} is disabled: it allows all traffic`)
  await warnOfStatus(firewall, session.account)
  // The service's clock is used, as those of other machines that look for openings may be wrong.
  const now = (await session.account.client()).serviceTime ?? session.clock.now()
  const opening = { mark: randomMark(), until: Math.ceil((now + request.timeMs) / 1000) * 1000 }
  const rule = openingRule(request.passage, opening)
  const edit = { kind: 'add', direction: 'inbound', rules: [rule], at: 1 } as const
  const planned: PlannedEdit = { firewall, shown, edit, noBackup: true }
  const next = await nextRules(planned, shown)
  for (const { field, text } of adviseOn(next, shown)) if (field.startsWith('inbound[0]')) await session.ui.warn(text)
  const closing = `skyctl firewalls close ${firewall.id}${await sameAccount(session.account)}`
  return { ...request, firewall, shown, name, opening, rule, closing, planned, next, session }
}

function expectRoom({ inbound, outbound }: FirewallRules, name: string): void {
  const count = inbound.length + outbound.length
  if (count < mostRules) return
  throw new Problem('refused', `${name} has ${count} rules, the maximum: nothing was opened`, {
    hint: 'Remove one first: see skyctl firewalls rules list',
  })
}

/** Opens the firewall; when it resolves, a watcher will close it. */
export async function openWatched(work: PreparedOpening, context: PrintedContext): Promise<Watcher> {
  const { firewall, name, opening, rule, timeMs, session } = work
  const closing = { kind: 'close', mark: opening.mark, passage: accessRuleText(rule) } as const
  const watcher = await startWatcher(
    {
      undoings: [{ ...closing, firewallId: Number(firewall.id), name }],
      deadline: undoTimeAt(sinceBoot() + timeMs, session.clock),
      stage: 'nothing',
    },
    session,
  )
  const change = opened(work, watcher)
  let isOpen = false
  const send = async () => {
    const sent = await change.send()
    isOpen = true
    return sent
  }
  try {
    await runOne({ ...change, send }, context, { words: openedWords(work), deliver: unlessForCommand(work) })
    return watcher
  } catch (error) {
    // The opening succeeded, even if its output failed.
    if (isOpen && !work.forCommand) await watcher.leave()
    else await undoFailed(error, watcher, session)
    throw error
  }
}

/** Returns the change; without a watcher only to print it. */
export function opened(work: PreparedOpening, watcher?: Watcher) {
  const { firewall, opening, rule, planned, next, session } = work
  return {
    operation: firewallRules.update,
    path: { firewallId: firewall.id },
    body: { ...next },
    async send() {
      const writing = async () => watcher?.watch({ stage: 'writing' })
      const { rules } = await writeEdit({ ...planned, writing }, session.account)
      await watcher?.watch({ stage: 'written' })
      return { answer: rules, outcome: { kind: 'done' } }
    },
    async result() {
      const subject = { id: Number(firewall.id), label: firewall.record?.label }
      return { ...recordOf({ opening, rule }, subject) }
    },
  } satisfies Change
}

export const openedWords = ({
  name,
  opening,
  rule,
  closing,
  forCommand,
  session,
}: PreparedOpening): ChangeMessages => ({
  done() {
    const time = `${formatTimestamp(opening.until)}Z`
    // As in the record below.
    const until = showTime(time, { width: session.ui.stdout.columns, now: session.clock.now(), single: true }) ?? time
    const what = `Opened ${name} to ${accessRuleText(rule)}`
    if (forCommand) return `${what} while the command runs, and until ${until} at most`
    return `${what} until ${until}. Close it earlier: ${closing}`
  },
})

/** Returns a `deliver` that leaves stdout to a command that runs while the firewall is open. */
const unlessForCommand =
  ({ forCommand }: PreparedOpening): Deliver =>
  async (opening) =>
    forCommand ? undefined : opening
