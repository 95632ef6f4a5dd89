import { volumes } from '../../catalogue/volumes'
import type { Group } from '../../engine/command'
import { listCommand } from '../../engine/list'
import { viewCommand } from '../../engine/view-command'
import { attachVolume } from './attach'
import { cloneVolume } from './clone'
import { createVolume } from './create'
import { deleteVolume } from './delete'
import { detachVolume } from './detach'
import { resizeVolume } from './resize'
import { volumeColumns, volumeResource } from './resource'
import { updateVolume } from './update'
import { waitForVolume } from './wait'

const group: Group = {
  name: 'volumes',
  aliases: ['volume'],
  summary: 'Block storage volumes',
  commands: [
    listCommand(volumes.list, {
      columns: volumeColumns,
      plural: 'volumes',
      examples: [
        {
          what: 'All volumes of a region, largest first',
          line: 'skyctl volumes list --filter region=us-east --sort -size',
        },
        {
          what: 'What is attached nowhere, and older than 30 days',
          line: "skyctl volumes list --filter compute_id=none --filter 'created>30d'",
        },
        { what: 'Labels and sizes for a spreadsheet', line: 'skyctl volumes list -o csv --columns label,size' },
      ],
    }),
    createVolume,
    viewCommand(volumeResource, {
      columns: volumeColumns,
      examples: [{ what: 'Only its status, for a script', line: 'skyctl volumes view data-1 --query status -o tsv' }],
    }),
    updateVolume,
    deleteVolume,
    attachVolume,
    detachVolume,
    resizeVolume,
    cloneVolume,
    waitForVolume,
  ],
}

export default group
