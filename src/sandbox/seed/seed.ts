import type { World } from '../world'
import { balancers, computes, volumes } from './account'
import { addresses, devices, firewalls } from './network'
import { seedProfile } from './profile'
import { tokens, users } from './users'

/** Fills an empty world: the same records with the same ids every time. */
export function seed(world: World): void {
  for (const user of users) world.users.put(user)
  for (const token of tokens) world.tokens.put(token)
  seedProfile(world)
  for (const compute of computes) world.computes.put(compute)
  for (const balancer of balancers) world.balancers.put(balancer)
  for (const volume of volumes) world.volumes.put(volume)
  for (const firewall of firewalls) world.network.firewalls.put(firewall)
  for (const device of devices) world.network.devices.put(device)
  for (const address of addresses) world.network.addresses.put(address)
}
