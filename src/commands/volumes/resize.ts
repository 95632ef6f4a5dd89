import * as actions from '../../account/actions/volumes'
import { changeCommand } from '../../engine/change-command'
import { sentences } from '../change-messages'
import { volumeColumns } from './columns'

export const resizeVolume = changeCommand({
  name: 'resize',
  action: actions.resizeVolume,
  columns: volumeColumns,
  input: { accepts: 'several' },
  ...sentences['volumes resize'],
  help: {
    details: 'Only a volume with the status active can be resized.',
    examples: [
      { what: 'Grow to 80 GiB and wait until it is usable', line: 'skyctl volumes resize data-1 --size 80 --wait' },
    ],
  },
})
