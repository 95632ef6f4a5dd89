/** Worlds for tests of addresses. */
import type { World } from './sandbox'
import { test as base } from './skyctl'

/** Two instances in us-east with two public addresses each, the second also with a range; and one in eu-west. */
export const test = base.extend<{ arranged: World }>({
  arranged: async ({ world }, use) => {
    for (const id of [9001, 9002]) {
      world.compute({ id, region: 'us-east' })
      for (const host of [1, 2])
        world.network.address({ address: `203.0.113.${(id - 9000) * 10 + host}`, compute_id: id })
    }
    world.network.address({ address: '2001:db8:99::', type: 'ipv6/range', prefix: 64, compute_id: 9002 })
    world.compute({ id: 9003, region: 'eu-west' })
    world.network.address({ address: '203.0.113.31', compute_id: 9003, region: 'eu-west' })
    await use(world)
  },
})

export const nat = { address: '10.0.0.2', subnet_id: 1, vpc_id: 1 }
export const writes = (world: World) => world.requests().filter(({ method }) => method !== 'GET')
