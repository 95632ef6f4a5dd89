/** Templates of firewall files, for help. */
import type { FileExample } from '../../engine/command'

export const rulesTemplate = `inbound_policy: drop           # or accept: if no rule matches
inbound:                       # the first rule that matches decides
  - action: accept             # or drop
    protocol: tcp              # or udp, icmp, ipencap
    ports: 22, 80-90           # tcp and udp only (default: all ports)
    addresses:
      ipv4: [203.0.113.0/24]   # 0.0.0.0/0 is everybody
      ipv6: ["2001:db8::/32"]  # ::/0 is everybody; or one of both
    label: ssh                 # optional, as is a description
outbound_policy: accept
outbound: []`

export const testCasesTemplate = `- name: no SSH from outside     # optional
  direction: inbound            # or outbound, with to instead of from
  protocol: tcp
  port: 22                      # tcp and udp only
  from: 198.51.100.7
  service: compute              # or balancer (default: as protected)
  expect: drop                  # or accept`

const topic = 'rules-file'

/** Returns the template for a flag or an editor. */
export const rulesForm = (where: string): FileExample => ({
  title: `${where}, as YAML or JSON`,
  text: rulesTemplate,
  topic,
})

export const firewallForm: FileExample = {
  title: 'The file of --body, as YAML or JSON',
  text: `label: web           # every key is optional
status: disabled     # or enabled
tags: [prod, edge]   # the whole list; [] removes all tags`,
  topic,
}
