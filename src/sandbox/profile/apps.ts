import type { Answer } from '../../catalogue/operation'
import type { apps } from '../../catalogue/profile/apps'
import type { Handlers } from '../handler'
import { listing } from '../pages'
import { allOwn, foundOwn } from './own'
import type { AppRecord } from './records'

export const appHandlers: Handlers<typeof apps> = {
  list: {
    handle: (_, { world, caller }) => listing(allOwn(world.profile.apps, caller), shown),
  },
  view: {
    handle: ({ appId }, { world, caller }) => shown(foundOwn(world.profile.apps, appId, caller)),
  },
  revoke: {
    handle({ appId }, { world, caller }) {
      const { id } = foundOwn(world.profile.apps, appId, caller)
      world.profile.apps.delete(id)
      for (const token of world.tokens.all()) if (token.app === id) world.tokens.delete(token.id)
      return {}
    },
  },
}

function shown({ user: _, ...app }: AppRecord): Answer<typeof apps.view> {
  return app
}
