import * as actions from '../../account/actions/tokens'
import { changeCommand } from '../../engine/change-command'
import { tokenColumns } from './columns'

export const updateToken = changeCommand({
  name: 'update',
  aliases: ['set'],
  action: actions.updateToken,
  columns: tokenColumns,
  done: (_answer, { name }) => `Updated ${name}`,
  help: {
    examples: [{ what: 'Another label', line: 'skyctl tokens update deploy --label deploy-2027' }],
  },
})
