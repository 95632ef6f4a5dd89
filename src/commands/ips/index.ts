import type { Group } from '../../engine/command'
import { viewCommand } from '../../engine/view-command'
import { allocateIp } from './allocate'
import { assignIps } from './assign'
import { listIps } from './list'
import { setRdns } from './rdns'
import { ipColumns, ipResource } from './resource'
import { shareIps } from './share'

const viewIp = viewCommand(ipResource, {
  columns: ipColumns,
  examples: [{ what: 'Only the reverse DNS', line: 'skyctl ips view 192.0.2.31 --query rdns -o tsv' }],
})

const group: Group = {
  name: 'ips',
  aliases: ['ip'],
  summary: 'Addresses: allocate, assign, share, reverse DNS',
  commands: [listIps, viewIp, allocateIp, assignIps, shareIps, setRdns],
}

export default group
