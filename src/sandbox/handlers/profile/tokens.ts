/** Personal access tokens, and the apps that act for a user with tokens of their own. */

import { apps } from '../../../catalogue/profile/apps'
import { type Token, tokens } from '../../../catalogue/tokens'
import { covers, fullScope } from '../../../rules/scope-cover'
import { unknownScope } from '../../../rules/scopes'
import { formatTimestamp, parseDateTime } from '../../../rules/times'
import { allOwn, type CallerContext, foundOwn, withoutUser } from '../../caller'
import { changeEvent, creationEvent, updateEvent, userEvent } from '../../events'
import { serve } from '../../handler'
import { listing } from '../../pages'
import { forbidden, orNotFound, refuseBroken } from '../../refusal'
import { sandboxToken } from '../../secrets'
import type { TokenRecord } from '../../tables/tokens'

/** Number of a token's characters shown after its creation (gaps.md). */
const shownCharacters = 16

export const servedTokens = serve(tokens, {
  list: {
    handle: (_, { world, caller }) => listing(allOwn(world.tokens, caller).filter(isPersonal), shown),
  },

  create: {
    event: creationEvent('token', 'token_create'),
    handle({ label, scopes = fullScope, expiry: requestedExpiry }, { world, caller }) {
      if (caller.user.proxy) throw forbidden()
      const ends = requestedExpiry === undefined ? null : parseDateTime(requestedExpiry)
      const wider = scopes.split(' ').filter((scope) => !covers(caller.scopes, scope))
      refuseBroken([
        [unknownScope(scopes) !== undefined, 'scopes', unknownScope(scopes) ?? ''],
        [wider.length > 0, 'scopes', `The acting token does not have: ${wider.join(' ')}`],
        [ends !== null && ends <= world.clock.now(), 'expiry', 'Must be in the future'],
      ])
      const id = world.tokens.nextId()
      const token = sandboxToken(`token ${id}`)
      const created = world.timestamp()
      const expiry = ends === null ? null : formatTimestamp(ends)
      const record = { id, user: caller.user.id, app: null, label, scopes, token, created, expiry }
      return { ...shown(world.tokens.put(record)), token }
    },
  },

  view: {
    handle: ({ tokenId }, { world, caller }) => shown(personal(tokenId, { world, caller })),
  },

  update: {
    event: updateEvent('token', 'tokenId', 'token_update'),
    handle({ tokenId, label }, { world, caller }) {
      return shown(world.tokens.put({ ...personal(tokenId, { world, caller }), label }))
    },
  },

  revoke: {
    event: changeEvent('token', 'tokenId', 'token_delete'),
    handle({ tokenId }, { world, caller }) {
      world.tokens.delete(personal(tokenId, { world, caller }).id)
      return {}
    },
  },
})

const isPersonal = ({ app }: TokenRecord) => app === null

/** Returns a personal token. Tokens of apps are revoked with their app. */
function personal(id: number, { world, caller }: CallerContext): TokenRecord {
  const token = foundOwn(world.tokens, id, caller)
  return orNotFound(isPersonal(token) ? token : undefined)
}

function shown({ id, label, scopes, created, expiry, token }: TokenRecord): Token {
  return { id, label, scopes, created, expiry, token: token.slice(0, shownCharacters) }
}

export const servedApps = serve(apps, {
  list: {
    handle: (_, { world, caller }) => listing(allOwn(world.profile.apps, caller), withoutUser),
  },
  view: {
    handle: ({ appId }, { world, caller }) => withoutUser(foundOwn(world.profile.apps, appId, caller)),
  },
  revoke: {
    event: userEvent('app_revoke'),
    handle({ appId }, { world, caller }) {
      const { id } = foundOwn(world.profile.apps, appId, caller)
      world.profile.apps.delete(id)
      for (const token of world.tokens.where('app', id)) world.tokens.delete(token.id)
      return {}
    },
  },
})
