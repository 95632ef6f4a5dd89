/**
 * Random requests about what exists in the world when they are sent: some that api.md allows, and some that may break a
 * rule, which the service must check.
 */
import { fullScope } from '../../src/rules/scope-cover'
import { rows } from '../operations'
import { ruleSet, ssh, web } from './firewall-rules'
import type { RandomRequest } from './random-requests'
import type { TestSandbox } from './sandbox'

type Sound = Pick<RandomRequest, 'method' | 'path'> & { body?: object }
type Make = () => Sound | undefined

/** User who acts. */
const owner = 1
/** Tokens with smaller ids are those that the requests send. */
export const firstNewToken = 1000

/** Reads whose paths have no placeholder. */
const plainReads = rows.flatMap(([, { line, paged }]) =>
  /^GET [^{]+$/.test(line) ? [{ path: line.slice(4), paged }] : [],
)

/** Returns functions that create a request, or undefined if there is no object for it at the moment. */
export function soundRequests(
  { world }: Pick<TestSandbox, 'world'>,
  random: () => number,
): { sound: Make; bold: Make } {
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
  const { volumes, computes, network, tokens, profile } = world
  const fresh = (what: string) => `${what}-${Math.floor(random() * 2 ** 40).toString(36)}`
  const get = (path: string): Sound => ({ method: 'GET', path })
  const send = (method: string, path: string, body?: object): Sound => ({ method, path, ...(body && { body }) })
  /** Creates a request about one of these, if there is one. */
  const about = <T>(list: () => readonly T[], request: (one: T) => Sound | undefined): Make => {
    return () => {
      const one = pick(list())
      return one === undefined ? undefined : request(one)
    }
  }
  const mine = <T extends { user: number }>(list: readonly T[]) => list.filter(({ user }) => user === owner)
  const activeVolumes = () => volumes.all().filter(({ status }) => status === 'active')
  const detachedVolumes = () => activeVolumes().filter(({ compute_id }) => compute_id === null)
  const idleComputes = () => computes.all().filter(({ live_migration: moves }) => !moves)
  const computesWithRoom = (region: string) =>
    idleComputes().filter((one) => {
      const attached = volumes.all().filter(({ compute_id }) => compute_id === one.id).length
      return one.region === region && one.configs.length === 1 && attached < Math.min(one.memory, 8)
    })
  const stableFirewalls = () =>
    network.firewalls
      .all()
      .filter(({ id }) =>
        network
          .devicesOf(id)
          .every(({ type, entity }) => type !== 'compute' || idleComputes().some((compute) => compute.id === entity)),
      )
  const unprotected = () =>
    idleComputes().filter(
      ({ id }) => !network.devices.all().some(({ type, entity }) => type === 'compute' && entity === id),
    )
  const publicIpv4 = () => network.addresses.all().filter((one) => one.type === 'ipv4' && one.public)
  const ownDevices = () => stableFirewalls().flatMap(({ id }) => network.devicesOf(id))
  const rules = () => ruleSet(...[ssh, web].filter(() => random() < 0.7))
  const firewall = (id: number) => `/networking/firewalls/${id}`

  const reads: Make[] = [
    about(
      () => plainReads,
      ({ path }) => get(path),
    ),
    about(
      () => plainReads.filter(({ paged }) => paged),
      ({ path }) => get(`${path}?page_size=${25 + Math.floor(random() * 476)}&page=${1 + Math.floor(random() * 3)}`),
    ),
    about(
      () => volumes.all(),
      ({ id }) => get(`/volumes/${id}`),
    ),
    about(
      () => world.regions,
      ({ id }) => get(`/regions/${id}${random() < 0.5 ? '/availability' : ''}`),
    ),
    about(
      () => mine(profile.sshkeys.all()),
      ({ id }) => get(`/profile/sshkeys/${id}`),
    ),
    about(
      () => mine(tokens.all()),
      ({ id }) => get(`/profile/tokens/${id}`),
    ),
    about(
      () => network.firewalls.all(),
      ({ id }) => get(firewall(id) + (pick(['', '/rules', '/devices']) ?? '')),
    ),
    about(
      () => network.devices.all(),
      (one) => get(`${firewall(one.firewall)}/devices/${one.id}`),
    ),
    about(publicIpv4, ({ address }) => get(`/networking/ips/${address}`)),
    about(
      () => network.ranges(),
      ({ address }) => get(`/networking/ipv6/ranges/${encodeURIComponent(address)}`),
    ),
  ]
  const changes: Make[] = [
    () => send('POST', '/volumes', { label: fresh('v'), region: 'us-east', size: 10 + Math.floor(random() * 90) }),
    about(activeVolumes, ({ id }) => send('POST', `/volumes/${id}/clone`, { label: fresh('c') })),
    about(activeVolumes, ({ id, size }) =>
      size < 10_000 ? send('POST', `/volumes/${id}/resize`, { size: size + 1 }) : undefined,
    ),
    about(
      () => volumes.all(),
      ({ id }) => send('PUT', `/volumes/${id}`, { label: fresh('r'), tags: ['a', fresh('t')] }),
    ),
    about(detachedVolumes, ({ id, region }) => {
      const compute = pick(computesWithRoom(region))
      return compute && send('POST', `/volumes/${id}/attach`, { compute_id: compute.id })
    }),
    about(
      () => activeVolumes().filter(({ compute_id }) => compute_id !== null),
      ({ id }) => send('POST', `/volumes/${id}/detach`),
    ),
    about(detachedVolumes, ({ id }) => send('DELETE', `/volumes/${id}`)),
    about(detachedVolumes, ({ id }) => send('DELETE', `/volumes/${id}`)),
    () => send('POST', '/networking/firewalls', { label: fresh('fw'), rules: rules(), tags: ['fuzz'] }),
    about(stableFirewalls, ({ id }) => send('PUT', `${firewall(id)}/rules`, rules())),
    about(stableFirewalls, ({ id }) =>
      send('PUT', firewall(id), pick([{ status: 'disabled' }, { tags: [fresh('t')] }])),
    ),
    about(
      () => (network.firewalls.size > 3 ? stableFirewalls() : []),
      ({ id }) => send('DELETE', firewall(id)),
    ),
    about(stableFirewalls, ({ id }) => {
      const compute = pick(unprotected())
      return compute && send('POST', `${firewall(id)}/devices`, { id: compute.id, type: 'compute' })
    }),
    about(ownDevices, (one) => send('DELETE', `${firewall(one.firewall)}/devices/${one.id}`)),
    about(publicIpv4, ({ address }) =>
      send('PUT', `/networking/ips/${address}`, { rdns: random() < 0.5 ? null : `${fresh('host')}.example.net` }),
    ),
    () => {
      const addresses = publicIpv4()
      const spare = addresses.filter((one) => {
        const others = addresses.filter(({ compute_id }) => compute_id === one.compute_id).length > 1
        return others && one.shared_with.length === 0 && !one.vpc_nat_1_1
      })
      const one = pick(spare)
      const target = one && pick(idleComputes().filter(({ region }) => region === one.region))
      const assignments = target && [{ address: one.address, compute_id: target.id }]
      return assignments && send('POST', '/networking/ips/assign', { region: one.region, assignments })
    },
    about(idleComputes, ({ id, region }) => {
      const others = publicIpv4().filter((one) => one.region === region && one.compute_id !== id && !one.vpc_nat_1_1)
      const ips = others.slice(0, Math.floor(random() * 3)).map(({ address }) => address)
      return send('POST', '/networking/ipv4/share', { compute_id: id, ips })
    }),
    () => send('POST', '/profile/sshkeys', { label: fresh('key'), ssh_key: profile.sshkeys.get(1)?.ssh_key ?? '' }),
    about(
      () => mine(profile.sshkeys.all()).filter(({ id }) => id > 1),
      ({ id }) => send('DELETE', `/profile/sshkeys/${id}`),
    ),
    () => send('POST', '/profile/tokens', { label: fresh('token'), scopes: pick(['volumes:read_only', fullScope]) }),
    about(
      () => mine(tokens.all()).filter(({ id }) => id >= firstNewToken),
      ({ id }) =>
        random() < 0.5
          ? send('DELETE', `/profile/tokens/${id}`)
          : send('PUT', `/profile/tokens/${id}`, { label: fresh('t') }),
    ),
    () => send('PUT', '/profile', { timezone: pick(['UTC', 'Asia/Kathmandu']), email_notifications: random() < 0.5 }),
    () => send('PUT', '/profile/preferences', { theme: fresh('theme'), columns: ['a', 1, null, 1.5] }),
    () => {
      const security_questions = [1, 2, 3].map((question_id) => ({ question_id, response: fresh('answer') }))
      return send('POST', '/profile/security-questions', { security_questions })
    },
    () => send('POST', '/profile/phone-number', { iso_code: 'US', phone_number: '+1 202 555 0143' }),
  ]
  const attempts: Make[] = [
    about(
      () => network.firewalls.all(),
      ({ id }) => {
        const service = random() < 0.7 ? pick(computes.all()) : pick(world.balancers.all())
        const type = service && computes.get(service.id) ? 'compute' : 'balancer'
        return service && send('POST', `${firewall(id)}/devices`, { id: service.id, type })
      },
    ),
    about(
      () => network.firewalls.all(),
      ({ id }) => send('PUT', firewall(id), { status: pick(['enabled', 'disabled']) }),
    ),
    about(
      () => network.firewalls.all(),
      ({ id }) => send('PUT', firewall(id), { label: pick(network.firewalls.all())?.label }),
    ),
    about(
      () => network.firewalls.all(),
      ({ id }) => {
        const many = (most: number) => Array.from({ length: Math.floor(random() * most) }, () => web)
        return send('PUT', `${firewall(id)}/rules`, { ...ruleSet(...many(20)), outbound: many(20) })
      },
    ),
    about(detachedVolumes, ({ id, region }) => {
      const small = computes.all().filter((one) => one.region === region && one.memory <= 2)
      const compute = pick(random() < 0.6 ? small : computes.all())
      return compute && send('POST', `/volumes/${id}/attach`, { compute_id: compute.id })
    }),
    about(
      () => volumes.all(),
      ({ id }) => send('POST', `/volumes/${id}/resize`, { size: 10 + Math.floor(random() * 200) }),
    ),
    about(
      () => volumes.all(),
      ({ id }) => send('DELETE', `/volumes/${id}`),
    ),
    about(
      () => network.addresses.all(),
      ({ region }) => {
        const some = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(network.addresses.all()))
        const assignments = some.map((one) => {
          const address = one && (one.type === 'ipv4' ? one.address : `${one.address}/${one.prefix}`)
          return { address, compute_id: pick(computes.all())?.id }
        })
        return send('POST', `/networking/${pick(['ips', 'ipv4'])}/assign`, { region, assignments })
      },
    ),
    about(
      () => computes.all(),
      ({ id }) => send('POST', '/networking/ipv6/ranges', { prefix_length: 64, compute_id: id }),
    ),
    about(
      () => computes.all(),
      ({ id }) => send('POST', '/networking/ips', { type: 'ipv4', public: random() < 0.5, compute_id: id }),
    ),
  ]
  return { sound: () => pick(random() < 0.5 ? reads : changes)?.(), bold: () => pick(attempts)?.() }
}

/** Reports whether a request would leave the next ones without a token that may do anything. */
export function removesOwnAccess({ method, path, body }: RandomRequest): boolean {
  const [, token] = /\/profile\/tokens\/(\d+)/.exec(path) ?? []
  if (method === 'DELETE' && token !== undefined) return Number(token) < firstNewToken
  return method === 'PUT' && /\/profile\/?(\?|$)/.test(path) && (body?.includes('restricted') ?? false)
}
