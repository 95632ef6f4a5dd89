/** Rules that hold in a world after any requests (api.md: Rules, Firewall behaviour, Assign rules, Limits). */
import type { World } from './sandbox'

/** Returns a sentence for each broken rule. */
export function brokenRules(world: World): string[] {
  const { firewalls, devices, addresses } = world.network
  const repeated = (values: readonly (string | number)[]) => values.filter((value, at) => values.indexOf(value) !== at)
  const rules: Record<string, readonly unknown[]> = {
    'a firewall has at most 25 rules': firewalls
      .all()
      .filter(({ rules: { inbound, outbound } }) => inbound.length + outbound.length > 25),
    'labels of firewalls are unique': repeated(firewalls.all().map(({ label }) => label)),
    'a service has one active firewall': repeated(
      devices
        .all()
        .filter(({ firewall }) => firewalls.get(firewall)?.status === 'enabled')
        .map(({ type, entity }) => `${type} ${entity}`),
    ),
    'a firewall has one balancer': repeated(
      devices.all().flatMap(({ type, firewall }) => (type === 'balancer' ? [firewall] : [])),
    ),
    'a device belongs to a firewall': devices.all().filter(({ firewall }) => !firewalls.get(firewall)),
    'a volume has a label of 1 to 32 characters': world.volumes
      .all()
      .filter(({ label }) => label === '' || Array.from(label).length > 32),
    'a volume and its instance are in one region': world.volumes
      .all()
      .filter(({ compute_id, region }) => compute_id !== null && world.computes.get(compute_id)?.region !== region),
    'an instance holds no more volumes than GB of RAM, up to 64': world.computes.all().filter(({ id, memory }) => {
      return world.volumes.all().filter(({ compute_id }) => compute_id === id).length > Math.min(memory, 64)
    }),
    'an address exists once': repeated(addresses.all().map(({ address }) => address)),
    'an instance has a public IPv4 address': world.computes
      .all()
      .filter(({ id }) => !world.network.addressesOf(id).some((one) => one.type === 'ipv4' && one.public)),
    'an instance has at most one private IPv4 address': repeated(
      addresses.all().flatMap((one) => (one.type === 'ipv4' && !one.public ? [one.compute_id] : [])),
    ),
    'an instance has at most one IPv6 range': repeated(world.network.ranges().map(({ compute_id }) => compute_id)),
    'an account has one IPv6 range a region': repeated(world.network.ranges().map(({ region }) => region)),
    'preferences have at most 65,535 characters': world.profile.preferences
      .all()
      .filter((one) => JSON.stringify(one).length > 66_000),
  }
  return Object.entries(rules).flatMap(([rule, faults]) =>
    faults.length === 0 ? [] : [`${rule}: ${JSON.stringify(faults[0])}`],
  )
}
