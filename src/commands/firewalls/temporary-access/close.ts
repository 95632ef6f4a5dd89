import { serviceOf } from '../../../account/account'
import { isOtherUser } from '../../../account/identity'
import { firewallResource } from '../../../account/resources/firewall'
import { type FirewallRule, firewallRules } from '../../../catalogue/firewall-rules'
import { firewalls } from '../../../catalogue/firewalls'
import { busyTimeoutFlag, dryRunFlag } from '../../../engine/change-flags'
import type { Command, Flags } from '../../../engine/command'
import { listFlag } from '../../../engine/flag-values'
import { concurrencyFlag, outputFlags } from '../../../engine/flags'
import type { Session } from '../../../engine/session'
import { targetArguments } from '../../../engine/target-arguments'
import { readNames } from '../../../engine/targets'
import { Problem } from '../../../errors'
import { networkTexts } from '../../../firewall/rules'
import { covers, parseAddress, parseNetwork } from '../../../rules/addresses'
import { shellWord } from '../../../rules/texts'
import { addressesOf } from '../network-names'
import { readWatches } from '../watch/watch-file'
import { closeAt } from './close-several'
import { firewallsWithOpenings } from './openings'

export const closeFirewalls: Command = {
  name: 'close',
  summary: 'Close temporary openings',
  operations: [firewallRules.update, firewalls.list],
  details:
    'Closes the temporary openings of the named firewalls, whoever opened them; without a name, those that this machine ' +
    'has opened. Rules that were changed since stay: skyctl reports them and exits with 6.',
  moreDetails:
    'skyctl closes its openings itself, but not from a machine that was switched off. Run --expired from cron for these: ' +
    "without a name it checks all firewalls. The service's clock decides. Rules that were changed since are only a warning.",
  arguments: targetArguments(firewallResource, 'many').map((argument) => ({ ...argument, optional: true })),
  flags: [
    {
      name: 'from',
      value: 'networks',
      list: 'commas',
      description: 'Close only openings from these addresses, networks or their names',
    },
    { name: 'expired', description: 'Close only openings whose time is over' },
    { name: 'mark', value: 'mark', list: 'commas', description: 'Close only openings with these marks' },
    concurrencyFlag,
    busyTimeoutFlag,
    dryRunFlag,
    ...outputFlags,
  ],
  examples: [
    { what: 'Close all openings of a firewall', line: 'skyctl firewalls close web' },
    { what: 'Close expired openings, every hour from cron', line: 'skyctl firewalls close --expired' },
  ],
  async run(input, session) {
    const { flags } = input
    refusePorts(input.arguments)
    const names = await readNames(input, session)
    const marks = listFlag(flags, 'mark')
    const isFromThem = await sourceTest(flags, session)
    const closing = { flags, session, isFromThem }
    const such = marks || isFromThem ? 'such ' : ''
    const isNamed = input.arguments.length > 0
    if (flags.expired) {
      return closeAt(isNamed ? names : await firewallsWithOpenings(session), {
        ...closing,
        marks: marksOf(undefined, marks),
        test: ({ until }, now) => until <= now,
        changed: 'warn',
        nothing: `No ${such}expired openings`,
      })
    }
    const own = isNamed ? undefined : await ownOpenings(session)
    const ownMarks = own?.map(({ mark }) => mark)
    await closeAt(own ? [...new Set(own.map(({ firewallId }) => `id:${firewallId}`))] : names, {
      ...closing,
      marks: marksOf(ownMarks, marks),
      test: () => true,
      changed: 'fail',
      nothing: `No ${such}temporary openings`,
    })
  },
}

/** `close web tcp/5432`: no label has a slash, and one of several openings has a mark. */
function refusePorts(words: readonly string[]): void {
  const port = words.find((word) => /^(tcp|udp)\/\d|^\d+\/(tcp|udp)$/i.test(word))
  if (port === undefined) return
  const [firewall = 'FIREWALL'] = words.filter((word) => word !== port).map(shellWord)
  throw new Problem('usage', `"${port}" is a port, not a firewall`, {
    hint: `To close one opening: skyctl firewalls close ${firewall} --mark MARK. The marks: skyctl firewalls openings --columns ports,from,mark`,
  })
}

/** The former name of `close --expired`, which jobs of cron still run. */
export const sweepFirewalls: Command = {
  ...closeFirewalls,
  name: 'sweep',
  hidden: true,
  run: (input, session) => closeFirewalls.run({ ...input, flags: { ...input.flags, expired: true } }, session),
}

/** Returns the openings that this machine has opened for this user. */
async function ownOpenings(session: Session) {
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
