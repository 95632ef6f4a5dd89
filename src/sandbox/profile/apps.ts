import type { Answer } from '../../catalogue/operation'
import type { apps as operations } from '../../catalogue/profile/apps'
import type { Handlers } from '../handler'
import { listing } from '../pages'
import type { AppRecord } from '../tables/apps'
import { allOwn, foundOwn } from './own'

export const appHandlers: Handlers<typeof operations> = {
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

function shown({ user: _, ...app }: AppRecord): Answer<typeof operations.view> {
  return app
}
