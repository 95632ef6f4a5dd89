import type { ips } from '../../catalogue/ips'
import type { AnswerRecord } from '../../catalogue/operation'
import { columnsFor } from '../../output/column'

/** An address tells its type, and public ones are the rule. */
export const ipColumns = columnsFor<AnswerRecord<typeof ips.list>>([
  'address',
  { path: 'type', wide: true },
  { path: 'public', wide: true },
  { path: 'compute_id', heading: 'compute' },
  { path: 'region', priority: 'low' },
  { path: 'rdns', priority: 'high' },
])
