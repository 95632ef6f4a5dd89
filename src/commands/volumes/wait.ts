import { sharingPlace } from '../../account/account'
import { active, attachedTo, deleted, detached, volumeResource } from '../../account/resources/volume'
import type { Condition } from '../../account/wait'
import { fieldPaths } from '../../catalogue/operation'
import { volumes } from '../../catalogue/volumes'
import { waitTimeoutFlag } from '../../engine/change-flags'
import type { Command, Flags } from '../../engine/command'
import { choiceFlag } from '../../engine/flag-values'
import { concurrencyFlag, outputFlags } from '../../engine/flags'
import { viewOf } from '../../engine/printing'
import { targetArguments } from '../../engine/target-arguments'
import { accountFor, readTargets } from '../../engine/targets'
import { volumeColumns } from './columns'

const conditions = [active, attachedTo(), detached, deleted]
const names = conditions.map(({ name }) => name)

export const waitForVolume: Command = {
  name: 'wait',
  summary: 'Wait until volumes reach a state',
  operations: [volumes.view],
  records: volumes.view,
  details: 'Prints the volume when the state is reached. Exits with 10 after the timeout.',
  arguments: targetArguments(volumeResource, 'many'),
  flags: [
    { name: 'for', value: 'state', description: names.join(', '), defaultText: active.name, values: names },
    waitTimeoutFlag,
    concurrencyFlag,
    ...outputFlags,
  ],
  examples: [{ what: 'Wait until a volume is detached', line: 'skyctl volumes wait data-2 --for detached' }],
  async run(input, session) {
    const { awaitVolume } = await import('../../account/actions/await-volume')
    const { resolveTarget } = await import('../../account/resolved-target')
    const { forEachTarget } = await import('../../engine/bulk')
    const { printAnswers } = await import('../../engine/print-answers')
    const { printOutcomes } = await import('../../engine/print-outcomes')
    const { flags } = input
    const condition = conditionOf(flags)
    const view = await viewOf({ fields: fieldPaths(volumes.view), columns: volumeColumns }, input.flags, session)
    const targets = await readTargets(input, volumeResource, session)
    const account = await accountFor(targets, volumeResource, session.account)
    await forEachTarget(
      targets.map((target) => resolveTarget(target, volumeResource, { account, dry: false })),
      {
        verb: 'await',
        changes: false,
        act: (target, whileWaiting) => awaitVolume(target, condition, sharingPlace(account, whileWaiting)),
        one: (record) => printAnswers([record], { view, session }, { several: false, rows: true }),
        several: (outcomes) => printOutcomes(outcomes, { view, session }),
      },
      { flags: input.flags, session },
    )
  },
}

function conditionOf(flags: Flags): Condition {
  const chosen = choiceFlag(flags, 'for', names)
  return conditions.find(({ name }) => name === chosen) ?? active
}
