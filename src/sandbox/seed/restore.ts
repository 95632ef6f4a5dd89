/** Makes a world from what a file says (./world-file): the inverse of ../describe. */
import { check } from '../../catalogue/check'
import type { FirewallRules } from '../../catalogue/firewall-rules'
import { Problem } from '../../errors'
import type { UserRecord } from '../records'
import { sandboxToken } from '../secrets'
import type { Table } from '../tables'
import type { World } from '../world'
import { seed } from './seed'
import { user } from './users'
import { type WorldFile, worldFile } from './world-file'

/** A seed for `openSandbox`; Problem `usage` where `given` is no world, with everything that is wrong with it. */
export function seedFrom(given: unknown): (world: World) => void {
  const errors = check(worldFile, given)
  if (errors.length > 0) {
    const [first] = errors
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
    throw new Problem('usage', `this is no world for the sandbox: ${first?.field ?? ''}: ${first?.reason}${more}`, {
      errors,
      hint: 'skyctl sandbox world --json prints one',
    })
  }
  const file = given as WorldFile
  return (world) => {
    seed(world)
    for (const [table, id] of Object.entries(file.spent_ids ?? {})) world.tables.load([table, id, null])
    restoreAccount(file, world)
    restoreNetwork(file, world)
    restoreProfile(file, world)
  }
}

function restoreAccount({ computes, balancers, users, tokens, volumes }: WorldFile, world: World): void {
  replace(world.computes, computes, (compute) => world.compute(compute))
  replace(world.balancers, balancers, (balancer) => world.balancers.put(balancer))
  replace(world.users, users, ({ uid, username, restricted = false, grants, ...more }) => {
    const none: UserRecord['grants'] = restricted ? { global: {} } : null
    world.users.put(user(uid, username, { ...more, grants: grants ?? none }))
  })
  replace(world.tokens, tokens, ({ user: name, ...token }, index) =>
    world.tokens.put({
      id: world.tokens.nextId(),
      token: sandboxToken(token.label),
      user: userNamed(name, `tokens[${index}]`, world),
      app: null,
      scopes: '*',
      created: world.timestamp(),
      expiry: null,
      ...token,
    }),
  )
  replace(world.volumes, volumes, (volume) => world.volume(volume))
}

function restoreNetwork({ firewalls, addresses, events }: WorldFile, world: World): void {
  const { network } = world
  if (firewalls) for (const { id } of network.devices.all()) network.devices.delete(id)
  replace(network.firewalls, firewalls, ({ devices = [], rules, ...wanted }) => {
    const firewall = network.firewall({ ...wanted, ...(rules && { rules: rulesOf(rules) }) })
    for (const { device_id, type, id, ...times } of devices) {
      const device = network.device(firewall.id, type, id, device_id)
      network.devices.put({ ...device, ...times })
    }
  })
  replace(network.addresses, addresses, (address) => {
    const region = world.computes.get(address.compute_id)?.region
    network.address({ ...(region && { region }), ...address })
  })
  replace(network.events, events, (event) => network.events.put(event))
}

type SentRules = NonNullable<NonNullable<WorldFile['firewalls']>[number]['rules']>

const rulesOf = ({ inbound = [], outbound = [], ...policies }: SentRules): FirewallRules => ({
  inbound,
  outbound,
  ...policies,
})

function restoreProfile(file: WorldFile, world: World): void {
  const { profile } = world
  restoreOwned('apps', file.apps, profile.apps, world)
  restoreOwned('trusted_devices', file.trusted_devices, profile.devices, world)
  restoreOwned('logins', file.logins, profile.logins, world)
  restoreOwned('preferences', file.preferences, profile.preferences, world)
  restoreOwned('tfa_secrets', file.tfa_secrets, profile.tfaSecrets, world)
  restoreOwned('messages', file.messages, profile.messages, world)
  const keys = file.sshkeys?.map((key) => ({ created: world.timestamp(), ...key }))
  restoreOwned('sshkeys', keys, profile.sshkeys, world)
  replace(profile.answers, file.security_answers, ({ user: name, answers }, index) =>
    profile.answers.put({ id: userNamed(name, `security_answers[${index}]`, world), answers }),
  )
  replace(profile.phoneCodes, file.phone_codes, ({ user: name, ...code }, index) =>
    profile.phoneCodes.put({ id: userNamed(name, `phone_codes[${index}]`, world), ...code }),
  )
}

function restoreOwned<R extends { id: number; user: number }>(
  name: string,
  records: readonly (Omit<R, 'id' | 'user'> & { id?: number; user: string })[] | undefined,
  table: Table<R>,
  world: World,
): void {
  replace(table, records, (record, index) => {
    const own = { id: table.nextId(), ...record, user: userNamed(record.user, `${name}[${index}]`, world) }
    // Put together again from its parts, of which the compiler knows only that they are all.
    table.put(own as unknown as R)
  })
}

/** Puts what the file has in the place of what the built-in world has; where it has nothing, that stays. */
function replace<R extends { id: number }, T>(
  table: Table<R>,
  records: readonly T[] | undefined,
  put: (record: T, index: number) => void,
): void {
  if (records === undefined) return
  for (const { id } of table.all()) table.delete(id)
  for (const [index, record] of records.entries()) put(record, index)
}

function userNamed(username: string, place: string, { users }: World): number {
  const found = users.all().find((one) => one.username === username)
  if (found) return found.id
  throw new Problem('usage', `${place}.user: there is no user "${username}" in this world`)
}
