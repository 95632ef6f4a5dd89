/** Implements `view`: shows the named objects. */

import { findTarget, ofParent, type Resource } from '../account/resource'
import { fieldPaths } from '../catalogue/operation'
import type { Column } from '../output/column'
import { printOne } from '../output/print'
import type { Command } from './command'
import { concurrencyFlag, outputFlags } from './flags'
import { viewOf } from './printing'
import { accountFor, readTargets, targetArguments } from './targets'

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
      const targets = await readTargets(input, resource, session)
      const own = await ofParent(resource, input.arguments, session.account)
      const account = await accountFor(targets, own, session.account)
      await forEachTarget(
        targets,
        {
          verb: 'view',
          changes: false,
          act: async (target) => (await findTarget(target, own, account, { record: true })).record,
          one: (record) => printOne(record, view, session.ui.stdout),
          several: (outcomes) => printOutcomes(outcomes, { view, session }),
        },
        { flags: input.flags, session },
      )
    },
  }
}
