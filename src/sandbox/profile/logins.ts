import type { Answer } from '../../catalogue/operation'
import type { logins as operations } from '../../catalogue/profile/logins'
import { parseTimestamp } from '../../rules/times'
import type { Caller } from '../caller'
import type { Handlers } from '../handler'
import { listing } from '../pages'
import { orNotFound } from '../refusal'
import type { LoginRecord } from '../tables/logins'
import type { World } from '../world'
import { allOwn } from './own'

/** Login history window: 90 days (api.md, Limits). */
const windowMs = 90 * 86_400_000

export const loginHandlers: Handlers<typeof operations> = {
  list: {
    handle(_, { world, caller }) {
      const successful = history(world, caller).filter(({ status }) => status === 'successful')
      return listing(successful, (login) => shown(login, caller))
    },
  },
  view: {
    handle({ loginId }, { world, caller }) {
      return shown(orNotFound(history(world, caller).find(({ id }) => id === loginId)), caller)
    },
  },
}

function history(world: World, caller: Caller): LoginRecord[] {
  const begin = world.clock.now() - windowMs
  return allOwn(world.profile.logins, caller).filter(({ datetime }) => parseTimestamp(datetime) >= begin)
}

function shown({ user: _, ...login }: LoginRecord, caller: Caller): Answer<typeof operations.view> {
  return { ...login, username: caller.user.username }
}
