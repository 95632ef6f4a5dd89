import { volumes } from '../../catalogue/volumes'
import { changeCommand, recordShows } from '../../engine/change-command'
import { Problem } from '../../errors'
import { active, sizeText, volumeColumns, volumeResource } from './resource'

export const resizeVolume = changeCommand({
  name: 'resize',
  operation: volumes.resize,
  resource: volumeResource,
  columns: volumeColumns,
  async check({ size }, { record }) {
    const volume = await record()
    const present = volume?.size
    if (typeof present !== 'number' || Number(size) >= present) return
    throw new Problem('conflict', `volume "${volume?.label}" has ${present} GiB, and its size can only be increased`, {
      errors: [{ field: 'size', reason: `Must be greater than ${present}` }],
    })
  },
  noopMessage: ({ name, body }) => `${name} has ${body.size} GiB already`,
  done: ({ size }, { name }) => `Resizing ${name} to ${sizeText(size)}`,
  wait: () => active,
  findDone: recordShows('size', (volume, { size }) => volume.size === size),
  examples: [
    { what: 'Grow to 80 GiB and wait until it is usable', line: 'skyctl volumes resize data-1 --size 80 --wait' },
  ],
})
