import { volumes } from '../../catalogue/volumes'
import { changeCommand } from '../../engine/change-command'
import { active, volumeColumns, volumeResource } from './resource'

export const cloneVolume = changeCommand({
  name: 'clone',
  operation: volumes.clone,
  resource: volumeResource,
  columns: volumeColumns,
  done: ({ size }, { name }) => `Created ${name}: a copy of ${size} GiB, billed until it is deleted`,
  wait: () => active,
  examples: [{ what: 'A copy to try an upgrade on', line: 'skyctl volumes clone data --label data-copy --wait' }],
})
