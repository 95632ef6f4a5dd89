/** Changes of IP addresses. */
import { type IpAddress, ips } from '../../catalogue/ips'
import { isRefusal } from '../../errors'
import { parseAddress } from '../../rules/addresses'
import { withoutFinalDot } from '../../rules/host-names'
import type { Account } from '../account'
import type { Action, RecordedAction } from '../action'
import { filteredPages } from '../filter-refusal'
import { ipResource } from '../resources/address'
import type { ManualUndo } from '../undo'

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

const undoOfAssignment: ManualUndo = {
  by: 'hand',
  advice: 'The history lacks the previous assignments. Assign them again: skyctl ips assign',
}

/** Assigns addresses to compute instances: all of them, or none. */
export const assignAddresses: Action<typeof ips.assign> = { operation: ips.assign, undo: undoOfAssignment }
export const assignIpv4Addresses: RecordedAction = { operation: ips.assignIpv4, undo: undoOfAssignment }

const undoOfSharing: ManualUndo = {
  by: 'hand',
  advice: 'The history lacks the previous list. Share the whole list again: skyctl ips share',
}
export const shareAddresses: RecordedAction = { operation: ips.share, undo: undoOfSharing }
export const shareIpv4Addresses: RecordedAction = { operation: ips.shareIpv4, undo: undoOfSharing }

export const setReverseDns: Action<typeof ips.rdns> = {
  operation: ips.rdns,
  resource: ipResource,
  body: (body) => ({ ...body, rdns: withoutFinalDot(body.rdns) }),
  // For a reset, the default name is unknown here.
  findDone: async ({ rdns }, { reread }) => {
    const record = rdns === null ? undefined : await reread()
    return record?.rdns === rdns ? record : undefined
  },
  explain(problem, { rdns }, address) {
    if (!isRefusal(problem) || rdns === null) return problem
    const record = parseAddress(String(address))?.family === 'ipv6' ? 'AAAA' : 'A'
    return problem.with({ hint: `Forward DNS comes first: ${rdns} needs an ${record} record with ${address}` })
  },
  undo: { by: 'restoring', view: ips.view, does: 'ips rdns' },
}
