/** Implements `--family ipv4`: uses the older endpoints, which have the same effect (api.md, Versioning 3). */
import type { Flag, Flags } from '../../engine/command'
import { choiceFlag } from '../../engine/flag-values'

export const familyFlag: Flag = {
  name: 'family',
  value: 'name',
  description: 'ipv4 uses the older endpoint, with the same result',
  values: ['ipv4'],
  rare: true,
}

export function ofFamily<A, B>(flags: Flags, usual: A, older: B): A | B {
  return choiceFlag(flags, 'family', ['ipv4']) ? older : usual
}
