import { setReverseDns } from '../../account/actions/ips'
import type { Change } from '../../account/change'
import type { RequestBody } from '../../account/change-context'
import type { Journal } from '../../account/journal'
import type { BodyInput, JournalEntry } from '../../account/journal-lines'
import { prepare } from '../../account/prepare'
import { type ResolvedTarget, resolveTarget } from '../../account/resolved-target'
import { listOf } from '../../account/resource'
import { ipResource } from '../../account/resources/address'
import { ips } from '../../catalogue/ips'
import { fieldPaths } from '../../catalogue/operation'
import type { Names, Question } from '../../engine/ask-about'
import { checkBody, readBodies } from '../../engine/body'
import { type CommandContext, printedContext } from '../../engine/change-command-context'
import { bodyLinesFlags, dryRunFlag, journalFlags } from '../../engine/change-flags'
import type { Command, Flags, Input } from '../../engine/command'
import { concurrencyFlag, outputFlags } from '../../engine/flags'
import { viewOf } from '../../engine/printing'
import { runAll } from '../../engine/run-all'
import type { Session } from '../../engine/session'
import { accountFor } from '../../engine/targets'
import { withJournal } from '../../engine/with-journal'
import { Problem } from '../../errors'
import { isPrivateAddress, parseAddress } from '../../rules/addresses'
import { domainNameFault } from '../../rules/host-names'
import { shellWord } from '../../rules/texts'
import { sentences } from '../change-messages'
import { ipColumns } from './columns'

/** An address and its new name, from the command line or a line of a file. */
interface Naming extends BodyInput {
  address: string
}

const targetOf = ({ address }: Naming) => ({ id: address, input: address })

/** A naming, and its address as the object to change. */
interface NamedAddress extends Naming, ResolvedTarget {
  entry: JournalEntry | undefined
}

/** Reads the names: for the address on the command line, or for those in the body. */
async function namingsOf(
  { arguments: [argument, name], flags }: Input,
  session: Session,
  journal: Journal | undefined,
) {
  if (name !== undefined && flags.reset) throw new Problem('usage', 'a name and --reset contradict each other')
  const bodies = await readBodies(ips.rdns.body, flags, session, journal?.inputs?.bodies)
  if (argument !== undefined && bodies.length > 1) {
    throw new Problem('usage', 'an address and a file of many contradict each other', {
      hint: 'Leave out the address: each line names its own',
    })
  }
  const { checkEach, expectDistinct } = await import('../../engine/ndjson-input')
  const namings = await checkEach(bodies, (one) => namingOf(one, { argument, name, flags }))
  expectDistinct(
    namings.map(({ address, line }) => ({ body: { address }, line })),
    'address',
    { nameOf: ({ address }) => address, hint: 'Name each address once' },
  )
  return namings
}

interface NamingInput {
  argument: string | undefined
  name: string | undefined
  flags: Flags
}

async function namingOf({ body: input, line }: BodyInput, { argument, name, flags }: NamingInput): Promise<Naming> {
  if (argument !== undefined && name !== undefined && !parseAddress(argument) && parseAddress(name))
    throw new Problem('usage', `"${argument}" is not an address`, {
      hint: `Write the address first: skyctl ips rdns ${name} ${shellWord(argument)}`,
    })
  const { address: named, ...rest } = argument === undefined ? input : { ...input, address: argument }
  if (argument !== undefined && input.address !== undefined) rest.address = input.address
  const address = addressOf(named, flags)
  const body: RequestBody = { ...rest, ...(name !== undefined && { rdns: name }), ...(flags.reset && { rdns: null }) }
  if (body.rdns === undefined)
    throw new Problem('usage', 'a name is needed', { hint: 'Pass a name, or --reset', ...lacking('name', flags) })
  await checkBody(ips.rdns.body, body, flags, { rdns: 'NAME' })
  if (flags.validate !== false) checkName(body.rdns)
  return { address, body, line }
}

/** Returns what the line lacks, unless a file has the rest. */
const lacking = (argument: string, { body }: Flags) => body === undefined && { lacks: [argument] }

