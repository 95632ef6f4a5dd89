/** Changes of IPv6 ranges. */
import { ipv6Ranges } from '../../catalogue/ipv6'
import type { Account } from '../account'
import type { Action } from '../action'
import type { RequestBody } from '../change-context'
import { compareFields, type Difference } from '../label-lookup'
import type { Item } from '../resource'
import { readAll } from '../resource'
import { rangeResource } from '../resources/address'

export const createRange: Action<typeof ipv6Ranges.create> = {
  operation: ipv6Ranges.create,
  resource: rangeResource,
  creation: {
    candidates: async (_body, { account }) => readAll(await account.client(), ipv6Ranges.list),
    compare: (range, body, { account }) => notAsAsked(range, body, account),
  },
  undo: { by: 'hand', advice: 'To reverse it: skyctl ipv6 ranges delete {id}' },
}

/**
 * Compares a range with the request. The list has the route target's address, and the view has the compute instance.
 */
async function notAsAsked(listed: Item, body: RequestBody, account: Account): Promise<Difference[]> {
  const { prefix_length, compute_id, ...fields } = body
  const differences = compareFields(listed, { ...fields, prefix: prefix_length })
  if (compute_id === undefined) return differences
  const client = await account.client()
  const { computes } = await client.call(ipv6Ranges.view, { path: { range: String(listed.range) } })
  const routed = computes.some((id) => id === compute_id)
  return routed ? differences : [...differences, { field: 'computes', expected: [compute_id], actual: computes }]
}

export const deleteRange: Action<typeof ipv6Ranges.delete> = {
  operation: ipv6Ranges.delete,
  resource: rangeResource,
  undo: { by: 'hand', advice: 'Others may get the range. Create another: skyctl ipv6 ranges create' },
}
