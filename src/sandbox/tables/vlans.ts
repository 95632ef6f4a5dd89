import * as v from 'valibot'
import type { Vlan } from '../../catalogue/vlans'
import type { Declaration } from '../declaration'
import { vlans as fixedVlans } from '../fixed-records'
import type { Identified } from '../table'

/** VLANs are fixed, and no operation has their ids: files show them, and what a file says about them is ignored. */
const vlans: Declaration<Identified, Identified, Vlan> = {
  name: 'vlans',
  defaults: {},
  form: { file: v.unknown(), show: () => [...fixedVlans], restore() {} },
}

export const tables = { vlans }
