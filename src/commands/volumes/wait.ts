import { volumes } from '../../catalogue/volumes'
import type { Command } from '../../engine/command'
import { textFlag } from '../../engine/flag-values'
import { concurrencyFlag, outputFlags } from '../../engine/flags'
import { fieldPaths, viewOf } from '../../engine/printing'
import { findTarget, type Item } from '../../engine/resource'
import { readTargets, targetArguments } from '../../engine/targets'
import { Problem } from '../../errors'
import { isForPeople } from '../../output/formats'
import { printList, printMany, printOne } from '../../output/print'
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
    { name: 'for', value: 'state', description: names.join(', '), usual: active.name, values: names },
    { name: 'wait-timeout', value: 'time', description: 'How long to wait', usual: '5m' },
    concurrencyFlag,
    ...outputFlags,
  ],
  examples: [
    { what: 'Go on when a detached volume is really free', line: 'skyctl volumes wait data-2 --for detached' },
  ],
  async run(input, session) {
    const { waitTimeout, waitUntil } = await import('../../engine/wait')
    const { forEachTarget, resultsOf } = await import('../../engine/bulk')
    const wanted = textFlag(input.flags, 'for') ?? active.name
    const condition = conditions.find(({ name }) => name === wanted)
    if (!condition) throw new Problem('usage', `--for: "${wanted}" is not one of ${names.join(', ')}`)
    const timeoutMs = waitTimeout(input.flags)
    const view = await viewOf({ fields: fieldPaths(volumes.view), columns: volumeColumns }, input.flags, session)
    const targets = await readTargets(input, volumeResource, session)
    const forPeople = isForPeople(view.format)
    // Of what is gone, there is nothing for a person to see.
    const shown = (record: Item) => (forPeople && condition === deleted ? [] : [record])
    async function* shownOf(pages: AsyncIterable<Item[]>) {
      for await (const page of pages) yield page.flatMap(shown)
    }
    await forEachTarget(
      targets,
      {
        verb: 'wait',
        changes: false,
        act: async (target) => {
          const { id } = await findTarget(target, volumeResource, session, { record: false })
          return (await waitUntil(condition, { id, resource: volumeResource, session, timeoutMs })) ?? ({} as Item)
        },
        one: (record) =>
          forPeople ? printMany(shown(record), view, session.stdout) : printOne(record, view, session.stdout),
        several: (outcomes) => printList(shownOf(resultsOf(outcomes)), view, session.stdout),
      },
      { flags: input.flags, session },
    )
  },
}
