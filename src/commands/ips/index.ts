import type { Group } from '../../engine/command'
import { viewCommand } from '../../engine/show'
import { allocateIp } from './allocate'
import { assignIps } from './assign'
import { listIps } from './list'
import { setRdns } from './rdns'
import { ipColumns, ipResource } from './resource'
import { shareIps } from './share'

const group: Group = {
  name: 'ips',
  aliases: ['ip'],
  summary: 'Addresses: allocate, assign, share, reverse DNS',
  commands: [listIps, viewCommand(ipResource, { columns: ipColumns }), allocateIp, assignIps, shareIps, setRdns],
}

export default group