function addressOf(named: unknown, flags: Flags): string {
  if (typeof named === 'string') return String(ipResource.reference?.parse(named, ipResource.noun))
  throw new Problem('usage', 'an address is needed', {
    errors: [{ field: 'address', reason: 'address is required' }],
    hint: 'Pass an address, or --body with "address" and "rdns"',
    ...lacking('address', flags),
  })
}

function checkName(name: unknown): void {
  const fault = typeof name === 'string' ? domainNameFault(name) : undefined
  if (!fault) return
  const { reason, hint } = fault
  throw new Problem('usage', reason, { errors: [{ field: 'rdns', reason: 'Domain is not valid.' }], hint })
}

async function prepareNaming(subject: NamedAddress, context: CommandContext): Promise<Change> {
  const { address, body, entry } = subject
  if (context.flags.validate !== false) expectPublic(address)
  // A list shows the name that the history needs, until the reset begins.
  if (body.rdns === null && !entry?.past && listOf(ipResource, context.account)) await subject.record()
  // The body is checked already.
  return prepare({ action: setReverseDns, caller: { validate() {} } }, body, { ...context, entry }, subject)
}

/** Refuses a private address as a plan does, which cannot look for it: the API lists none. */
function expectPublic(address: string): void {
  if (!isPrivateAddress(address)) return
  const reason = 'A private address has no reverse DNS'
  throw new Problem('refused', `address ${address}: ${reason}`, { errors: [{ field: 'rdns', reason }] })
}

/** Returns the question if names are reset. */
function question(namings: readonly NamedAddress[]): Question<NamedAddress> | undefined {
  const concerns = ({ body }: Naming) => body.rdns === null
  if (!namings.some(concerns)) return undefined
  const text = ({ names, several }: Names<NamedAddress>) =>
    `${several ? 'Their names' : 'Its name'} will be lost. Reset the reverse DNS of ${names} to the default`
  return { text, concerns, nameOf: async ({ address }) => address, plural: 'addresses' }
}

export const setRdns: Command = {
  name: 'rdns',
  asks: true,
  summary: ips.rdns.summary,
  operations: [ips.rdns],
  details:
    'Either a name or --reset is required. Forward DNS must exist first. Without an address, --body has lines such as {"address": "192.0.2.31", "rdns": "a.example"}',
  records: ips.rdns,
  arguments: [
    { name: 'address', description: 'IPv4 or IPv6 address', optional: true },
    { name: 'name', description: 'New domain name of the address', optional: true },
  ],
  flags: [
    { name: 'reset', description: 'Restore the default name' },
    ...bodyLinesFlags,
    concurrencyFlag,
    ...journalFlags,
    dryRunFlag,
    ...outputFlags,
  ],
  examples: [
    { what: 'Set the name of a mail server', line: 'skyctl ips rdns 192.0.2.31 mail.example.net' },
    { what: 'Restore the default name', line: 'skyctl ips rdns 192.0.2.31 --reset' },
    { what: 'Set a name for each line of a file', line: 'skyctl ips rdns --body names.ndjson' },
  ],
  async run(input, session) {
    const { flags } = input
    const view = await viewOf(
      { fields: fieldPaths(ips.rdns), columns: ipColumns, ...(ipResource.key && { key: ipResource.key }) },
      flags,
      session,
    )
    const printed = printedContext(view, flags, session)
    await withJournal(printed, async (journal) => {
      const namings = await namingsOf(input, session, journal)
      const bodies = namings.map(({ address, body }) => ({ body: { address, ...body } }))
      await journal?.bind({ name: 'rdns', operation: ips.rdns, inputs: { bodies } })
      const context = { ...printed, account: await accountFor(namings.map(targetOf), ipResource, session.account) }
      const targets = namings.map((naming, place) => {
        const entry = journal?.entry(place)
        return { ...resolveTarget(targetOf(naming), ipResource, { ...context, entry }), ...naming, entry }
      })
      const prepareOne = (one: NamedAddress) => prepareNaming(one, context)
      const find = async ({ entry, lookAhead }: NamedAddress) => entry?.past ?? lookAhead()
      const texts = { question: question(targets), words: sentences['ips rdns'] }
      const request = { operation: ips.rdns, noun: ipResource.noun }
      const work = { verb: 'update', targets, request, find, prepare: prepareOne, ...texts, rows: true, journal }
      await runAll(work, context)
    })
  },
}
