import type { CommandGroup } from '../../engine/command'

const group: CommandGroup = {
  name: 'ips',
  aliases: ['ip'],
  summary: 'Addresses: allocate, assign, share, reverse DNS',
  commands: {
    list: async () => (await import('./list')).listIps,
    view: async () => (await import('./view')).viewIp,
    allocate: async () => (await import('./allocate')).allocateIp,
    assign: async () => (await import('./assign')).assignIps,
    share: async () => (await import('./share')).shareIps,
    rdns: async () => (await import('./rdns')).setRdns,
  },
}

export default group
