import * as actions from '../../account/actions/volumes'
import { changeCommand } from '../../engine/change-command'
import { sentences } from '../change-messages'
import { volumeColumns } from './columns'

export const deleteVolume = changeCommand({
  name: 'delete',
  aliases: ['rm', 'remove'],
  action: actions.deleteVolume,
  columns: volumeColumns,
  input: { accepts: 'several' },
  question:
    () =>
    ({ names }) =>
      `The data will be lost for ever. Delete ${names}`,
  refusal: actions.refusalToDelete,
  ...sentences['volumes delete'],
  help: {
    details:
      'The data is gone for ever. An attached volume must be detached first, and one that is migrating cannot be ' +
      'deleted until that is over. The time used until now is billed.',
    examples: [
      { what: 'Ask first, then delete', line: 'skyctl volumes delete data-2' },
      {
        what: 'Delete all volumes with a tag',
        line: 'skyctl volumes list --filter tags=backup --quiet | skyctl volumes delete - --yes',
      },
      {
        what: 'Delete with a journal, for --resume after a crash',
        line: 'skyctl volumes list --filter tags=backup --quiet | skyctl volumes delete - --yes --journal done.ndjson',
      },
    ],
  },
})
