import { firewallRules } from '../../../catalogue/firewall-rules'
import type { Command } from '../../../engine/command'
import { concurrencyFlag, dryRunFlag, outputFlags } from '../../../engine/flags'
import { readNames, targetArguments } from '../../../engine/targets'
import { firewallResource } from '../resource'
import { readRecords } from '../watch/records'
import { serviceOf } from '../watch/watcher'
import { closeAt } from './many'

export const closeFirewalls: Command = {
  name: 'close',
  summary: 'Close what "firewalls open" has opened, before its time',
  operations: [firewallRules.update],
  details:
    'Closes all that skyctl has opened at the firewalls that are named, whoever opened it; without a name, what this ' +
    'machine has opened. Rules that were changed since are not removed: it says so, and ends with 6.',
  arguments: targetArguments(firewallResource, 'many').map((argument) => ({ ...argument, optional: true })),
  flags: [concurrencyFlag, dryRunFlag, ...outputFlags],
  examples: [
    { what: 'Close what is open at a firewall', line: 'skyctl firewalls close web' },
    { what: 'Close what this machine has opened', line: 'skyctl firewalls close' },
  ],
  async run(input, session) {
    const names = await readNames(input, session)
    const own = input.arguments.length === 0 ? await ownOpenings() : undefined
    await closeAt(own ? [...new Set(own.map(({ firewallId }) => `id:${firewallId}`))] : names, {
      flags: input.flags,
      session,
      marks: own && new Set(own.map(({ mark }) => mark)),
      test: () => true,
      changed: 'fail',
      nothing: 'Nothing is open for a while',
    })

    async function ownOpenings() {
      const service = await serviceOf(session)
      const watches = (await readRecords(session))
        .map(({ watch }) => watch)
        .filter((watch) => watch.service === service)
      return watches.flatMap(({ undoings }) => undoings.filter((one) => one.kind === 'close'))
    }
  },
}
