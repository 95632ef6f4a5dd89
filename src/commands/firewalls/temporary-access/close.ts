import { serviceOf } from '../../../account/account'
import { isOtherUser } from '../../../account/identity'
import { firewallResource } from '../../../account/resources/firewall'
import { firewallRules } from '../../../catalogue/firewall-rules'
import type { Command } from '../../../engine/command'
import { concurrencyFlag, dryRunFlag, outputFlags } from '../../../engine/flags'
import { readNames, targetArguments } from '../../../engine/targets'
import { readRecords } from '../watch/records'
import { closeAt } from './close-several'

export const closeFirewalls: Command = {
  name: 'close',
  summary: 'Close temporary openings early',
  operations: [firewallRules.update],
  details:
    'Closes all temporary openings of the named firewalls, whoever opened them; without a name, those that this ' +
    'machine has opened. Does not remove rules that were changed since: it reports them and exits with 6.',
  arguments: targetArguments(firewallResource, 'many').map((argument) => ({ ...argument, optional: true })),
  flags: [concurrencyFlag, dryRunFlag, ...outputFlags],
  examples: [
    { what: 'Close all openings of a firewall', line: 'skyctl firewalls close web' },
    { what: 'Close the openings of this machine', line: 'skyctl firewalls close' },
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
      nothing: 'No temporary openings',
    })

    async function ownOpenings() {
      const service = await serviceOf(session.account)
      const here = (await readRecords(session)).flatMap(({ watch }) =>
        watch.service === service
          ? watch.undoings.flatMap((one) => (one.kind === 'close' ? [{ ...one, user: watch.user }] : []))
          : [],
      )
      if (here.length === 0) return []
      const now = await session.account.identity()
      return here.filter(({ user }) => !isOtherUser(user, now.user))
    }
  },
}
