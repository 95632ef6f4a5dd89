/** Template of an account file, for help. */
import type { FileExample } from '../engine/command'

export const accountForm: FileExample = {
  title: 'A file of an account, as YAML or JSON',
  text: `owner: web-team              # a tag of all that the file makes
defaults:
  region: us-east            # of new volumes that name none
volumes:
  pgdata:
    size: 60                 # in GiB; it can only grow
    region: us-east
    compute_id: 1001         # null: attached to none
    tags: [db]               # all of them
firewalls:
  web:
    status: enabled          # or disabled
    tags: [edge]
    rules:                   # or the file that holds them, as rules: web.yaml
      inbound_policy: drop   # see skyctl firewalls rules update --help
    devices:                 # the whole lists
      computes: [1001, 1002]
      balancers: [2001]
    tests:                   # cases of skyctl firewalls test; all must hold
      - { from: 198.51.100.7, protocol: tcp, port: 22, expect: drop }
sshkeys:
  laptop:
    file: ~/.ssh/id.pub      # or ssh_key, with the key itself
rdns:
  192.0.2.11: a.example.net  # null: the name that the service gives
profile:
  timezone: Europe/Berlin
  email_notifications: true  # and email, shell_auth_method, authorized_keys`,
}
