import type { CommandGroup } from '../../engine/command'
import { nameOrphanedTokens } from './orphaned-tokens'

const group: CommandGroup = {
  name: 'tokens',
  aliases: ['token'],
  summary: 'Personal access tokens',
  commands: {
    list: async () => nameOrphanedTokens((await import('./list')).listTokens),
    create: async () => nameOrphanedTokens((await import('./create')).createToken),
    view: async () => nameOrphanedTokens((await import('./view')).viewToken),
    update: async () => nameOrphanedTokens((await import('./update')).updateToken),
    revoke: async () => nameOrphanedTokens((await import('./revoke')).revokeToken, 'last'),
    rotate: async () => nameOrphanedTokens((await import('./rotate')).rotateToken),
  },
}

export default group
