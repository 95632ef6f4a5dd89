import type { Group } from '../../engine/command'
import { namingLeftOver } from './left-over'

const group: Group = {
  name: 'tokens',
  aliases: ['token'],
  summary: 'Personal access tokens',
  commands: {
    list: async () => namingLeftOver((await import('./list')).listTokens),
    create: async () => namingLeftOver((await import('./create')).createToken),
    view: async () => namingLeftOver((await import('./view')).viewToken),
    update: async () => namingLeftOver((await import('./update')).updateToken),
    revoke: async () => namingLeftOver((await import('./revoke')).revokeToken, 'last'),
    rotate: async () => namingLeftOver((await import('./rotate')).rotateToken),
  },
}

export default group
