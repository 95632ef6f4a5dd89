import { clearHistory, readHistory } from '../../account/ledger/reader'
import type { Command } from '../../engine/command'
import { confirm } from '../../engine/confirm'
import { hiddenOutputFlags } from '../../engine/flags'
import { printAnswer } from '../../engine/print-answers'
import { viewOf } from '../../engine/printing'
import { counted } from '../../rules/texts'

export const clearChanges: Command = {
  name: 'clear',
  asks: true,
  summary: 'Remove the history of this machine',
  details: 'Resources stay unchanged, but changes can no longer be undone from here. Keeps copies of rules.',
  flags: hiddenOutputFlags,
  examples: [{ what: 'Before giving a machine away', line: 'skyctl history clear --yes' }],
  async run({ flags }, session) {
    const view = await viewOf({ columns: [] }, flags, session)
    const { length } = await readHistory(session.account)
    const changes = counted(length, 'change')
    await confirm(`Undo from here will no longer be possible. Remove the history of ${changes}`, session, {
      local: true,
    })
    await clearHistory(session.account)
    await session.ui.status(`Removed the history of ${changes}`)
    await printAnswer({}, { view, session })
  },
}
