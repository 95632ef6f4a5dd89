import { volumes } from '../../catalogue/volumes'
import { columns } from '../../engine/columns'

export const volumeColumns = columns(volumes.list, [
  'id',
  'label',
  'status',
  { path: 'size', unit: 'GiB' },
  'region',
  { path: 'compute_id', priority: 'low' },
  { path: 'compute_label', priority: 'high' },
])
