import { volumes } from '../../catalogue/volumes'
import type { Command } from '../../engine/command'
import { textFlag } from '../../engine/flag-values'
import { concurrencyFlag, outputFlags } from '../../engine/flags'
import { fieldPaths, viewOf } from '../../engine/printing'
import { findTarget } from '../../engine/resource'
import { readTargets, targetArguments } from '../../engine/targets'
import { isGone, Problem } from '../../errors'
import { active, attachedTo, deleted, detached, volumeColumns, volumeResource } from './resource'

const conditions = [active, attachedTo(), detached, deleted]
const names = conditions.map(({ name }) => name)

export const waitForVolume: Command = {
  name: 'wait',
  summary: 'Wait until volumes are in a state',
  operations: [volumes.view],
  records: volumes.view,
  details: 'Prints the volume when it is as wanted. Ends with exit code 10 when the time is up.',
  arguments: targetArguments(volumeResource, 'many'),
  flags: [
    { name: 'for', value: 'state', description: names.join(', '), defaultText: active.name, values: names },
    { name: 'wait-timeout', value: 'time', description: 'How long to wait', defaultText: '5m' },
    concurrencyFlag,
    ...outputFlags,
  ],
  examples: [
    { what: 'Go on when a detached volume is really free', line: 'skyctl volumes wait data-2 --for detached' },
  ],
  async run(input, session) {
    const { waitTimeout, waitUntil } = await import('../../engine/wait')
    const { forEachTarget } = await import('../../engine/bulk')
    const { printAnswers, printOutcomes } = await import('../../engine/print-answers')
    const wanted = textFlag(input.flags, 'for') ?? active.name
    const condition = conditions.find(({ name }) => name === wanted)
    if (!condition) throw new Problem('usage', `--for: "${wanted}" is not one of ${names.join(', ')}`)
    const timeoutMs = waitTimeout(input.flags)
    const view = await viewOf({ fields: fieldPaths(volumes.view), columns: volumeColumns }, input.flags, session)
    const targets = await readTargets(input, volumeResource, session)
    const orAbsent = (error: unknown) => {
      if (!isGone(error) || !condition.met(null)) throw error
    }
    await forEachTarget(
      targets,
      {
        verb: 'await',
        changes: false,
        act: async (target) => {
          const found = await findTarget(target, volumeResource, session, { record: false }).catch(orAbsent)
          if (!found) return {}
          const isFirst = found.record === undefined
          return (await waitUntil(condition, { ...found, resource: volumeResource, session, timeoutMs, isFirst })) ?? {}
        },
        one: (record) => printAnswers([record], { view, session }, { several: false, rows: true }),
        several: (outcomes) => printOutcomes(outcomes, { view, session }),
      },
      { flags: input.flags, session },
    )
  },
}
