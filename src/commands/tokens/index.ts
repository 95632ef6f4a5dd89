import type { CommandGroup } from '../../engine/command'
import { withOrphanedTokenWarning } from './orphaned-tokens'

const group: CommandGroup = {
  name: 'tokens',
  aliases: ['token'],
  summary: 'Personal access tokens',
  commands: {
    list: async () => withOrphanedTokenWarning((await import('./list')).listTokens),
    create: async () => withOrphanedTokenWarning((await import('./create')).createToken),
    view: async () => withOrphanedTokenWarning((await import('./view')).viewToken),
    update: async () => withOrphanedTokenWarning((await import('./update')).updateToken),
    revoke: async () => withOrphanedTokenWarning((await import('./revoke')).revokeToken, 'last'),
    rotate: async () => withOrphanedTokenWarning((await import('./rotate')).rotateToken),
  },
}

export default group
