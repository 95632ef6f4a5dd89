import type { FoundObject } from '../../../account/resource'
import { firewallResource } from '../../../account/resources/firewall'
import { firewallRules } from '../../../catalogue/firewall-rules'
import { firewalls } from '../../../catalogue/firewalls'
import type { Command } from '../../../engine/command'
import { concurrencyFlag, dryRunFlag, outputFlags } from '../../../engine/flags'
import type { Session } from '../../../engine/session'
import { readNames, targetArguments } from '../../../engine/targets'
import { shapedRules } from '../../../firewall/rules'
import { markIn } from '../../../firewall/temporary-opening'
import { closeAt } from './close-several'

export const sweepFirewalls: Command = {
  name: 'sweep',
  summary: 'Close expired temporary openings',
  operations: [firewallRules.update, firewalls.list],
  details:
    'For cron: skyctl closes its openings itself, but not from a machine that was switched off. Without a name it ' +
    "checks all firewalls. The service's clock decides. Warns about rules that were changed since, and keeps them.",
  arguments: targetArguments(firewallResource, 'many').map((argument) => ({ ...argument, optional: true })),
  flags: [concurrencyFlag, dryRunFlag, ...outputFlags],
  examples: [
    { what: 'Every hour, from cron', line: 'skyctl firewalls sweep' },
    { what: 'Preview the requests', line: 'skyctl firewalls sweep --dry-run' },
  ],
  async run(input, session) {
    const names = await readNames(input, session)
    await closeAt(input.arguments.length === 0 ? await suspects(session) : names, {
      flags: input.flags,
      session,
      test: ({ until }, now) => until <= now,
      changed: 'warn',
      nothing: 'No expired openings',
    })
  },
}

/** Returns the firewalls with openings, according to the rules in the list. */
async function suspects(session: Session): Promise<FoundObject[]> {
  const client = await session.account.client()
  const matches: FoundObject[] = []
  for await (const page of client.pages(firewalls.list)) {
    for (const record of page) {
      const rules = shapedRules(record.rules)
      // Rules that the list lacks are read by themselves.
      if (rules && !rules.inbound.some((rule) => markIn(rule))) continue
      matches.push({ id: record.id, input: record.label, record })
    }
  }
  return matches
}
