import { volumes } from '../../catalogue/volumes'
import { changeCommand } from '../../engine/change-command'
import { volumeColumns, volumeResource } from './resource'

export const deleteVolume = changeCommand({
  name: 'delete',
  aliases: ['rm', 'remove'],
  operation: volumes.delete,
  resource: volumeResource,
  columns: volumeColumns,
  many: true,
  question: () => (names) => `Delete ${names} with all data for ever`,
  done: (_answer, { name }) => `Deleted ${name}`,
  examples: [
    { what: 'Ask first, then delete', line: 'skyctl volumes delete data-2' },
    {
      what: 'Every volume with a tag, from a script',
      line: 'skyctl volumes list --filter tags=backup --quiet | skyctl volumes delete - --yes',
    },
    {
      what: 'The same, with a journal to go on from after a crash',
      line: 'skyctl volumes list --filter tags=backup --quiet | skyctl volumes delete - --yes --journal done.ndjson',
    },
  ],
})
