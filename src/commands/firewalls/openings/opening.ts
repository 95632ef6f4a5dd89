/** Opening a firewall, with a watcher that closes it whatever becomes of this process. */
import { type FirewallRule, type FirewallRules, firewallRules, mostRules } from '../../../catalogue/firewall-rules'
import { sameAccount } from '../../../engine/account'
import { type Change, carryOut } from '../../../engine/change'
import { findTarget, nameOf, parseTarget } from '../../../engine/resource'
import type { Situation } from '../../../engine/situation'
import { Problem } from '../../../errors'
import { sinceBoot } from '../../../files/self'
import { randomMark } from '../../../files/temporary'
import { type Opening, openingRule } from '../../../firewall/opening'
import { formatTimestamp } from '../../../rules/times'
import type { Session } from '../../../session'
import { warnOfStatus } from '../force'
import { firewallResource } from '../resource'
import { completeRules, type Standing } from '../rules/change'
import { readRules, replaceRules } from '../rules/standing'
import { noFile } from '../rules-file'
import { undoFailed } from '../watch/outcomes'
import { startWatcher, type Watcher } from '../watch/watcher'
import { type Passage, passageText } from './passage'
import { recordOf } from './record'

interface Wanted {
  passage: Passage
  timeMs: number
  /** It is open as long as a command runs, which has stdout for itself. */
  forCommand: boolean
}

interface Work extends Standing, Wanted {
  /** `firewall "web" (9100)` */
  name: string
  opening: Opening
  rule: FirewallRule
  /** The command that closes it before its time. */
  closing: string
  /** The rules with the new one before all others. Throws `refused` where there is no room for it. */
  add(standing: FirewallRules): FirewallRules
  session: Session
}

/** Finds the firewall and makes its rule; nothing is sent. */
export async function prepareOpening(typed: string, wanted: Wanted, session: Session): Promise<Work> {
  const target = parseTarget(typed, firewallResource.noun)
  const firewall = await findTarget(target, firewallResource, session, { record: true })
  const rules = await readRules(firewall, session)
  const name = nameOf(firewallResource, firewall)
  if (firewall.record?.status === 'disabled') await session.warn(`${name} is disabled: as long as it is, all is open`)
  await warnOfStatus(firewall, session)
  // By the service's clock, since those of others that look for it may be off.
  const now = (await session.client()).serviceTime ?? session.clock.now()
  const opening = { mark: randomMark(), until: Math.ceil((now + wanted.timeMs) / 1000) * 1000 }
  const rule = openingRule(wanted.passage, opening)
  const add = (standing: FirewallRules) => {
    expectRoom(standing, name)
    const given = { ...noFile, value: { inbound: [rule, ...standing.inbound] } }
    return completeRules(given, standing, { flags: {} })
  }
  const closing = `skyctl firewalls close ${firewall.id}${await sameAccount(session)}`
  return { ...wanted, firewall, rules, name, opening, rule, closing, add, session }
}

function expectRoom({ inbound, outbound }: FirewallRules, name: string): void {
  const count = inbound.length + outbound.length
  if (count < mostRules) return
  throw new Problem('refused', `${name} has ${count} rules, and no room for one more: nothing was opened`, {
    hint: 'Remove one first: see skyctl firewalls rules list',
  })
}

/** Opens it; when this resolves, a watcher has it to close. */
export async function openWatched(work: Work, situation: Situation): Promise<Watcher> {
  const { firewall, name, opening, rule, timeMs, session, add, rules } = work
  // What is refused anyway needs no watcher.
  add(rules)
  const closing = { kind: 'close', mark: opening.mark, passage: passageText(rule) } as const
  const watcher = await startWatcher(
    {
      undoings: [{ ...closing, firewallId: Number(firewall.id), name }],
      deadline: sinceBoot() + timeMs,
      stage: 'nothing',
    },
    session,
  )
  const change = opened(work, watcher)
  let isOpen = false
  const send = async () => {
    const standing = await change.send?.()
    isOpen = true
    return standing ?? rules
  }
  try {
    await carryOut({ ...change, send }, situation)
    return watcher
  } catch (error) {
    // What could not be printed is open all the same, as asked for.
    if (isOpen && !work.forCommand) await watcher.leave()
    else await undoFailed(error, watcher, session)
    throw error
  }
}

/** The request, and all that is done around it; without a watcher it is only shown. */
export function opened(work: Work, watcher?: Watcher): Change {
  const { firewall, rules, name, opening, rule, closing, add, forCommand, session } = work
  return {
    operation: firewallRules.update,
    path: { firewallId: firewall.id },
    body: { ...add(rules) },
    async send() {
      const writing = async () => watcher?.watch({ stage: 'writing' })
      const again = async (standing: FirewallRules) => add(standing)
      const replacement = { firewall, before: rules, after: add(rules), again, writing, unkept: true } as const
      const { rules: standing } = await replaceRules(replacement, session)
      await watcher?.watch({ stage: 'written' })
      return standing
    },
    done() {
      const until = `${formatTimestamp(opening.until)}Z`
      const what = `Opened ${name} to ${passageText(rule)}`
      if (forCommand) return `${what} while the command runs, and until ${until} at most`
      return `${what} until ${until}. Close it before with: ${closing}`
    },
    async finish() {
      const subject = { id: Number(firewall.id), label: firewall.record?.label }
      return forCommand ? undefined : { ...recordOf({ opening, rule }, subject) }
    },
  }
}
