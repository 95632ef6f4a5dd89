import type { World } from './world'

/** What `sandbox world` shows: what cannot be made through the API, and what is there to try it on. */
export type WorldDescription = ReturnType<typeof describe>

export function describe(world: World) {
  return {
    computes: world.computes.all(),
    balancers: world.balancers.all(),
    users: world.users.all().map(({ id, username, email, proxy, grants }) => ({
      uid: id,
      username,
      email,
      restricted: grants !== null,
      proxy,
      grants,
    })),
    tokens: world.tokens.all().map(({ label, token, user, scopes, expiry }) => ({
      label,
      token,
      user: world.users.get(user)?.username ?? null,
      scopes,
      expiry,
    })),
    volumes: world.volumes.all().map(({ id, label, status, size, region, compute_id }) => ({
      id,
      label,
      status,
      size,
      region,
      compute_id,
    })),
    firewalls: world.network.firewalls.all().map(({ id, label, status }) => ({
      id,
      label,
      status,
      devices: world.network.devicesOf(id).map(({ type, entity }) => ({ type, id: entity })),
    })),
    addresses: world.network.addresses.all().map(({ address, type, region, compute_id, shared_with, vpc_nat_1_1 }) => ({
      address,
      type,
      region,
      compute_id,
      shared_with,
      vpc_nat_1_1,
    })),
    vlans: world.network.vlans,
  }
}

/** A message that a real service would have sent, such as the SMS with a phone code. */
export type Message = ReturnType<typeof outbox>[number]

/** Oldest first. */
export function outbox(world: World) {
  return world.profile.messages.all().map(({ user, ...message }) => ({
    ...message,
    user: world.users.get(user)?.username ?? null,
  }))
}
