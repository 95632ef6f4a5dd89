import type { Change, Sent } from '../../account/change'
import type { RequestBody } from '../../account/change-context'
import { optimisticUpdate, replacing, type Unexpected } from '../../account/optimistic-update'
import { send } from '../../account/send'
import { fits } from '../../catalogue/check'
import type { IpAddress } from '../../catalogue/ips'
import { ips } from '../../catalogue/ips'
import { ipv6Ranges } from '../../catalogue/ipv6'
import { checkBody, readBody, withBodyLines } from '../../engine/body'
import { printedContext } from '../../engine/change-command-context'
import { bodyFlags, busyTimeoutFlag, dryRunFlag, serviceFlag } from '../../engine/change-flags'
import type { Command, Input } from '../../engine/command'
import { wrongInput } from '../../engine/field-names'
import { outputFlags } from '../../engine/flags'
import { viewOf } from '../../engine/printing'
import { runOne } from '../../engine/run-all'
import type { Session } from '../../engine/session'
import { readNames } from '../../engine/targets'
import type { FieldError } from '../../errors'
import { Problem } from '../../errors'
import { tidyAddress } from '../../rules/addresses'
import { holderOf, lookUp, readAddresses, regionOf } from './address-lookup'
import { familyFlag, ofFamily } from './family'

async function bodyOf(input: Input, session: Session): Promise<RequestBody> {
  const { flags } = input
  const body = await readBody(ips.share.body, flags, session)
  const names = input.arguments.length > 0 ? await readNames(input, session) : undefined
  if (names && flags.none) throw new Problem('usage', 'addresses and --none contradict each other')
  if (flags.none) return { ...body, ips: [] }
  if (names?.length === 0) {
    throw new Problem('usage', 'stdin names no address', { hint: 'To end all sharing, pass --none' })
  }
  if (names) return { ...body, ips: names.map(canonical) }
  if (Array.isArray(body.ips)) return { ...body, ips: body.ips.map(canonical) }
  if (body.ips !== undefined) return body
  throw new Problem('usage', 'addresses are missing', {
    hint: 'Pass all addresses to share, or --none',
    lacks: ['address', ...(body.compute_id === undefined ? ['--compute-id'] : [])],
  })
}

/** Normalizes an address (RFC 5952); anything else is validated later. */
const canonical = (value: unknown) => (typeof value === 'string' ? tidyAddress(value) : value)

/**
 * Validates a list of shared addresses, and prints the changes. A body that only the service may understand is left to
 * it.
 */
async function prepare(change: Change, { flags }: Input, session: Session): Promise<Change> {
  const { body: sharing } = change
  if (!fits(ips.share.body, sharing)) return change
  const listed = await readAddresses(session)
  const errors = flags.validate === false ? [] : await wrongSharing(sharing, listed, session)
  if (errors.length > 0) {
    throw wrongInput(errors, { flags, names: { ips: 'ADDRESS' }, files: ['body'] }, { code: 'conflict' })
  }
  const read = () => readRanges(sharing.compute_id, listed, session)
  const { shared: before, held } = await read()
  for (const line of sharingLines(sharing, { before, held })) await session.ui.status(line)
  if (!isSeen(sharing.compute_id, listed)) return change
  const look = async () => (await read()).shared
  const after = sharing.ips.filter((address) => address.includes(':') && !held.includes(address))
  return { ...change, send: () => share(change, { look, before, after }, session) }
}

interface Ranges {
  look(): Promise<string[]>
  before: string[]
  after: string[]
}

/**
 * Sends the list. Throws `refused` if the shared ranges have changed since they were shown, or differ from the sent
 * ones afterwards.
 */
async function share(change: Change, { look, before, after }: Ranges, session: Session): Promise<Sent> {
  const name = `the ranges shared with compute instance ${change.body?.compute_id}`
  const refuse = (current: string[], when: Unexpected) =>
    new Problem(
      'changed',
      `${name} ${when === 'after' ? 'differ from the ranges that were sent' : 'were changed meanwhile'}`,
      {
        hint: `Currently shared: ${current.join(', ') || 'none'}. Pass all addresses to share, and run the command again`,
      },
    )
  const same = (one: readonly string[], other: readonly string[]) =>
    [...one].sort().join() === [...new Set(other)].sort().join()
  // Single addresses are not visible, so unchanged ranges cannot confirm a request with a lost answer.
  const isShown = !same(before, after)
  await optimisticUpdate<string[]>(
    {
      what: [name],
      name,
      look,
      write: async (_desired, _current, onBegin) => {
        await send({ ...change, onBegin }, session.account)
        return undefined
      },
      ...replacing<string[]>({ before, after, same, refuse }),
      holds: (now, { lost }) => same(now, after) && (isShown || !lost),
    },
    session.account,
  )
  return { answer: {}, outcome: { kind: 'done' } }
}

