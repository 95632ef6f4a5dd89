import type { CommandGroup } from '../../engine/command'

const group: CommandGroup = {
  name: 'firewalls',
  aliases: ['firewall'],
  summary: 'Firewalls, their rules and protected services',
  commands: {
    list: async () => (await import('./list')).listFirewalls,
    create: async () => (await import('./create')).createFirewall,
    view: async () => (await import('./view')).viewFirewall,
    update: async () => (await import('./update')).updateFirewall,
    enable: async () => (await import('./status')).enableFirewall,
    disable: async () => (await import('./status')).disableFirewall,
    delete: async () => (await import('./delete')).deleteFirewall,
    open: async () => (await import('./temporary-access/open')).openFirewall,
    openings: async () => (await import('./temporary-access/list')).listOpenings,
    close: async () => (await import('./temporary-access/close')).closeFirewalls,
    sweep: async () => (await import('./temporary-access/close')).sweepFirewalls,
    watch: async () => (await import('./watch')).watch,
    test: async () => (await import('./test')).testFirewall,
    devices: async () => (await import('./devices')).devices,
    rules: async () => (await import('./rules')).rules,
  },
}

export default group
