/** No operation shows them; a firewall can protect one. */
import * as v from 'valibot'
import type { DeclarationOf } from './declaration'
import { id, region, string } from './fields'
import { asItIs } from './forms'
import { balancers as builtIn } from './seed/account'

const balancer = v.strictObject({ id, label: string, region })

export const balancers: DeclarationOf<typeof balancer> = {
  name: 'balancers',
  usual: {},
  builtIn: () => builtIn,
  form: asItIs(balancer),
}
