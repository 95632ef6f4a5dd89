/** Implements a list of what belongs to an object, such as the devices of a firewall: the line names the object. */
import { pathBelow } from '../account/find-target'
import type { Resource } from '../account/resource'
import type { Operation } from '../catalogue/operation'
import type { Command } from './command'
import { listCommand } from './list'
import type { ListCommand } from './list-definition'
import { targetArguments } from './target-arguments'

/** `name` is that of the command, if it is not `list`. */
export function listBelow<O extends Operation>(
  parent: Resource,
  operation: O,
  { name, ...list }: Omit<ListCommand<O>, 'arguments' | 'reading'> & { name?: string },
): Command {
  const command = listCommand(operation, {
    ...list,
    arguments: targetArguments(parent, 'one'),
    reading: async ({ arguments: names }, { account }) => ({ call: { path: await pathBelow(parent, names, account) } }),
  })
  return name === undefined ? command : { ...command, name, aliases: [] }
}
