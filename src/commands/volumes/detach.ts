import { volumes } from '../../catalogue/volumes'
import { changeCommand, recordShows } from '../../engine/change-command'
import { ifPresentFlag } from '../../engine/flags'
import { detachedSince, volumeColumns, volumeResource } from './resource'

export const detachVolume = changeCommand({
  name: 'detach',
  operation: volumes.detach,
  resource: volumeResource,
  columns: volumeColumns,
  many: true,
  flags: () => [ifPresentFlag],
  details: 'Unmount the volume inside the compute instance first: unwritten data is lost.',
  question:
    () =>
    ({ names }) =>
      `Unwritten data will be lost. Detach ${names}`,
  done: (_answer, { name }) => `Detached ${name}`,
  noopMessage: ({ name }) => `${name} is attached to no compute instance`,
  wait: (_body, before) => detachedSince(before),
  async findDone(body, step) {
    const isDetached = detachedSince(await step.record()).met
    return recordShows('compute_id', isDetached)(body, step)
  },
  examples: [{ what: 'Detach, and wait until it is done', line: 'skyctl volumes detach data-1 --wait --yes' }],
})
