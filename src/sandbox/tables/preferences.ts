/** Preferences of users, one JSON object for each app. */
import * as v from 'valibot'
import { isRecord } from '../../rules/records'
import type { DeclarationOf, RecordOf } from '../declaration'
import { id, may, string } from '../record-fields'
import { type Owned, withUsername } from '../seed-serializers'

const preferenceRecord = v.strictObject({
  id: may(id),
  user: id,
  /** Id of the OAuth app; null for personal access tokens. */
  app: v.nullable(id),
  text: v.pipe(string, v.check(isJsonObject, 'Must be a JSON object')),
})

const preferences: DeclarationOf<typeof preferenceRecord, Owned<RecordOf<typeof preferenceRecord>>> = {
  name: 'preferences',
  defaults: {},
  form: withUsername(preferenceRecord),
}

function isJsonObject(text: string): boolean {
  try {
    return isRecord(JSON.parse(text))
  } catch {
    return false
  }
}

export const tables = { preferences }
