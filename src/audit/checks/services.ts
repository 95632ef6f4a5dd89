/** Instances, by what belongs to them: the API lists none, but addresses and volumes name theirs. */
import type { IpAddress } from '../../catalogue/ips'
import { hasDefaultName } from '../../rules/default-names'
import { groupBy } from '../../rules/groups'
import { check } from '../check'
import { inForce, serviceName } from '../guards'
import type { Guard } from '../world'

export const instanceUnprotected = check({
  code: 'instance-unprotected',
  severity: 'high',
  title: 'Instances with a public address have no firewall',
  needs: ['addresses', 'firewalls'],
  find({ addresses, firewalls, computeLabels }) {
    const inUse = firewalls.filter(inForce)
    const guarded = new Set(inUse.flatMap(computesOf))
    const reachable = addresses.filter(({ public: isPublic }) => isPublic)
    return [...groupBy(reachable, ({ compute_id }) => compute_id)].flatMap(([id, own]) => {
      if (!id || guarded.has(id)) return []
      const [first, ...others] = own.map(({ address }) => address)
      const more =
        others.length === 0 ? [] : [others.length === 1 ? '1 other address' : `${others.length} other addresses`]
      return {
        subject: { kind: 'compute', id, label: computeLabels.get(id) ?? null },
        reason: `no firewall for ${[first, ...more].join(' and ')}`,
        command: protect(id, { firewalls, inUse }),
      }
    })
  },
})

const computesOf = ({ devices }: Guard) =>
  devices.flatMap(({ entity }) => (entity.type === 'compute' ? [entity.id] : []))

/** By the firewall that it is assigned to already, else by the one that most instances have, else by a new one. */
function protect(id: number, { firewalls, inUse }: { firewalls: readonly Guard[]; inUse: readonly Guard[] }): string[] {
  const own = firewalls.find((guard) => computesOf(guard).includes(id))
  if (own) return ['firewalls', 'enable', String(own.id)]
  const [usual] = inUse
    .filter((guard) => computesOf(guard).length > 0)
    .toSorted((a, b) => computesOf(b).length - computesOf(a).length)
  if (usual) return ['firewalls', 'devices', 'add', String(usual.id), '--compute-id', String(id)]
  const policies = ['--inbound-policy', 'drop', '--outbound-policy', 'accept']
  return ['firewalls', 'create', '--label', `compute-${id}`, ...policies, '--compute-id', String(id)]
}

export const addressWithoutRdns = check({
  code: 'address-without-rdns',
  severity: 'low',
  title: 'Addresses have no reverse DNS',
  needs: ['addresses'],
  find({ addresses, computeLabels }) {
    // Ranges and pools are no addresses, and have no name.
    const single = addresses.filter(({ type, public: isPublic }) => isPublic && (type === 'ipv4' || type === 'ipv6'))
    return single
      .filter(({ rdns }) => !rdns)
      .map(({ address, compute_id: id }) => {
        const owner = id ? serviceName({ type: 'compute', id, label: computeLabels.get(id) ?? null }) : 'no instance'
        return {
          subject: { kind: 'address', id: address, label: null },
          reason: `of ${owner}`,
          command: ['ips', 'rdns', address, (id && nameOf(id, single)) || 'NAME'],
        }
      })
  },
})

/** The name that somebody gave to another address of the instance. */
const nameOf = (compute: number, addresses: readonly IpAddress[]) =>
  addresses.find((one) => one.compute_id === compute && !hasDefaultName(one))?.rdns

export const volumeUnattached = check({
  code: 'volume-unattached',
  severity: 'low',
  title: 'Volumes cost and are attached nowhere',
  needs: ['volumes'],
  find: ({ volumes }) =>
    volumes
      .filter(({ compute_id: id }) => id === null)
      .map(({ id, label, size, region }) => ({
        subject: { kind: 'volume', id, label },
        reason: `${size} GiB in ${region}; to delete it destroys its data`,
        command: ['volumes', 'delete', String(id)],
      })),
})
