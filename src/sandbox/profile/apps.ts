import * as v from 'valibot'
import type { Answer } from '../../catalogue/operation'
import type { apps as operations } from '../../catalogue/profile/apps'
import type { DeclarationOf, RecordOf } from '../declaration'
import { id, scopes, string, time } from '../fields'
import { type Owned, owned } from '../forms'
import type { Handlers } from '../handler'
import { listing } from '../pages'
import { builtInApps } from '../seed/profile'
import { allOwn, foundOwn } from './own'

const app = v.strictObject({
  id,
  user: id,
  label: string,
  scopes,
  website: string,
  thumbnail_url: string,
  created: time,
  expiry: v.nullable(time),
})

export type AppRecord = RecordOf<typeof app>

export const apps: DeclarationOf<typeof app, Owned<AppRecord>> = {
  name: 'apps',
  usual: {},
  builtIn: builtInApps,
  form: owned(app),
}

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
