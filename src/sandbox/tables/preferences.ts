import * as v from 'valibot'
import { isRecord } from '../../rules/records'
import type { DeclarationOf, RecordOf } from '../declaration'
import { id, may, string } from '../fields'
import { type Owned, owned } from '../serializers'

const record = v.strictObject({
  id: may(id),
  user: id,
  /** Id of the OAuth app; null for personal access tokens. */
  app: v.nullable(id),
  text: v.pipe(string, v.check(isJsonObject, 'Must be a JSON object')),
})

export const preferences: DeclarationOf<typeof record, Owned<RecordOf<typeof record>>> = {
  name: 'preferences',
  defaults: {},
  builtIn: () => [],
  form: owned(record),
}

function isJsonObject(text: string): boolean {
  try {
    return isRecord(JSON.parse(text))
  } catch {
    return false
  }
}
