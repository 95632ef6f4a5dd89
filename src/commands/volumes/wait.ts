import { volumes } from '../../catalogue/volumes'
import type { Command } from '../../engine/command'
import { outputFlags } from '../../engine/flags'
import { textFlag } from '../../engine/given'
import { findTarget, type Item } from '../../engine/resource'
import { forEachTarget, readTargets, targetArguments } from '../../engine/targets'
import { fieldPaths, viewOf } from '../../engine/view'
import { waitTimeout, waitUntil } from '../../engine/wait'
import { Problem } from '../../errors'
import { isForPeople } from '../../output/formats'
import { printMany, printOne } from '../../output/print'
import { active, attachedTo, deleted, detached, volumeColumns, volumeResource } from './resource'

const conditions = [active, attachedTo(), detached, deleted]
const names = conditions.map(({ name }) => name)

export const waitForVolume: Command = {
  name: 'wait',
  summary: 'Wait until volumes are in a state',
  operations: [volumes.view],
  records: volumes.view,
  details: 'Prints the volume when it is as wanted. Ends with exit code 10 when the time is up.',
  arguments: targetArguments(volumeResource, true),
  flags: [
    { name: 'for', value: 'state', description: `${names.join(', ')} (default active)`, values: names },
    { name: 'wait-timeout', value: 'time', description: 'How long to wait (default 5m)' },
    ...outputFlags,
  ],
  examples: [{ what: 'Go on when a detached volume is really free', line: 'skyctl volumes wait data --for detached' }],
  async run(input, context) {
    const wanted = textFlag(input.flags, 'for') ?? active.name
    const condition = conditions.find(({ name }) => name === wanted)
    if (!condition) throw new Problem('usage', `--for: "${wanted}" is not one of ${names.join(', ')}`)
    const timeoutMs = waitTimeout(input.flags)
    const view = await viewOf({ fields: fieldPaths(volumes.view), columns: volumeColumns }, input.flags, context)
    const targets = await readTargets(input, volumeResource, context)
    await forEachTarget(
      targets,
      async (target) => {
        const { id } = await findTarget(target, volumeResource, context, { record: false })
        return (await waitUntil(condition, { id, resource: volumeResource, context, timeoutMs })) ?? ({} as Item)
      },
      async (records) => {
        const gone = condition === deleted
        if (gone && isForPeople(view.format)) return
        if (targets.length !== 1 || isForPeople(view.format)) await printMany(records, view, context.stdout)
        else await printOne(records[0], view, context.stdout)
      },
    )
  },
}
