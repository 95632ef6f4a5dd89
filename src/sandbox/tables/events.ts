import * as v from 'valibot'
import type { DeclarationOf } from '../declaration'
import { id, string, time } from '../fields'
import { asItIs } from '../serializers'

const record = v.strictObject({
  id,
  action: string,
  created: time,
  entity: v.strictObject({ id, label: string, type: string, url: string }),
  username: string,
  status: string,
})

export const events: DeclarationOf<typeof record> = {
  name: 'events',
  defaults: {},
  most: 1000,
  builtIn: () => [],
  form: asItIs(record),
}
