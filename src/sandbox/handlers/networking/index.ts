import { vlans } from '../../../catalogue/vlans'
import { serve } from '../../handler'
import { listing } from '../../pages'
import { servedDevices } from './firewall-devices'
import { servedFirewalls, servedRules } from './firewalls'
import { servedIps } from './ips'
import { servedPools, servedRanges } from './ipv6'

const servedVlans = serve(vlans, {
  list: {
    handle: (_, { world }) => listing(world.network.vlans, (vlan) => vlan),
  },
})

export const served = [
  ...servedFirewalls,
  ...servedDevices,
  ...servedRules,
  ...servedIps,
  ...servedPools,
  ...servedRanges,
  ...servedVlans,
]
