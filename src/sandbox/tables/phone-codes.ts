import * as v from 'valibot'
import type { DeclarationOf, RecordOf } from '../declaration'
import { id, number, string } from '../fields'
import { type OfUser, ofUser } from '../serializers'

const record = v.strictObject({
  id,
  phone_number: string,
  code: string,
  /** Expiry in milliseconds since the epoch. */
  expires: number,
})

/** Pending phone codes; a record's id is its user's id. */
export const phoneCodes: DeclarationOf<typeof record, OfUser<RecordOf<typeof record>>> = {
  name: 'phone_codes',
  defaults: {},
  builtIn: () => [],
  form: ofUser(record),
}
