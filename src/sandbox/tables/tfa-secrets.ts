import * as v from 'valibot'
import type { DeclarationOf, RecordOf } from '../declaration'
import { id, string, time } from '../fields'
import { type Owned, owned } from '../serializers'

const record = v.strictObject({
  id,
  user: id,
  /** Secret in base32. */
  secret: string,
  expiry: time,
})

/** Unconfirmed two-factor secrets. */
export const tfaSecrets: DeclarationOf<typeof record, Owned<RecordOf<typeof record>>> = {
  name: 'tfa_secrets',
  defaults: {},
  builtIn: () => [],
  form: owned(record),
}
