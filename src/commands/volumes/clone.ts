import * as actions from '../../account/actions/volumes'
import { volumeResource } from '../../account/resources/volume'
import { changeCommand } from '../../engine/change-command'
import { checkLabel } from '../../engine/duplicate-labels'
import { allowDuplicateFlag } from '../../engine/flags'
import { sizeText } from '../sentences'
import { volumeColumns } from './columns'

export const cloneVolume = changeCommand({
  name: 'clone',
  action: actions.cloneVolume,
  columns: volumeColumns,
  input: {
    flags: (derived) => [...derived, allowDuplicateFlag],
    check: ({ label }, step) => checkLabel(label, volumeResource, step),
  },
  done: ({ size }, { name }) => `Created ${name}: a copy of ${sizeText(size)}, billed until it is deleted`,
  help: {
    examples: [{ what: 'A copy to try an upgrade on', line: 'skyctl volumes clone data-1 --label data-copy --wait' }],
  },
})
