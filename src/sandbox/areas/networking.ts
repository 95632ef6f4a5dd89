import { firewallRules } from '../../catalogue/firewall-rules'
import { firewallDevices, firewalls } from '../../catalogue/firewalls'
import { ips } from '../../catalogue/ips'
import { ipv6Pools, ipv6Ranges } from '../../catalogue/ipv6'
import { vlans } from '../../catalogue/vlans'
import { parseAddress } from '../../rules/addresses'
import { firewallDeviceHandlers } from '../firewall-devices'
import { firewallRuleHandlers } from '../firewall-rules'
import { firewallHandlers } from '../firewalls'
import { type Readers, serve } from '../handler'
import { ipHandlers } from '../ips'
import { ipv6PoolHandlers, ipv6RangeHandlers } from '../ipv6'
import { vlanHandlers } from '../vlans'

const firstAddress = (text: string) => parseAddress(text)?.address
const addresses: Readers = { address: firstAddress, range: firstAddress }

export const served = [
  ...serve(firewalls, firewallHandlers),
  ...serve(firewallDevices, firewallDeviceHandlers),
  ...serve(firewallRules, firewallRuleHandlers),
  ...serve(ips, ipHandlers, addresses),
  ...serve(ipv6Pools, ipv6PoolHandlers),
  ...serve(ipv6Ranges, ipv6RangeHandlers, addresses),
  ...serve(vlans, vlanHandlers),
]
