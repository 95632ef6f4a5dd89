/** Which firewall protects which services when all is done: of those that are enabled, one each (api.md, Firewall behaviour). */
import type { Refusal } from '../kind'
import {
  type Entry,
  firewallsOf,
  type Guarded,
  idsAfter,
  kindOf,
  listOf,
  type One,
  type Services,
  services,
} from './firewall-devices'

/** A firewall that will be in force, with the services that it will protect. */
type Claim = { label: string } & Record<Services, readonly number[]>

/** What the firewalls of the file claim; each of them asks. */
function claimsOf(around: Pick<One, 'entries' | 'world'>): Claim[] {
  const known = knownClaims.get(around.entries)
  if (known?.world === around.world) return known.claims
  const claims = claimsIn(around)
  knownClaims.set(around.entries, { world: around.world, claims })
  return claims
}

const knownClaims = new WeakMap<One['entries'], { world: One['world']; claims: Claim[] }>()

function claimsIn(around: Pick<One, 'entries' | 'world'>): Claim[] {
  const records = new Map(firewallsOf(around).map((one) => [one.firewall.label, one]))
  return [...around.entries].flatMap(([label, entry]) => claimOf(label, entry, records.get(label)))
}

function claimOf(label: string, { status, devices }: Entry, record: Guarded | undefined): Claim[] {
  if ((status ?? record?.firewall.status ?? 'enabled') !== 'enabled') return []
  const idsIn = (list: Services) => idsAfter(devices, record, list)
  return [{ label, computes: idsIn('computes'), balancers: idsIn('balancers') }]
}

/** What the firewalls beside the file hold, and keep. */
function heldBeside(around: One): Claim[] {
  const { entries, isRemoved } = around
  const beside = firewallsOf(around).filter((one) => !entries.has(one.firewall.label) && !isRemoved(one))
  return beside.flatMap((one) => claimOf(one.firewall.label, {}, one))
}

/** Services that this firewall will protect, and another one, too. */
export function claimedTwice(one: One): Refusal[] {
  const { name, wanted, record } = one
  // What the file does not say of it is said of the other one.
  if (wanted.status === undefined && wanted.devices === undefined) return []
  const [own] = claimOf(name, wanted, record)
  if (!own) return []
  const others = [...claimsOf(one), ...heldBeside(one)].filter(({ label }) => label !== name)
  return services.flatMap((list) =>
    own[list].flatMap((id): Refusal[] => {
      const holder = others.find((other) => other[list].includes(id))
      if (!holder) return []
      const field = wanted.devices?.[list] === undefined ? 'status' : `devices.${list}`
      const reason = `${kindOf(list)} ${id} is protected by firewall "${holder.label}", and only one that is enabled can be`
      return [{ field, reason }]
    }),
  )
}

/** The firewall of the file that waits for a service that another one lets go of: that one makes room first. */
export function claimants(around: Pick<One, 'entries' | 'world'>): (type: string, id: number) => string | undefined {
  const claims = claimsOf(around)
  return (type, id) => claims.find((claim) => claim[listOf(type)].includes(id))?.label
}
