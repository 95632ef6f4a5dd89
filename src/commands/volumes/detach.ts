import * as actions from '../../account/actions/volumes'
import { changeCommand } from '../../engine/change-command'
import { sentences } from '../change-messages'
import { volumeColumns } from './columns'

export const detachVolume = changeCommand({
  name: 'detach',
  action: actions.detachVolume,
  columns: volumeColumns,
  input: { accepts: 'several' },
  question:
    () =>
    ({ names }) =>
      `Unwritten data will be lost. Detach ${names}`,
  ...sentences['volumes detach'],
  help: {
    details: 'Unmount the volume inside the compute instance first: unwritten data is lost.',
    moreDetails: 'If a compute instance is deleted, its volumes are detached automatically.',
    examples: [{ what: 'Detach, and wait until it is done', line: 'skyctl volumes detach data-1 --wait --yes' }],
  },
})
