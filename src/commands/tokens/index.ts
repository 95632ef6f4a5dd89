import type { CommandGroup } from '../../engine/command'

const group: CommandGroup = {
  name: 'tokens',
  aliases: ['token'],
  summary: 'Personal access tokens',
  commands: {
    list: async () => (await import('./list')).listTokens,
    create: async () => (await import('./create')).createToken,
    view: async () => (await import('./view')).viewToken,
    update: async () => (await import('./update')).updateToken,
    revoke: async () => (await import('./revoke')).revokeToken,
    rotate: async () => (await import('./rotate')).rotateToken,
  },
}

export default group
