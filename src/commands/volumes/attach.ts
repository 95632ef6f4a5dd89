import * as actions from '../../account/actions/volumes'
import { changeCommand } from '../../engine/change-command'
import { sentences } from '../change-messages'
import { volumeColumns } from './columns'

export const attachVolume = changeCommand({
  name: 'attach',
  action: actions.attachVolume,
  columns: volumeColumns,
  input: { accepts: 'several' },
  ...sentences['volumes attach'],
  help: {
    details:
      'Both must be in the same region. An instance attaches at most 8 volumes at boot. It can have more with ' +
      '--no-persist-across-boots and 16 GB of RAM or more.',
    moreDetails:
      'An instance has at most as many volumes as GB of RAM, up to 64. --config-id must belong to the instance; without it ' +
      'the API selects a configuration, or fails if it cannot.',
    examples: [
      { what: 'Attach at this and every boot', line: 'skyctl volumes attach data-2 --compute-id 1001' },
      {
        what: 'Until the next boot only',
        line: 'skyctl volumes attach data-2 --compute-id 1001 --no-persist-across-boots',
      },
    ],
  },
})