export const shareIps: Command = {
  name: 'share',
  asks: true,
  summary: ips.share.summary,
  operations: [ips.share, ips.shareIpv4],
  details:
    'Either addresses or --none are required. The list is complete: other addresses are no longer shared. All must be in ' +
    'the region of the instance. Write ranges without /56 or /64.',
  moreDetails:
    'A public IPv4 address with a 1:1 NAT to a VPC cannot be shared. Sends nothing if somebody else has shared a range meanwhile; the API does not report shared single addresses.',
  arguments: [
    {
      name: 'address',
      description: 'Address or range to share; several or - for stdin',
      many: true,
      optional: true,
    },
  ],
  flags: [
    serviceFlag('computes', { description: 'Compute instance that may use them as well', required: true }),
    { name: 'none', description: 'End all sharing with it' },
    familyFlag,
    ...bodyFlags,
    busyTimeoutFlag,
    dryRunFlag,
    ...outputFlags,
  ],
  examples: [
    { what: 'Let a second instance take over an address', line: 'skyctl ips share 192.0.2.31 --compute-id 1002' },
    { what: 'End all sharing', line: 'skyctl ips share --none --compute-id 1001' },
  ],
  async run(input, session) {
    const { flags } = input
    const operation = ofFamily(flags, ips.share, ips.shareIpv4)
    const view = await viewOf({ columns: [] }, flags, session)
    const body = await bodyOf(input, session)
    await withBodyLines(flags, () => checkBody(operation.body, body, flags, { ips: 'ADDRESS' }))
    const ends = Array.isArray(body.ips) && body.ips.length === 0
    const whom = `compute instance ${body.compute_id}`
    const done = () => (ends ? `Ended all sharing of addresses with ${whom}` : `Set the addresses shared with ${whom}`)
    const question = ends
      ? `It will lose all addresses of other instances. End all sharing of addresses with ${whom}`
      : undefined
    const change = await prepare({ operation, body }, input, session)
    await runOne(change, printedContext(view, flags, session), { words: { done }, question })
  },
}

interface Sharing {
  compute_id: number
  ips: readonly string[]
}

/** Returns the known errors of a list. Throws `not_found` for a missing address. */
async function wrongSharing(
  { compute_id, ips }: Sharing,
  listed: readonly IpAddress[],
  session: Session,
): Promise<FieldError[]> {
  const region = regionOf(compute_id, listed)
  const errors: FieldError[] = []
  for (const [index, written] of ips.entries()) {
    const holding = await lookUp(written, listed, session)
    const field = `ips[${index}]`
    // If the answer lacks a region, the service decides.
    if (region !== undefined && (holding.region ?? region) !== region) {
      const reason = `${written} is in ${holding.region}, compute instance ${compute_id} in ${region}`
      errors.push({ field, reason })
    }
    if (holding.vpc_nat_1_1) errors.push({ field, reason: `${written} is in use for 1:1 NAT` })
  }
  return errors
}

/** Returns sentences about added and removed ranges. */
function sharingLines(
  { compute_id, ips }: Sharing,
  { before, held }: Record<'before' | 'held', readonly string[]>,
): string[] {
  const own = ips.filter((one) => held.includes(one))
  const added = ips.filter((one) => !before.includes(one) && !own.includes(one))
  const removed = before.filter((one) => !ips.includes(one))
  const whom = `compute instance ${compute_id}`
  return [
    ...(added.length > 0 ? [`Shared with ${whom} from now on: ${added.join(', ')}`] : []),
    ...(own.length > 0
      ? [`Shared with ${whom}, which holds ${own.length > 1 ? 'them' : 'it'}: ${own.join(', ')}`]
      : []),
    ...(removed.length > 0 ? [`No longer shared with ${whom}: ${removed.join(', ')}`] : []),
    `The list is complete: no other IPv4 address will be shared with ${whom}`,
  ]
}

/** Reports whether `readRanges` is complete: it is not if the instance's region is unknown. */
const isSeen = (compute_id: number, listed: readonly IpAddress[]) => regionOf(compute_id, listed) !== undefined

interface InstanceRanges {
  /** Those of other instances that are shared with it; the API lists no other shared addresses. */
  shared: string[]
  /** Its own. The API does not report whether they are shared with it as well. */
  held: string[]
}

async function readRanges(compute_id: number, listed: readonly IpAddress[], session: Session): Promise<InstanceRanges> {
  const client = await session.account.client()
  const region = regionOf(compute_id, listed)
  const ranges: InstanceRanges = { shared: [], held: [] }
  for await (const page of client.pages(ipv6Ranges.list)) {
    // A range that was overlooked would be taken away.
    for (const block of page.filter((one) => (one.region ?? region) === region)) {
      const { range } = block
      const holder = holderOf(block, listed)
      if (holder === compute_id) ranges.held.push(range)
      else {
        const { computes, is_bgp } = await client.call(ipv6Ranges.view, { path: { range }, essential: ['computes'] })
        // A range that is not shared has one instance: its holder.
        const isHeld = holder === undefined && is_bgp === false
        if (computes.includes(compute_id)) ranges[isHeld ? 'held' : 'shared'].push(range)
      }
    }
  }
  return ranges
}
