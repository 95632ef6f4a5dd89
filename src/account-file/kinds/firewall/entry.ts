/** The entry of a firewall in account files, and the firewalls of an account beside it. */
import * as v from 'valibot'
import { arrayOf, choice, strings } from '../../../catalogue/fields'
import { namedRules } from '../../../catalogue/firewall-rules'
import { protectedServices } from '../../../catalogue/firewalls'
import { isRecord } from '../../../rules/records'
import type { PlanInput } from '../../kind'
import { labelKeys } from '../../kind-functions'
import type { Guarded } from './read-guarded'
import { testEntry } from './run-tests'

export const entry = v.strictObject({
  status: v.optional(choice(['enabled', 'disabled'], 'Status (default: enabled)')),
  tags: v.optional(strings('All of its tags')),
  ...labelKeys,
  rules: v.optional(
    v.pipe(
      namedRules,
      v.description('As `firewalls rules list -o yaml` prints them; omitted lists and policies stay unchanged'),
    ),
  ),
  devices: v.optional(v.pipe(protectedServices, v.description('All protected services; omitted lists stay unchanged'))),
  tests: v.optional(
    arrayOf(testEntry, 'Packets as `firewalls test --cases` takes them; each must have the expected verdict'),
  ),
})

export type FirewallEntry = v.InferOutput<typeof entry>

export type One = PlanInput<FirewallEntry, Guarded>

export const isGuarded = (record: unknown): record is Guarded =>
  isRecord(record) && isRecord(record.firewall) && Array.isArray(record.devices)

/** Returns the firewalls, which are always read for a plan of firewalls; none if they were not read. */
export const firewallsOf = ({ world }: Pick<One, 'world'>) => (world.get('firewalls') ?? []).filter(isGuarded)
