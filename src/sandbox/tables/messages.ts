import * as v from 'valibot'
import type { DeclarationOf, RecordOf } from '../declaration'
import { id, string, time } from '../fields'
import { type Owned, owned } from '../serializers'

const record = v.strictObject({
  id,
  user: id,
  sent: time,
  to: string,
  text: string,
  code: string,
})

/** Outbox: messages that a real service would have sent. */
export const messages: DeclarationOf<typeof record, Owned<RecordOf<typeof record>>> = {
  name: 'messages',
  defaults: {},
  most: 1000,
  builtIn: () => [],
  form: owned(record),
}
