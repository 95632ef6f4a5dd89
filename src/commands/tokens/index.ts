import { tokens } from '../../catalogue/tokens'
import { changeCommand } from '../../engine/change-command'
import type { Group } from '../../engine/command'
import { viewCommand } from '../../engine/view-command'
import { tokenColumns } from './columns'
import { createToken } from './create'
import { listTokens } from './list'
import { tokenResource } from './resource'
import { revokeToken } from './revoke'
import { rotateToken } from './rotate'

const updateToken = changeCommand({
  name: 'update',
  aliases: ['set'],
  operation: tokens.update,
  resource: tokenResource,
  columns: tokenColumns,
  done: (_answer, { name }) => `Updated ${name}`,
  examples: [{ what: 'Another label', line: 'skyctl tokens update deploy --label deploy-2027' }],
})

const group: Group = {
  name: 'tokens',
  aliases: ['token'],
  summary: 'Personal access tokens',
  commands: [
    listTokens,
    createToken,
    viewCommand(tokenResource, {
      columns: tokenColumns,
      examples: [{ what: 'When a token expires', line: 'skyctl tokens view deploy --query expiry -o tsv' }],
    }),
    updateToken,
    revokeToken,
    rotateToken,
  ],
}

export default group
