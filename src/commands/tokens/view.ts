import { viewCommand } from '../../engine/view-command'
import { tokenColumns } from './columns'
import { tokenResource } from './resource'

export const viewToken = viewCommand(tokenResource, {
  columns: tokenColumns,
  examples: [{ what: 'When a token expires', line: 'skyctl tokens view deploy --query expiry -o tsv' }],
})
