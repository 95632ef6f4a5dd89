import type { DeviceRecord } from './network'
import type { Table } from './tables'
import type { World } from './world'

/**
 * What `sandbox world` shows: what cannot be made through the API, and what is there to try it on. It is all that the
 * world holds, so that ./seed/restore can make the same world from it.
 */
export type WorldDescription = ReturnType<typeof describe>

export function describe(world: World) {
  const { network, profile } = world
  const devices = devicesByFirewall(world)
  return {
    computes: world.computes.all(),
    balancers: world.balancers.all(),
    users: world.users.all().map(({ id, grants, ...user }) => ({
      uid: id,
      ...user,
      restricted: grants !== null,
      grants,
    })),
    tokens: owned(world.tokens, world),
    volumes: world.volumes.all(),
    firewalls: network.firewalls.all().map((firewall) => ({
      ...firewall,
      devices: (devices.get(firewall.id) ?? []).map(({ id, firewall: _, entity, ...device }) => ({
        device_id: id,
        ...device,
        id: entity,
      })),
    })),
    addresses: network.addresses.all(),
    vlans: network.vlans,
    apps: owned(profile.apps, world),
    trusted_devices: owned(profile.devices, world),
    logins: owned(profile.logins, world),
    sshkeys: owned(profile.sshkeys, world),
    security_answers: profile.answers.all().map(({ id, answers }) => ({ user: nameOf(id, world), answers })),
    preferences: owned(profile.preferences, world),
    phone_codes: profile.phoneCodes.all().map(({ id, ...code }) => ({ user: nameOf(id, world), ...code })),
    tfa_secrets: owned(profile.tfaSecrets, world),
    messages: outbox(world),
    events: network.events.all(),
    /** Given and deleted since, so that they are not given again: the last id of a table. */
    spent_ids: Object.fromEntries(spentIds(world)),
  }
}

/** A message that a real service would have sent, such as the SMS with a phone code. */
export type Message = ReturnType<typeof outbox>[number]

/** Oldest first. */
export function outbox(world: World) {
  return owned(world.profile.messages, world)
}

/** All at once: to look for those of each firewall takes time in the square of their number. */
function devicesByFirewall({ network }: World): Map<number, DeviceRecord[]> {
  const groups = new Map<number, DeviceRecord[]>()
  for (const device of network.devices.all()) {
    const group = groups.get(device.firewall)
    if (group) group.push(device)
    else groups.set(device.firewall, [device])
  }
  return groups
}

/** Records with the name of their user in the place of the id. */
function owned<R extends { id: number; user: number }>(table: Table<R>, world: World) {
  return table.all().map((record) => ({ ...record, user: nameOf(record.user, world) }))
}

const nameOf = (user: number, { users }: World) => users.get(user)?.username ?? null

function* spentIds({ tables }: World): Iterable<[table: string, id: number]> {
  for (const [table, id, record] of tables.contents()) if (record === null) yield [table, id]
}
