/** What the files of firewalls look like, as help shows it. */
import type { Form } from '../../engine/command'

const rules = `inbound_policy: drop           # or accept, for what no rule matches
inbound:                       # the first rule that matches decides
  - action: accept             # or drop
    protocol: tcp              # or udp, icmp, ipencap
    ports: 22, 80-90           # tcp and udp only; left out: all ports
    addresses:
      ipv4: [203.0.113.0/24]   # 0.0.0.0/0 is everybody
      ipv6: ["2001:db8::/32"]  # ::/0 is everybody; either is enough
    label: ssh                 # may be left out, as may a description
outbound_policy: accept
outbound: []`

/** For the flag that takes them, or for an editor. */
export const rulesForm = (where: string): Form => ({ title: `${where}, as YAML or JSON`, text: rules })

export const firewallForm: Form = {
  title: 'The file of --body, as YAML or JSON',
  text: `label: web           # each key may be left out
status: disabled     # or enabled
tags: [prod, edge]   # all tags; [] takes them away`,
}
