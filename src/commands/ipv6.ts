import * as actions from '../account/actions/ipv6'
import { rangeResource } from '../account/resources/address'
import { ipv6Pools, ipv6Ranges } from '../catalogue/ipv6'
import type { AnswerRecord } from '../catalogue/operation'
import { changeCommand } from '../engine/change-command'
import type { CommandGroup } from '../engine/command'
import { eagerCommands } from '../engine/command-tree'
import { listCommand } from '../engine/list'
import { viewCommand } from '../engine/view-command'
import { columnsFor } from '../output/column'
import { tidyAddress } from '../rules/addresses'

const blockColumns = columnsFor<AnswerRecord<typeof ipv6Ranges.list>>([
  'range',
  'prefix',
  'region',
  { path: 'route_target', whole: true },
])

const createRange = changeCommand({
  name: 'create',
  aliases: ['add'],
  action: actions.createRange,
  columns: columnsFor<AnswerRecord<typeof ipv6Ranges.create>>(['range', 'route_target']),
  input: {
    complete: ({ route_target, ...body }) =>
      typeof route_target === 'string' ? { ...body, route_target: tidyAddress(route_target) } : body,
  },
  done: ({ range, route_target }) => `Created IPv6 range ${range}${route_target ? `, routed to ${route_target}` : ''}`,
  help: {
    details:
      'Either --compute-id or --route-target is required, and not both. An account has one range in a region, and an ' +
      'instance one range. The range is in the region of its target, and the instance routes the addresses in it.',
    examples: [
      { what: 'A /64 for an instance', line: 'skyctl ipv6 ranges create --prefix-length 64 --compute-id 1009' },
    ],
  },
})

const deleteRange = changeCommand({
  name: 'delete',
  aliases: ['rm', 'remove'],
  action: actions.deleteRange,
  columns: blockColumns,
  input: { accepts: 'several' },
  question:
    () =>
    ({ names, several }) =>
      `All addresses in ${several ? 'them' : 'it'} will be lost. Delete ${names}`,
  done: (_answer, { name }) => `Deleted ${name}`,
  help: {
    details: 'A shared range cannot be deleted.',
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
      test: 'region=us-east',
      key: 'range',
      examples: [{ what: 'Ranges of a region', line: 'skyctl ipv6 ranges list --filter region=us-east' }],
    }),
    createRange,
    viewCommand(rangeResource, {
      columns: columnsFor<AnswerRecord<typeof ipv6Ranges.view>>(['range', 'prefix', 'region', 'is_bgp', 'computes']),
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
      test: 'region=us-east',
      key: 'range',
      details:
        'A pool is routed to all your compute instances of a region: each can use any address in it without further ' +
        'configuration.',
      examples: [{ what: 'Pools of a region', line: 'skyctl ipv6 pools list --filter region=us-east' }],
    }),
  ),
}

const group: CommandGroup = { name: 'ipv6', summary: 'IPv6 pools and ranges', commands: eagerCommands(pools, ranges) }

export default group
