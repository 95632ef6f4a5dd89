/** Implements `view`: shows the named objects. */

import { type Account, manyObjects } from '../account/account'
import { findTarget, ofParent } from '../account/find-target'
import { groupOf, type Item, listOf, type Resource, type Target } from '../account/resource'
import { fieldPaths } from '../catalogue/operation'
import { isGone, Problem } from '../errors'
import type { Column } from '../output/column'
import { printOne } from '../output/print'
import { shellWord } from '../rules/texts'
import type { Command } from './command'
import { concurrencyFlag, outputFlags } from './flags'
import { viewOf } from './printing'
import type { Pace } from './request-pace'
import { targetArguments } from './target-arguments'
import { accountFor, readTargets } from './targets'

interface Show extends Pick<Command, 'details' | 'moreDetails' | 'examples'> {
  columns: readonly Column[]
}

export function viewCommand(resource: Resource, { columns, ...texts }: Show): Command {
  const { key } = resource
  const shown = { fields: fieldPaths(resource.view), more: true as const, columns, ...(key && { key }) }
  return {
    name: 'view',
    aliases: ['get', 'show', 'describe'],
    summary: resource.view.summary,
    paged: true,
    operations: [resource.view],
    records: resource.view,
    arguments: targetArguments(resource, 'many'),
    flags: [concurrencyFlag, ...outputFlags],
    ...texts,
    async run(input, session) {
      const [{ forEachTarget }, { printOutcomes }] = await Promise.all([import('./bulk'), import('./print-outcomes')])
      const view = await viewOf(shown, input.flags, session)
      if (input.flags.json) refuseFields(input.arguments, resource)
      const targets = await readTargets(input, resource, session)
      const own = await ofParent(resource, input.arguments, session.account)
      const account = await accountFor(targets, own, session.account)
      const pace = await paceFor(targets.length, own, account)
      await forEachTarget(
        targets,
        {
          verb: 'view',
          changes: false,
          act: (target, _whileWaiting, whilePaused) =>
            pace(() => viewTarget(target, { resource: own, account, count: targets.length }), whilePaused),
          one: (record) => printOne(record, view, session.ui.stdout),
          several: (outcomes) => printOutcomes(outcomes, { view, session }),
        },
        { flags: input.flags, session },
      )
    },
  }
}

/** Returns what starts each read: at once, unless many objects are read one by one, not from their list. */
async function paceFor(count: number, resource: Resource, account: Account): Promise<Pace> {
  if (count < manyObjects || listOf(resource, account)) return (work) => work()
  return (await import('./request-pace')).paceOf({ operation: resource.view, noun: resource.noun, count }, account)
}

/** Reads the object of a target. If there is no other target, an object that was not found is looked for among other kinds. */
export async function viewTarget(
  target: Target,
  { resource, account, count }: { resource: Resource; account: Account; count: number },
): Promise<Item | undefined> {
  try {
    return (await findTarget(target, resource, account, { record: true })).record
  } catch (error) {
    if (count > 1) throw withFieldHint(error, target, resource)
    throw await (await import('./other-kind')).withOtherKind(error, target, { resource, account })
  }
}

/** `volumes view data --json label,size`, as gh has it: the last word names fields, or all would be printed. */
function refuseFields(words: readonly string[], resource: Resource): void {
  const last = words.at(-1) ?? ''
  if (words.length < 2 || !/^\w+(,\w+)+$/.test(last)) return
  const line = ['skyctl', groupOf(resource), 'view', ...words.slice(0, -1).map(shellWord), '--json', '--columns', last]
  throw new Problem('usage', `unexpected argument "${last}"`, { hint: `Name fields with --columns: ${line.join(' ')}` })
}

/** `volumes view data --json size`, as gh has it: the last word is a field, not another object: a script wants its value. */
function withFieldHint(error: unknown, { input }: Target, { view }: Resource): unknown {
  if (!(error instanceof Problem) || !isGone(error) || !fieldPaths(view).includes(input)) return error
  const hint = `For that field alone, write --query ${input}`
  return error.with({ hint })
}
