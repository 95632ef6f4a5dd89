import * as actions from '../../account/actions/volumes'
import { changeCommand } from '../../engine/change-command'
import { sentences } from '../sentences'
import { volumeColumns } from './columns'

export const attachVolume = changeCommand({
  name: 'attach',
  action: actions.attachVolume,
  columns: volumeColumns,
  ...sentences['volumes attach'],
  help: {
    examples: [
      { what: 'Attach at this and every boot', line: 'skyctl volumes attach data-2 --compute-id 1001' },
      {
        what: 'Until the next boot only',
        line: 'skyctl volumes attach data-2 --compute-id 1001 --no-persist-across-boots',
      },
    ],
  },
})
