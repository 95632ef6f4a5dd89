import type { CommandGroup } from '../../engine/command'

const group: CommandGroup = {
  name: 'volumes',
  aliases: ['volume'],
  summary: 'Block storage volumes',
  commands: {
    list: async () => (await import('./list')).listVolumes,
    create: async () => (await import('./create')).createVolume,
    view: async () => (await import('./view')).viewVolume,
    update: async () => (await import('./update')).updateVolume,
    delete: async () => (await import('./delete')).deleteVolume,
    attach: async () => (await import('./attach')).attachVolume,
    detach: async () => (await import('./detach')).detachVolume,
    resize: async () => (await import('./resize')).resizeVolume,
    clone: async () => (await import('./clone')).cloneVolume,
    wait: async () => (await import('./wait')).waitForVolume,
  },
}

export default group
