import type { tokens as operations, Token } from '../catalogue/tokens'
import { covers, fullScope, unknownScope } from '../rules/scopes'
import { formatTimestamp, parseDateTime } from '../rules/times'
import type { Caller } from './caller'
import type { Handlers } from './handler'
import { listing } from './pages'
import { allOwn, foundOwn } from './profile/own'
import { forbidden, orNotFound, refuseBroken } from './refusal'
import { sandboxToken } from './secrets'
import type { TokenRecord } from './tables/tokens'
import type { World } from './world'

/** Number of a token's characters shown after its creation (gaps.md). */
const shownCharacters = 16

export const tokenHandlers: Handlers<typeof operations> = {
  list: {
    handle: (_, { world, caller }) => listing(allOwn(world.tokens, caller).filter(isPersonal), shown),
  },

  create: {
    handle({ label, scopes = fullScope, expiry: wanted }, { world, caller }) {
      if (caller.user.proxy) throw forbidden()
      const ends = wanted === undefined ? null : parseDateTime(wanted)
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
    handle({ tokenId, label }, { world, caller }) {
      return shown(world.tokens.put({ ...personal(tokenId, { world, caller }), label }))
    },
  },

  revoke: {
    handle({ tokenId }, { world, caller }) {
      world.tokens.delete(personal(tokenId, { world, caller }).id)
      return {}
    },
  },
}

const isPersonal = ({ app }: TokenRecord) => app === null

/** Returns a personal token. Tokens of apps are revoked with their app. */
function personal(id: number, { world, caller }: { world: World; caller: Caller }): TokenRecord {
  const token = foundOwn(world.tokens, id, caller)
  return orNotFound(isPersonal(token) ? token : undefined)
}

function shown({ id, label, scopes, created, expiry, token }: TokenRecord): Token {
  return { id, label, scopes, created, expiry, token: token.slice(0, shownCharacters) }
}
