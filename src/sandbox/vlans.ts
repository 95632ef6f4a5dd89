import type { vlans } from '../catalogue/vlans'
import type { Handlers } from './handler'
import { listing } from './pages'

export const vlanHandlers: Handlers<typeof vlans> = {
  list: {
    handle: (_, { world }) => listing(world.network.vlans, (vlan) => vlan),
  },
}
