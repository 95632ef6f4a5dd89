import type { AnswerRecord } from '../../catalogue/operation'
import type { volumes } from '../../catalogue/volumes'
import { columnsFor } from '../../output/column'

export const volumeColumns = columnsFor<AnswerRecord<typeof volumes.list>>([
  'id',
  'label',
  'status',
  { path: 'size', unit: 'GiB' },
  'region',
  { path: 'compute_id', priority: 'low' },
  { path: 'compute_label', priority: 'high' },
  { path: 'tags', priority: 'low' },
])
