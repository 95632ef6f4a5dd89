import { history } from '../../catalogue/history'
import { type AnswerRecord, fieldPaths } from '../../catalogue/operation'
import type { Command } from '../../engine/command'
import { outputFlags } from '../../engine/flags'
import { viewOf } from '../../engine/printing'
import type { Session } from '../../engine/session'
import { ignoreProblem } from '../../errors'
import { columnsFor } from '../../output/column'
import { printOne } from '../../output/print'
import { accountFlag, type ChangeRecord, changeOf, numberArgument, recordOf } from './describe-change'

const fields = [...fieldPaths(history.list), 'before']

export const viewChange: Command = {
  name: 'view',
  aliases: ['get', 'show', 'describe'],
  summary: history.view.summary,
  paged: true,
  records: history.view,
  arguments: [numberArgument],
  flags: outputFlags,
  examples: [{ what: 'The replaced values of a change', line: 'skyctl history view 1 --query before' }],
  async run({ arguments: [argument = ''], flags }, session) {
    const view = await viewOf({ fields, columns: viewColumns, key: 'number' }, flags, session)
    const { change, all } = await changeOf(argument, session)
    const before = change.past.before ?? (await rulesBefore(change, session))
    const record = { ...recordOf(change, await accountFlag(session), all), before: before ?? null }
    await printOne(record, view, session.ui.stdout)
  },
}

/** Returns the rules before a change; undefined if their backup is gone or damaged. */
async function rulesBefore({ past }: ChangeRecord, session: Session) {
  if (past.copy === undefined) return undefined
  const { changeAt } = await import('../../account/rule-backups')
  return (await changeAt(past.copy, session.account).catch(ignoreProblem))?.before
}

const viewColumns = columnsFor<AnswerRecord<typeof history.list>>([
  ...([
    'number',
    'time',
    'context',
    'service',
    'username',
    'command',
    'apply',
    'undoes',
    'kind',
    'id',
    'label',
    'outcome',
    'code',
    'status',
  ] as const),
  ...(['request_ids', 'next', 'undo', 'no_undo'] as const),
])
