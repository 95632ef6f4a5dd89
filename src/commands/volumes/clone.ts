import { volumes } from '../../catalogue/volumes'
import { changeCommand } from '../../engine/change-command'
import { checkLabel } from '../../engine/duplicate-labels'
import { allowDuplicateFlag } from '../../engine/flags'
import { compareFields } from '../../engine/label-lookup'
import { active, sizeText, volumeColumns, volumeResource } from './resource'

export const cloneVolume = changeCommand({
  name: 'clone',
  operation: volumes.clone,
  resource: volumeResource,
  columns: volumeColumns,
  flags: (made) => [...made, allowDuplicateFlag],
  check: ({ label }, step) => checkLabel(label, volumeResource, step),
  async compare(volume, body, { record }) {
    const source = await record()
    return compareFields(volume, { ...body, size: source?.size, region: source?.region })
  },
  done: ({ size }, { name }) => `Created ${name}: a copy of ${sizeText(size)}, billed until it is deleted`,
  wait: () => active,
  examples: [{ what: 'A copy to try an upgrade on', line: 'skyctl volumes clone data-1 --label data-copy --wait' }],
})
