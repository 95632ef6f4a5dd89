import { readRules } from '../../../account/actions/rules'
import { readAll } from '../../../account/read-all'
import type { FoundObject } from '../../../account/resource'
import { findFirewall, firewallResource } from '../../../account/resources/firewall'
import type { FirewallRule } from '../../../catalogue/firewall-rules'
import { firewalls } from '../../../catalogue/firewalls'
import { type ListedOpening, openings } from '../../../catalogue/openings'
import { columns } from '../../../engine/columns'
import type { Command } from '../../../engine/command'
import { wholeListFlags } from '../../../engine/flags'
import { printPages } from '../../../engine/list'
import type { Session } from '../../../engine/session'
import { readNames, targetArguments } from '../../../engine/targets'
import { shapedRules } from '../../../firewall/rules'
import { markOfChanged, temporaryOpening } from '../../../firewall/temporary-opening'
import { showTime } from '../../../output/times'
import { formatTimestamp } from '../../../rules/times'
import { recordOf } from './record'

const openingColumns = columns(openings.list, [
  // The first column is never left out.
  { path: 'firewall', priority: 'high' },
  { path: 'firewall_id', priority: 'low' },
  'protocol',
  { path: 'ports', priority: 'high' },
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
  { path: 'mark', priority: 'low' },
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
  flags: wholeListFlags,
  examples: [
    { what: 'What is open at all firewalls', line: 'skyctl firewalls openings' },
    { what: 'Expired ones, which no machine has closed', line: 'skyctl firewalls openings --filter state=expired' },
  ],
  async run(input, session) {
    const { flags } = input
    const names = await readNames(input, session)
    const isNamed = input.arguments.length > 0
    const pages = (async function* () {
      yield await openingsAt(isNamed ? await findAll(names, session) : await allFirewalls(session), session)
    })()
    const list = { columns: openingColumns, plural: 'temporary openings', key: 'mark' } as const
    await printPages(openings.list, list, { flags, session, pages })
  },
}

const findAll = (names: readonly string[], { account }: Session) =>
  Promise.all(names.map((name) => findFirewall(name, account, { record: true })))

async function allFirewalls({ account }: Session): Promise<FoundObject[]> {
  const records = await readAll(await account.client(), firewalls.list)
  return records.map((record) => ({ id: record.id, input: record.label, record }))
}

async function openingsAt(all: readonly FoundObject[], session: Session): Promise<ListedOpening[]> {
  const inbound = await Promise.all(all.map((firewall) => inboundOf(firewall, session)))
  const now = (await session.account.client()).serviceTime ?? session.clock.now()
  return all.flatMap(({ id, record }, place) => {
    const firewall = { id: Number(id), label: record?.label }
    return (inbound[place] ?? []).flatMap((rule) => listed(rule, firewall, now))
  })
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
  return [{ ...record, until: formatTimestamp(until), state: until <= now ? 'expired' : 'open' }]
}
