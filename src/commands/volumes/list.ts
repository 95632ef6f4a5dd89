import { volumes } from '../../catalogue/volumes'
import { listCommand } from '../../engine/list'
import { volumeColumns } from './columns'

export const listVolumes = listCommand(volumes.list, {
  columns: volumeColumns,
  plural: 'volumes',
  test: 'size>=40',
  examples: [
    {
      what: 'All volumes of a region, largest first',
      line: 'skyctl volumes list --filter region=us-east --sort -size',
    },
    {
      what: 'Unattached volumes older than 30 days',
      line: "skyctl volumes list --filter compute_id=none --filter 'created>30d'",
    },
    { what: 'Labels and sizes for a spreadsheet', line: 'skyctl volumes list -o csv --columns label,size' },
  ],
})
