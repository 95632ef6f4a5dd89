/** Implements flags that add to a list of an object and remove from it, unlike those that set the whole list. */
import type { ChangeOptions, RequestBody } from '../account/change-context'
import type { CommandContext } from '../engine/change-command-context'
import type { Flags } from '../engine/command'
import { listFlag } from '../engine/flag-values'
import { Problem } from '../errors'
import { listed } from '../rules/texts'

/** Returns the change that `--add-ITEM` and `--remove-ITEM` ask for. */
export function addRemoveOptions(
  flags: Flags,
  { field, item }: { field: string; item: string },
): Pick<ChangeOptions, 'list'> {
  const [add, remove] = [listFlag(flags, `add-${item}`), listFlag(flags, `remove-${item}`)]
  return add || remove ? { list: { field, add: add ?? [], remove: remove ?? [] } } : {}
}

/**
 * Returns the body with the changed list, as far as it is known before sending. `read` reads the object; `both` is the
 * message of the `usage` problem if the body has a whole list, too.
 */
export async function withAddedAndRemoved(
  body: RequestBody,
  { options: { list } }: CommandContext,
  { both, read }: { both: string; read(): Promise<RequestBody | undefined> },
): Promise<RequestBody> {
  if (!list) return body
  if (body[list.field] !== undefined) throw new Problem('usage', both)
  const { changedList } = await import('../account/list-update')
  return { ...body, [list.field]: changedList((await read())?.[list.field], list) }
}

/** Items of a list as messages name them, the flag that sets all of them, and the one that adds to them. */
interface WholeList {
  items: string
  flag: string
  adding: string
}

/** Names the items that a flag for the whole list leaves out: the same flag of other tools adds one. */
export async function sayReplaced(
  left: readonly string[],
  { items, flag, adding }: WholeList,
  { session }: CommandContext,
): Promise<void> {
  if (left.length > 0) await session.ui.status(`${flag} replaces the ${items} ${listed(left)}; ${adding} keeps them`)
}
