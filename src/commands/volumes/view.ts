import { volumeResource } from '../../account/resources/volume'
import { viewCommand } from '../../engine/view-command'
import { volumeColumns } from './columns'

export const viewVolume = viewCommand(volumeResource, {
  columns: volumeColumns,
  examples: [{ what: 'Only its status, for a script', line: 'skyctl volumes view data-1 --query status -o tsv' }],
})
