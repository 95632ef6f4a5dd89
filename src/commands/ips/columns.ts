import { ips } from '../../catalogue/ips'
import { columns } from '../../engine/columns'

/** An address tells its type, and public ones are the rule. */
export const ipColumns = columns(ips.list, [
  'address',
  { path: 'type', wide: true },
  { path: 'public', wide: true },
  { path: 'compute_id', heading: 'compute' },
  { path: 'region', priority: 'low' },
  { path: 'rdns', priority: 'high' },
])
