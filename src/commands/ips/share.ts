import type { RequestBody } from '../../account/change-context'
import { fits } from '../../catalogue/check'
import type { IpAddress } from '../../catalogue/ips'
import { ips } from '../../catalogue/ips'
import { ipv6Ranges } from '../../catalogue/ipv6'
import { checkBody, readBody, withBodyLines } from '../../engine/body'
import { bodyFlags, busyTimeoutFlag, dryRunFlag, serviceFlag } from '../../engine/change-flags'
import type { Command, Input } from '../../engine/command'
import { printedContext } from '../../engine/command-context'
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

/** Validates a list of shared addresses, and prints the changes. A body that only the service may understand is left to it. */
async function preview(body: RequestBody, { flags }: Input, session: Session): Promise<void> {
  if (!fits(ips.share.body, body)) return
  const listed = await readAddresses(session)
  const errors = flags.validate === false ? [] : await wrongSharing(body, listed, session)
  if (errors.length > 0) {
    throw wrongInput(errors, { flags, names: { ips: 'ADDRESS' }, files: ['body'] }, { code: 'conflict' })
  }
  const before = await sharedRanges(body.compute_id, listed, session)
  for (const line of sharingLines(body, before)) await session.ui.status(line)
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
    'A public IPv4 address with a 1:1 NAT to a VPC cannot be shared. The API does not report shared single addresses.',
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
    await preview(body, input, session)
    await runOne({ operation, body }, printedContext(view, flags, session), { words: { done }, question })
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
function sharingLines({ compute_id, ips }: Sharing, before: readonly string[]): string[] {
  const added = ips.filter((one) => !before.includes(one))
  const removed = before.filter((one) => !ips.includes(one))
  const whom = `compute instance ${compute_id}`
  return [
    ...(added.length > 0 ? [`Shared with ${whom} from now on: ${added.join(', ')}`] : []),
    ...(removed.length > 0 ? [`No longer shared with ${whom}: ${removed.join(', ')}`] : []),
    `The list is complete: no other IPv4 address will be shared with ${whom}`,
  ]
}

/** Returns the ranges of other instances that are shared with one. The API lists no other shared addresses. */
async function sharedRanges(compute_id: number, listed: readonly IpAddress[], session: Session): Promise<string[]> {
  const client = await session.account.client()
  const region = regionOf(compute_id, listed)
  const shared: string[] = []
  for await (const page of client.pages(ipv6Ranges.list)) {
    for (const block of page.filter((one) => (one.region ?? region) === region)) {
      const { range } = block
      const holder = holderOf(block, listed)
      if (holder === compute_id) continue
      const { computes, is_bgp } = await client.call(ipv6Ranges.view, { path: { range }, essential: ['computes'] })
      // A range that is not shared has one instance: its holder.
      const isHeld = holder === undefined && is_bgp === false
      if (computes.includes(compute_id) && !isHeld) shared.push(range)
    }
  }
  return shared
}
