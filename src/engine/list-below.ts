/** Implements a list of what belongs to an object, such as the devices of a firewall: the line names the object. */
import { pathBelow } from '../account/find-target'
import type { Resource } from '../account/resource'
import type { Operation } from '../catalogue/operation'
import type { Command } from './command'
import { listCommand } from './list'
import type { ListCommand } from './list-definition'
import { targetArguments } from './target-arguments'

export function listBelow<O extends Operation>(
  parent: Resource,
  operation: O,
  list: Omit<ListCommand<O>, 'arguments' | 'reading'>,
): Command {
  return listCommand(operation, {
    ...list,
    arguments: targetArguments(parent, 'one'),
    reading: async ({ arguments: names }, { account }) => ({ call: { path: await pathBelow(parent, names, account) } }),
  })
}
