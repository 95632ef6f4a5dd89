import { ipResource } from '../../account/resources/address'
import { viewCommand } from '../../engine/view-command'
import { ipColumns } from './columns'

export const viewIp = viewCommand(ipResource, {
  columns: ipColumns,
  examples: [{ what: 'Only the reverse DNS', line: 'skyctl ips view 192.0.2.31 --query rdns -o tsv' }],
})
