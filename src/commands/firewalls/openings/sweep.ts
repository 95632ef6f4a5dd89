import { firewallRules } from '../../../catalogue/firewall-rules'
import { firewalls } from '../../../catalogue/firewalls'
import type { Command } from '../../../engine/command'
import { concurrencyFlag, dryRunFlag, outputFlags } from '../../../engine/flags'
import type { Found } from '../../../engine/resource'
import { readNames, targetArguments } from '../../../engine/targets'
import { markOfChanged, openingOf } from '../../../firewall/opening'
import { shapedRules } from '../../../firewall/rules'
import type { Session } from '../../../session'
import { firewallResource } from '../resource'
import { closeAt } from './many'

export const sweepFirewalls: Command = {
  name: 'sweep',
  summary: 'Close what "firewalls open" has opened and is past its time',
  operations: [firewallRules.update, firewalls.list],
  details:
    'For cron: skyctl closes what it opens by itself, but not from a machine that was switched off. Without a name it ' +
    "looks at all firewalls. What time it is is the service's to say. Rules that were changed since are not removed, " +
    'and named.',
  arguments: targetArguments(firewallResource, 'many').map((argument) => ({ ...argument, optional: true })),
  flags: [concurrencyFlag, dryRunFlag, ...outputFlags],
  examples: [
    { what: 'Every hour, from cron', line: 'skyctl firewalls sweep' },
    { what: 'See what it would send', line: 'skyctl firewalls sweep --dry-run' },
  ],
  async run(input, session) {
    const names = await readNames(input, session)
    await closeAt(input.arguments.length === 0 ? await suspects(session) : names, {
      flags: input.flags,
      session,
      test: ({ until }, now) => until <= now,
      changed: 'warn',
      nothing: 'Nothing is past its time',
    })
  },
}

/** The firewalls that have a rule of that kind: the list tells their rules. */
async function suspects(session: Session): Promise<Found[]> {
  const client = await session.client()
  const found: Found[] = []
  for await (const page of client.pages(firewalls.list)) {
    for (const record of page) {
      const rules = shapedRules(record.rules)
      if (!rules?.inbound.some((rule) => openingOf(rule) ?? markOfChanged(rule))) continue
      found.push({ id: record.id, typed: record.label, record })
    }
  }
  return found
}
