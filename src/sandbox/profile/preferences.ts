import * as v from 'valibot'
import type { preferences as operations } from '../../catalogue/profile/preferences'
import { isRecord } from '../../rules/records'
import type { Caller } from '../caller'
import type { DeclarationOf, RecordOf } from '../declaration'
import { id, may, string } from '../fields'
import { type Owned, owned } from '../forms'
import type { Handlers } from '../handler'
import { refusal } from '../refusal'
import type { World } from '../world'
import { allOwn } from './own'

const record = v.strictObject({
  id: may(id),
  user: id,
  /** The app that keeps them; null: whoever uses personal access tokens. */
  app: v.nullable(id),
  text: v.pipe(string, v.check(isJsonObject, 'Must be a JSON object')),
})

export const preferences: DeclarationOf<typeof record, Owned<RecordOf<typeof record>>> = {
  name: 'preferences',
  usual: {},
  builtIn: () => [],
  form: owned(record),
}

export const preferenceHandlers: Handlers<typeof operations> = {
  view: {
    handle: (_, { world, caller }) => JSON.parse(kept(world, caller)?.text ?? '{}'),
  },
  update: {
    handle(given, { world, caller }) {
      const id = kept(world, caller)?.id ?? world.profile.preferences.nextId()
      world.profile.preferences.put({ id, user: caller.user.id, app: caller.app, text: written(given) })
      return given
    },
  },
}

/** Of this user, and of the OAuth client that produced the token used. */
function kept(world: World, caller: Caller) {
  return allOwn(world.profile.preferences, caller).find(({ app }) => app === caller.app)
}

function isJsonObject(text: string): boolean {
  try {
    return isRecord(JSON.parse(text))
  } catch {
    return false
  }
}

function written(value: object): string {
  try {
    return JSON.stringify(value)
  } catch {
    throw refusal(null, 'Preferences are nested too deeply')
  }
}
