import { viewCommand } from '../../engine/view-command'
import { volumeColumns, volumeResource } from './resource'

export const viewVolume = viewCommand(volumeResource, {
  columns: volumeColumns,
  examples: [{ what: 'Only its status, for a script', line: 'skyctl volumes view data-1 --query status -o tsv' }],
})
