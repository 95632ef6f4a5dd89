import * as actions from '../../account/actions/volumes'
import { changeCommand } from '../../engine/change-command'
import { sizeText, volumeColumns } from './columns'

export const resizeVolume = changeCommand({
  name: 'resize',
  action: actions.resizeVolume,
  columns: volumeColumns,
  already: ({ name, body }) => `${name} already has ${body.size} GiB`,
  done: ({ size }, { name }) => `Resizing ${name} to ${sizeText(size)}`,
  help: {
    examples: [
      { what: 'Grow to 80 GiB and wait until it is usable', line: 'skyctl volumes resize data-1 --size 80 --wait' },
    ],
  },
})
