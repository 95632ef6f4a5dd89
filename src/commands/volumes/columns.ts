import { volumes } from '../../catalogue/volumes'
import { columns } from '../../engine/columns'

export const volumeColumns = columns(volumes.list, [
  'id',
  'label',
  'status',
  { path: 'size', unit: 'GiB' },
  'region',
  'compute_id',
  'compute_label',
])
