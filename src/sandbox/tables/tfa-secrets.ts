import * as v from 'valibot'
import type { DeclarationOf, RecordOf } from '../declaration'
import { id, string, time } from '../fields'
import { type Owned, owned } from '../forms'

const record = v.strictObject({
  id,
  user: id,
  /** Base32. */
  secret: string,
  expiry: time,
})

/** Two-factor secrets that are not confirmed yet. */
export const tfaSecrets: DeclarationOf<typeof record, Owned<RecordOf<typeof record>>> = {
  name: 'tfa_secrets',
  usual: {},
  builtIn: () => [],
  form: owned(record),
}
