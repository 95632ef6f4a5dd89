import * as v from 'valibot'
import type { DeclarationOf, RecordOf } from '../declaration'
import { id, string, time } from '../fields'
import { type Owned, owned } from '../forms'

const record = v.strictObject({
  id,
  user: id,
  sent: time,
  to: string,
  text: string,
  code: string,
})

/** The outbox: what a real service would have sent elsewhere. */
export const messages: DeclarationOf<typeof record, Owned<RecordOf<typeof record>>> = {
  name: 'messages',
  usual: {},
  most: 1000,
  builtIn: () => [],
  form: owned(record),
}
