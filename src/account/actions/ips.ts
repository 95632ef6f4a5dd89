/** Changes of IP addresses. */
import { type IpAddress, ips } from '../../catalogue/ips'
import { isRefusal, Problem } from '../../errors'
import { parseAddress } from '../../rules/addresses'
import { withoutFinalDot } from '../../rules/host-names'
import type { Account } from '../account'
import type { Action, RecordedAction, Undo } from '../action'
import type { CustomAction } from '../action-runner'
import { type Change, performChange } from '../change'
import type { ChangeContext, RequestBody } from '../change-context'
import { filteredPages } from '../filter-refusal'
import { replaced } from '../history/before-change'
import type { BodyInput, JournalEntry } from '../journal-lines'
import { named, notFoundAs } from '../resource'
import { ipResource } from '../resources/address'

export const allocateIp: Action<typeof ips.allocate> = {
  operation: ips.allocate,
  resource: ipResource,
  creation: {
    // The API lists no private addresses.
    candidates: ({ compute_id, public: isPublic }, { account }) =>
      isPublic === true ? addressesOf(compute_id, account) : undefined,
  },
  undo: { by: 'hand', advice: 'The API cannot release addresses. See skyctl ips list' },
}

/** Reads the addresses of a compute instance, without private ones. */
async function addressesOf(computeId: unknown, account: Account): Promise<IpAddress[]> {
  const client = await account.client()
  const call = { query: { skip_ipv6_rdns: true }, filter: { compute_id: computeId } }
  const addresses: IpAddress[] = []
  for await (const page of filteredPages(client, ips.list, call))
    addresses.push(...page.filter(({ compute_id }) => compute_id === computeId))
  return addresses
}

const undoOfAssignment: Undo = {
  by: 'hand',
  advice: 'The history lacks the previous assignments. Assign them again: skyctl ips assign',
}

/** Assigns addresses to compute instances: all of them, or none. */
export const assignAddresses: CustomAction = {
  operation: ips.assign,
  undo: undoOfAssignment,
  perform: ({ body = {} }, account, onResult) => performChange({ operation: ips.assign, body }, account, { onResult }),
}
export const assignIpv4Addresses: RecordedAction = { operation: ips.assignIpv4, undo: undoOfAssignment }

const undoOfSharing: Undo = {
  by: 'hand',
  advice: 'The history lacks the previous list. Share the whole list again: skyctl ips share',
}
export const shareAddresses: RecordedAction = { operation: ips.share, undo: undoOfSharing }
export const shareIpv4Addresses: RecordedAction = { operation: ips.shareIpv4, undo: undoOfSharing }

/** Sets the reverse DNS of an address. */
export const setReverseDns: CustomAction = {
  operation: ips.rdns,
  resource: ipResource,
  undo: { by: 'restoring', view: ips.view, does: 'ips rdns' },
  async perform({ target: [input = ''] = [], body = {} }, account, onResult) {
    const address = String(ipResource.reference?.parse(input, ipResource.noun))
    const change = await nameAddress({ address, body, line: undefined }, { dry: false, account })
    return performChange(change, account, { onResult })
  },
}

/** An address and its new name. */
interface Naming extends BodyInput {
  address: string
  entry?: JournalEntry | undefined
}

/** Returns the change that sets the reverse DNS of an address. */
export async function nameAddress(
  { address, body: written, entry, line }: Naming,
  { dry, account }: Pick<ChangeContext, 'dry' | 'account'>,
): Promise<Change> {
  const body = { ...written, rdns: withoutFinalDot(written.rdns) }
  const past = entry?.past
  const before = past?.state === 'done' ? past.answer : undefined
  // For a reset, the default name is unknown here.
  const record = before || dry || body.rdns === null ? undefined : await readAddress(address, account)
  const current = before ?? (record?.rdns === body.rdns ? record : undefined)
  return {
    operation: ips.rdns,
    path: { address },
    body,
    entry,
    explain: (error) => explain(error, address, body),
    async snapshot(looks) {
      const present = record ?? (looks && line === undefined ? await readAddress(address, account) : undefined)
      return present ? replaced(present, body) : {}
    },
    ...(current && { noop: true, send: async () => current }),
    outcome: () => ({ kind: current ? 'already' : 'done' }),
  }
}

async function readAddress(address: string, account: Account): Promise<IpAddress> {
  const client = await account.client()
  return named(client.call(ips.view, { path: { address } }), address, ipResource)
}

/** Adds the most likely cause to a refusal. */
function explain(error: unknown, address: string, { rdns }: RequestBody): unknown {
  if (!isRefusal(error) || rdns === null) return notFoundAs(address, ipResource, error)
  const record = parseAddress(address)?.family === 'ipv6' ? 'AAAA' : 'A'
  return new Problem(error.code, error.message, {
    ...error.details,
    hint: `Forward DNS comes first: ${rdns} needs an ${record} record with ${address}`,
    cause: error,
  })
}
