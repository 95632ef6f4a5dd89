import { tokens } from '../../catalogue/tokens'
import { changeCommand } from '../../engine/change-command'
import type { Group } from '../../engine/command'
import { viewCommand } from '../../engine/view-command'
import { tokenColumns } from './columns'
import { createToken } from './create'
import { namingLeftOver } from './left-over'
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
    namingLeftOver(listTokens),
    namingLeftOver(createToken),
    namingLeftOver(
      viewCommand(tokenResource, {
        columns: tokenColumns,
        examples: [{ what: 'When a token expires', line: 'skyctl tokens view deploy --query expiry -o tsv' }],
      }),
    ),
    namingLeftOver(updateToken),
    namingLeftOver(revokeToken, 'last'),
    namingLeftOver(rotateToken),
  ],
}

export default group
