import * as actions from '../../account/actions/volumes'
import { changeCommand } from '../../engine/change-command'
import { sentences } from '../sentences'
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
    examples: [
      { what: 'Ask first, then delete', line: 'skyctl volumes delete data-2' },
      {
        what: 'Every volume with a tag, from a script',
        line: 'skyctl volumes list --filter tags=backup --quiet | skyctl volumes delete - --yes',
      },
      {
        what: 'Delete with a journal, for --resume after a crash',
        line: 'skyctl volumes list --filter tags=backup --quiet | skyctl volumes delete - --yes --journal done.ndjson',
      },
    ],
  },
})
