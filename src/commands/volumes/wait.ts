import { findTarget, type Item, type Target } from '../../account/resource'
import { active, attachedTo, deleted, detached, volumeResource } from '../../account/resources/volume'
import { fieldPaths } from '../../catalogue/operation'
import { volumes } from '../../catalogue/volumes'
import type { Flags, PerformingCommand } from '../../engine/command'
import { waitTimeout } from '../../engine/command-context'
import { textFlag } from '../../engine/flag-values'
import { concurrencyFlag, outputFlags } from '../../engine/flags'
import { viewOf } from '../../engine/printing'
import { readTarget, readTargets, targetArguments } from '../../engine/targets'
import { isGone, Problem } from '../../errors'
import type { Session } from '../../session'
import { volumeColumns } from './columns'

const conditions = [active, attachedTo(), detached, deleted]
const names = conditions.map(({ name }) => name)

export const waitForVolume: PerformingCommand = {
  name: 'wait',
  summary: 'Wait until volumes are in a state',
  operations: [volumes.view],
  records: volumes.view,
  details: 'Prints the volume when the state is reached. Exits with 10 after the timeout.',
  arguments: targetArguments(volumeResource, 'many'),
  flags: [
    { name: 'for', value: 'state', description: names.join(', '), defaultText: active.name, values: names },
    { name: 'wait-timeout', value: 'time', description: 'How long to wait', defaultText: '5m' },
    concurrencyFlag,
    ...outputFlags,
  ],
  examples: [{ what: 'Wait until a volume is detached', line: 'skyctl volumes wait data-2 --for detached' }],
  async run(input, session) {
    const { forEachTarget } = await import('../../engine/bulk')
    const { printAnswers, printOutcomes } = await import('../../engine/print-answers')
    const awaitOne = await awaiting(input.flags, session)
    const view = await viewOf({ fields: fieldPaths(volumes.view), columns: volumeColumns }, input.flags, session)
    const targets = await readTargets(input, volumeResource, session)
    await forEachTarget(
      targets,
      {
        verb: 'await',
        changes: false,
        act: awaitOne,
        one: (record) => printAnswers([record], { view, session }, { several: false, rows: true }),
        several: (outcomes) => printOutcomes(outcomes, { view, session }),
      },
      { flags: input.flags, session },
    )
  },
  async perform(action, session) {
    const awaitOne = await awaiting(action.flags, session)
    return awaitOne(await readTarget(action, volumeResource, session))
  },
}

/** Returns a function that waits for the state that the flags name, and resolves to the volume as it is then. */
async function awaiting(flags: Flags, session: Session): Promise<(target: Target) => Promise<Partial<Item>>> {
  const { waitUntil } = await import('../../account/wait')
  const wanted = textFlag(flags, 'for') ?? active.name
  const condition = conditions.find(({ name }) => name === wanted)
  if (!condition) throw new Problem('usage', `--for: "${wanted}" is not one of ${names.join(', ')}`)
  const timeoutMs = waitTimeout(flags)
  const orAbsent = (error: unknown) => {
    if (!isGone(error) || !condition.met(null)) throw error
  }
  return async (target) => {
    const found = await findTarget(target, volumeResource, session, { record: false }).catch(orAbsent)
    if (!found) return {}
    const isFirst = found.record === undefined
    return (
      (await waitUntil(condition, { ...found, resource: volumeResource, account: session, timeoutMs, isFirst })) ?? {}
    )
  }
}
