import { ips } from '../../catalogue/ips'
import { columns } from '../../engine/columns'

export const ipColumns = columns(ips.list, ['address', 'type', 'public', 'compute_id', 'region', 'rdns'])
