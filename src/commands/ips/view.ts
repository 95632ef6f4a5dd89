import { viewCommand } from '../../engine/view-command'
import { ipColumns, ipResource } from './resource'

export const viewIp = viewCommand(ipResource, {
  columns: ipColumns,
  examples: [{ what: 'Only the reverse DNS', line: 'skyctl ips view 192.0.2.31 --query rdns -o tsv' }],
})
