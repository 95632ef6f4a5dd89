import type { Account } from '../account/account'
import type { RequestBody } from '../account/change-context'
import { compareFields, type Difference } from '../account/label-lookup'
import type { Item, Reference, Resource } from '../account/resource'
import { type Ipv6Block, ipv6Pools, ipv6Ranges } from '../catalogue/ipv6'
import { changeCommand } from '../engine/change-command'
import { columns } from '../engine/columns'
import { type CommandGroup, eagerCommands } from '../engine/command'
import { listCommand } from '../engine/list'
import { viewCommand } from '../engine/view-command'
import { Problem } from '../errors'
import { networkOf, parseAddress, parseNetwork } from '../rules/addresses'

const blockColumns = columns(ipv6Ranges.list, ['range', 'prefix', 'region', 'route_target'])

/** Reference to a range: `2001:db8::` or `2001:db8::/64`. In paths it has no length, and is written as in RFC 5952. */
const rangeReference: Reference = {
  what: () => 'IPv6 range, with or without /56 or /64',
  parse(typed) {
    const network = parseNetwork(typed)
    const isRange = network?.family === 'ipv6' && (network.prefix === 56 || network.prefix === 64)
    if (network && isRange) return networkOf(network).address
    const plain = parseAddress(typed)
    if (plain?.family === 'ipv6') return plain.address
    throw new Problem('usage', `"${typed}" is not an IPv6 range`, {
      hint: 'Write its address, as in 2001:db8::, with or without /56 or /64',
    })
  },
}

const rangeResource: Resource = {
  noun: 'IPv6 range',
  parameter: 'range',
  list: ipv6Ranges.list,
  view: ipv6Ranges.view,
  group: 'ipv6 ranges',
  reference: rangeReference,
  key: 'range',
}

async function readRanges(account: Account): Promise<Ipv6Block[]> {
  const client = await account.client()
  const found: Ipv6Block[] = []
  for await (const page of client.pages(ipv6Ranges.list)) found.push(...page)
  return found
}

/**
 * Compares a range with the request. The list has the route target's address, and the view has the compute instance.
 */
async function notAsAsked(listed: Item, body: RequestBody, account: Account): Promise<Difference[]> {
  const { prefix_length, compute_id, ...asked } = body
  const differences = compareFields(listed, { ...asked, prefix: prefix_length })
  if (compute_id === undefined) return differences
  const client = await account.client()
  const { computes } = await client.call(ipv6Ranges.view, { path: { range: String(listed.range) } })
  const routed = computes.some((id) => id === compute_id)
  return routed ? differences : [...differences, { field: 'computes', wanted: [compute_id], actual: computes }]
}

const createRange = changeCommand({
  name: 'create',
  aliases: ['add'],
  action: {
    operation: ipv6Ranges.create,
    resource: rangeResource,
    creation: {
      candidates: (_body, { account }) => readRanges(account),
      compare: (range, body, { account }) => notAsAsked(range, body, account),
    },
  },
  columns: columns(ipv6Ranges.create, ['range', 'route_target']),
  input: {
    complete: ({ route_target, ...body }) =>
      typeof route_target === 'string'
        ? { ...body, route_target: parseAddress(route_target)?.address ?? route_target }
        : body,
  },
  done: ({ range, route_target }) => `Created IPv6 range ${range}${route_target ? `, routed to ${route_target}` : ''}`,
  help: {
    details:
      'Either --compute-id or --route-target is required, and not both. An account has one range in a region, and an ' +
      'instance one range. The instance routes the addresses in it.',
    examples: [
      { what: 'A /64 for an instance', line: 'skyctl ipv6 ranges create --prefix-length 64 --compute-id 1009' },
    ],
  },
})

const deleteRange = changeCommand({
  name: 'delete',
  aliases: ['rm', 'remove'],
  action: { operation: ipv6Ranges.delete, resource: rangeResource },
  columns: blockColumns,
  input: { accepts: 'several' },
  question:
    () =>
    ({ names, several }) =>
      `All addresses in ${several ? 'them' : 'it'} will be lost. Delete ${names}`,
  done: (_answer, { name }) => `Deleted ${name}`,
  help: {
    examples: [{ what: 'Ask first, then delete', line: 'skyctl ipv6 ranges delete 2001:db8:114:100::/64' }],
  },
})

const ranges: CommandGroup = {
  name: 'ranges',
  aliases: ['range'],
  summary: 'Blocks of IPv6 addresses, each routed to a compute instance',
  commands: eagerCommands(
    listCommand(ipv6Ranges.list, {
      columns: blockColumns,
      plural: 'IPv6 ranges',
      key: 'range',
      examples: [{ what: 'Ranges of a region', line: 'skyctl ipv6 ranges list --filter region=us-east' }],
    }),
    createRange,
    viewCommand(rangeResource, {
      columns: columns(ipv6Ranges.view, ['range', 'prefix', 'region', 'is_bgp', 'computes']),
      examples: [{ what: 'The target of a range', line: 'skyctl ipv6 ranges view 2001:db8:114:100::/64' }],
    }),
    deleteRange,
  ),
}

const pools: CommandGroup = {
  name: 'pools',
  aliases: ['pool'],
  summary: 'Blocks of IPv6 addresses for all compute instances of a region',
  commands: eagerCommands(
    listCommand(ipv6Pools.list, {
      columns: blockColumns,
      plural: 'IPv6 pools',
      key: 'range',
      examples: [{ what: 'Pools of a region', line: 'skyctl ipv6 pools list --filter region=us-east' }],
    }),
  ),
}

const group: CommandGroup = { name: 'ipv6', summary: 'IPv6 pools and ranges', commands: eagerCommands(pools, ranges) }

export default group
