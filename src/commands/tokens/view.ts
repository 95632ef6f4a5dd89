import { tokenResource } from '../../account/resources/token'
import { viewCommand } from '../../engine/view-command'
import { tokenColumns } from './columns'

export const viewToken = viewCommand(tokenResource, {
  columns: tokenColumns,
  details: 'The API shows the first 16 characters of a token only.',
  examples: [{ what: 'Expiry of a token', line: 'skyctl tokens view deploy --query expiry -o tsv' }],
})
