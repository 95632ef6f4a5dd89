import * as actions from '../../account/actions/tokens'
import { changeCommand } from '../../engine/change-command'
import { sentences } from '../change-messages'
import { tokenColumns } from './columns'

export const updateToken = changeCommand({
  name: 'update',
  aliases: ['set'],
  action: actions.updateToken,
  columns: tokenColumns,
  ...sentences['tokens update'],
  help: {
    details: 'The scopes of a token cannot change, and it cannot be renewed: "tokens rotate" replaces it.',
    examples: [{ what: 'Another label', line: 'skyctl tokens update deploy --label deploy-2027' }],
  },
})
