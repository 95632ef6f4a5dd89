import * as v from 'valibot'
import type { DeclarationOf, RecordOf } from '../declaration'
import { id, number, string } from '../fields'
import { type OfUser, ofUser } from '../forms'

const record = v.strictObject({
  id,
  phone_number: string,
  code: string,
  /** In milliseconds. */
  expires: number,
})

/** Codes that were sent, each to be verified by the user whose id it has. */
export const phoneCodes: DeclarationOf<typeof record, OfUser<RecordOf<typeof record>>> = {
  name: 'phone_codes',
  usual: {},
  builtIn: () => [],
  form: ofUser(record),
}
