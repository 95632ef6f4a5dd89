/** Balancers. No operation shows them, but firewalls can be assigned to them. */
import * as v from 'valibot'
import type { DeclarationOf } from '../declaration'
import { id, region, string } from '../fields'
import { asItIs } from '../serializers'

const record = v.strictObject({ id, label: string, region })

const builtIn = [
  { id: 2001, label: 'front-1', region: 'us-east' },
  { id: 2002, label: 'front-2', region: 'eu-west' },
]

export const balancers: DeclarationOf<typeof record> = {
  name: 'balancers',
  defaults: {},
  builtIn: () => builtIn,
  form: asItIs(record),
}
