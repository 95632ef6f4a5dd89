import type { preferences as operations } from '../../catalogue/profile/preferences'
import { isRecord } from '../../rules/records'
import type { Caller } from '../caller'
import type { Handlers } from '../handler'
import { readJson, writeJson } from '../json'
import { refusal } from '../refusal'
import type { World } from '../world'
import { allOwn } from './own'

export const preferenceHandlers: Handlers<typeof operations> = {
  view: {
    handle(_, { world, caller }) {
      const saved = readJson(kept(world, caller)?.text ?? '{}')
      return isRecord(saved) ? saved : {}
    },
  },
  update: {
    handle(given, { world, caller }) {
      const id = kept(world, caller)?.id ?? world.profile.preferences.nextId()
      world.profile.preferences.put({ id, user: caller.user.id, app: caller.app, text: written(given) })
      return given
    },
  },
}

/** Returns the preferences of the user for the OAuth client of the token. */
function kept(world: World, caller: Caller) {
  return allOwn(world.profile.preferences, caller).find(({ app }) => app === caller.app)
}

function written(value: object): string {
  try {
    return writeJson(value)
  } catch {
    throw refusal(null, 'Preferences are nested too deeply')
  }
}
