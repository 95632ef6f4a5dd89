import { volumes } from '../../catalogue/volumes'
import { changeCommand } from '../../engine/change-command'
import { type Item, nameOf } from '../../engine/resource'
import { Problem } from '../../errors'
import { detached, volumeColumns, volumeResource } from './resource'

/** Returns a problem for an attached or migrating volume, which cannot be deleted. */
function refusalToDelete(volume: Item): Problem | undefined {
  const name = nameOf(volumeResource, { id: volume.id, record: volume })
  if (!detached.met(volume)) {
    return new Problem('conflict', `${name} is attached to compute instance ${volume.compute_id}`, {
      hint: `Detach it first: skyctl volumes detach ${volume.id} --wait`,
    })
  }
  return volume.status === 'migrating' ? new Problem('conflict', `${name} is migrating`) : undefined
}

export const deleteVolume = changeCommand({
  name: 'delete',
  aliases: ['rm', 'remove'],
  operation: volumes.delete,
  resource: volumeResource,
  columns: volumeColumns,
  many: true,
  question:
    () =>
    ({ names }) =>
      `The data will be lost for ever. Delete ${names}`,
  refusal: refusalToDelete,
  done: (_answer, { name }) => `Deleted ${name}`,
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
})
