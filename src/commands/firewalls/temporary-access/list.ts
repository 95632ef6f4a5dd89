import { readRules } from '../../../account/actions/rules'
import { parseTarget } from '../../../account/find-target'
import type { FoundObject } from '../../../account/resource'
import { firewallResource } from '../../../account/resources/firewall'
import type { FirewallRule } from '../../../catalogue/firewall-rules'
import { firewalls } from '../../../catalogue/firewalls'
import { type ListedOpening, openings } from '../../../catalogue/openings'
import type { AnswerRecord } from '../../../catalogue/operation'
import { forEachTarget, together } from '../../../engine/bulk'
import type { Command } from '../../../engine/command'
import { concurrencyFlag, wholeListFlags } from '../../../engine/flags'
import { printPages } from '../../../engine/list'
import type { Session } from '../../../engine/session'
import { targetArguments } from '../../../engine/target-arguments'
import { readNames } from '../../../engine/targets'
import { shapedRules } from '../../../firewall/rules'
import { markOfChanged, temporaryOpening } from '../../../firewall/temporary-opening'
import { columnsFor } from '../../../output/column'
import { showTime } from '../../../output/times'
import { type FirewallTarget, firewallFinder, firewallsWithOpenings, recordOf } from './openings'

const openingColumns = columnsFor<AnswerRecord<typeof openings.list>>([
  // The first column is never left out.
  { path: 'firewall', priority: 'high' },
  { path: 'firewall_id', priority: 'low' },
  { path: 'protocol', wide: true },
  {
    path: 'ports',
    priority: 'high',
    show: (ports, { protocol }) => [protocol, ports ?? []].flat().join('/').toLowerCase(),
  },
  { path: 'from', priority: 'high' },
  { path: 'until', priority: 'high', show: (value, _record, view) => showTime(value, view) ?? String(value ?? '-') },
  {
    path: 'state',
    priority: 'high',
    tone: new Map([
      ['expired', 'yellow'],
      ['changed', 'yellow'],
    ]),
  },
  // "firewalls close" takes it.
  { path: 'mark', whole: true },
])

export const listOpenings: Command = {
  name: 'openings',
  summary: openings.list.summary,
  paged: true,
  operations: [firewalls.list],
  details:
    'Lists what "firewalls open" has opened, from any machine, and who may connect until when. Expired openings and those ' +
    'that somebody has changed are still open: "firewalls close" closes them, except the changed ones.',
  records: openings.list,
  arguments: targetArguments(firewallResource, 'many').map((argument) => ({ ...argument, optional: true })),
  flags: [concurrencyFlag, ...wholeListFlags('state=expired')],
  examples: [
    { what: 'What is open at all firewalls', line: 'skyctl firewalls openings' },
    { what: 'Expired ones, which no machine has closed', line: 'skyctl firewalls openings --filter state=expired' },
  ],
  async run(input, session) {
    const { flags } = input
    const named = (await readNames(input, session)).map((name) => parseTarget(name, firewallResource.noun))
    const targets = input.arguments.length > 0 ? named : await firewallsWithOpenings(session)
    const find = await firewallFinder(targets, session)
    const list = { columns: openingColumns, plural: 'temporary openings', key: 'mark' } as const
    const print = (found: readonly ListedOpening[][]) =>
      printPages(openings.list, list, { flags, session, pages: onePage(found.flat()) })
    const act = async (target: FirewallTarget) => openingsAt(await find(target), session)
    await forEachTarget(targets, { verb: 'check', changes: false, act, ...together(print) }, { flags, session })
  },
}

async function* onePage<T>(items: T[]): AsyncGenerator<T[]> {
  yield items
}

async function openingsAt(firewall: FoundObject, session: Session): Promise<ListedOpening[]> {
  const inbound = await inboundOf(firewall, session)
  const now = (await session.account.client()).serviceTime ?? session.clock.now()
  const name = { id: Number(firewall.id), label: firewall.record?.label }
  return inbound.flatMap((rule) => listed(rule, name, now))
}

/** Returns the rules of the record; those that an answer lacks are read. */
async function inboundOf(firewall: FoundObject, { account }: Session): Promise<readonly FirewallRule[]> {
  return (shapedRules(firewall.record?.rules) ?? (await readRules(firewall, account))).inbound
}

function listed(rule: FirewallRule, firewall: { id: number; label: string | undefined }, now: number): ListedOpening[] {
  const opening = temporaryOpening(rule)
  const mark = opening?.mark ?? markOfChanged(rule)
  if (mark === undefined) return []
  // Someone has edited the rule of an opening that has no time.
  const { until = 0 } = opening ?? {}
  const record = recordOf({ opening: { mark, until }, rule }, firewall)
  if (!opening) return [{ ...record, until: null, state: 'changed' }]
  return [{ ...record, state: until <= now ? 'expired' : 'open' }]
}
