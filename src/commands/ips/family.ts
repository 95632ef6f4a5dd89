/** Implements `--family ipv4`: uses the older endpoints, which have the same effect (api.md, Versioning 3). */
import type { Flag, Flags } from '../../engine/command'
import { textFlag } from '../../engine/flag-values'
import { Problem } from '../../errors'

export const familyFlag: Flag = {
  name: 'family',
  value: 'name',
  description: 'ipv4 uses the older endpoint, with the same result',
  values: ['ipv4'],
  rare: true,
}

export function ofFamily<A, B>(flags: Flags, usual: A, older: B): A | B {
  const family = textFlag(flags, 'family')
  if (family === undefined) return usual
  if (family === 'ipv4') return older
  throw new Problem('usage', `--family: "${family}" is not ipv4`)
}
