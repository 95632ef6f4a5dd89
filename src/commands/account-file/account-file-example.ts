/** Template of an account file, for help. */
import type { FileExample } from '../../engine/command'

export const accountFileExample: FileExample = {
  title: 'An account file, as YAML or JSON',
  topic: 'account-file',
  text: `owner: web-team              # tag of everything that the file creates
defaults:
  region: us-east            # default for new volumes
networks:                    # names for addresses: help networks
  office: [203.0.113.0/24, "2001:db8:1::/48"]
rules:                       # groups of rules, for "use"
  ssh:
    - { action: accept, protocol: tcp, ports: 22, from: office }
volumes:
  pgdata:
    size: 60                 # in GiB; it can only grow
    region: us-east
    compute_id: 1001         # or a label; null: not attached
    tags: [db]               # the whole list
    was: postgres            # former label; also firewalls and keys
    protect: true            # refuse to delete or detach it; see below
firewalls:
  web:
    status: enabled          # or disabled
    tags: [edge]
    rules:                   # or a file, as rules: web.yaml
      inbound_policy: drop   # see skyctl help rules-file
      inbound:
        - use: ssh           # the rules of the group
        - { action: accept, protocol: tcp, ports: 443, from: anywhere }
    devices:                 # whole lists
      computes: [1001, 1002]
      balancers: [2001]
    tests:                   # cases of firewalls test; all must hold
      - { from: 198.51.100.7, protocol: tcp, port: 22, expect: drop }
sshkeys:
  laptop:
    file: ~/.ssh/id.pub      # or ssh_key, with the key itself
ips:                         # the instance that has an address
  192.0.2.31: { compute_id: 1001 }
rdns:
  192.0.2.11: a.example.net  # null: the default name
tokens:                      # expected: apply changes none
  ci: { scopes: [volumes:read_only],
        longest_life: 90d, renew_before: 14d }
profile:
  timezone: Europe/Berlin
  email_notifications: true  # also email, authorized_keys,
                             # shell_auth_method`,
}
