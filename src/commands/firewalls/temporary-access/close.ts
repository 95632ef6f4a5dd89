import { serviceOf } from '../../../account/account'
import { isOtherUser } from '../../../account/identity'
import { firewallResource } from '../../../account/resources/firewall'
import { type FirewallRule, firewallRules } from '../../../catalogue/firewall-rules'
import type { Command, Flags } from '../../../engine/command'
import { listFlag } from '../../../engine/flag-values'
import { concurrencyFlag, dryRunFlag, outputFlags } from '../../../engine/flags'
import type { Session } from '../../../engine/session'
import { readNames, targetArguments } from '../../../engine/targets'
import { Problem } from '../../../errors'
import { networkTexts } from '../../../firewall/rules'
import { covers, parseAddress, parseNetwork } from '../../../rules/addresses'
import { addressesOf } from '../network-names'
import { readWatches } from '../watch/watch-file'
import { closeAt } from './close-several'

export const closeFirewalls: Command = {
  name: 'close',
  summary: 'Close temporary openings early',
  operations: [firewallRules.update],
  details:
    'Closes all temporary openings of the named firewalls, whoever opened them; without a name, those that this ' +
    'machine has opened. Does not remove rules that were changed since: it reports them and exits with 6.',
  arguments: targetArguments(firewallResource, 'many').map((argument) => ({ ...argument, optional: true })),
  flags: [
    {
      name: 'from',
      value: 'networks',
      list: 'commas',
      description: 'Close only openings from these addresses, networks or their names',
    },
    { name: 'mark', value: 'mark', list: 'commas', description: 'Close only the openings with these marks' },
    concurrencyFlag,
    dryRunFlag,
    ...outputFlags,
  ],
  examples: [
    { what: 'Close all openings of a firewall', line: 'skyctl firewalls close web' },
    { what: 'Close the openings of this machine', line: 'skyctl firewalls close' },
  ],
  async run(input, session) {
    const names = await readNames(input, session)
    const isFromThem = await sourceTest(input.flags, session)
    const own = input.arguments.length === 0 ? await ownOpenings() : undefined
    await closeAt(own ? [...new Set(own.map(({ firewallId }) => `id:${firewallId}`))] : names, {
      flags: input.flags,
      session,
      marks: marksOf(
        own?.map(({ mark }) => mark),
        listFlag(input.flags, 'mark'),
      ),
      isFromThem,
      test: () => true,
      changed: 'fail',
      nothing: input.flags.mark || input.flags.from ? 'No such temporary openings' : 'No temporary openings',
    })

    async function ownOpenings() {
      const service = await serviceOf(session.account)
      const here = (await readWatches(session)).flatMap(({ watch }) =>
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

/** Returns the marks that are in both lists; an absent list has all. */
function marksOf(own: readonly string[] | undefined, typed: readonly string[] | undefined) {
  const marks = own && typed ? own.filter((mark) => typed.includes(mark)) : (own ?? typed)
  return marks && new Set(marks)
}

/** Returns a function that reports whether a rule allows only the addresses of --from; undefined without the flag. */
async function sourceTest(flags: Flags, session: Session): Promise<((rule: FirewallRule) => boolean) | undefined> {
  const named = listFlag(flags, 'from')
  if (!named) return undefined
  const texts = await Promise.all(named.map((text) => addressesOf(text, '--from', { flags, session })))
  const networks = texts.flat().map((text) => {
    const network = parseNetwork(text) ?? parseAddress(text)
    if (network) return network
    throw new Problem('usage', `--from: "${text}" is neither an address nor a network`)
  })
  const isWithin = (text: string) => {
    const source = parseNetwork(text)
    return source !== undefined && networks.some((network) => covers(network, source))
  }
  return (rule) => networkTexts(rule).every(isWithin)
}
