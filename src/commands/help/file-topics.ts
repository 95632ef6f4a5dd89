/** Topics about files that commands read. */
import { accountFileExample } from '../account-file/account-file-example'
import { firewallForm, rulesTemplate, testCasesTemplate } from '../firewalls/file-examples'

const indented = (text: string) => text.replaceAll(/^(?=.)/gm, '  ')

export const accountFile = `Account file

The file of plan and apply, as YAML or JSON; export writes it. Every key is
optional. Resources that are in no file are left unchanged; --prune deletes
those with the owner's tag. Several files, or a folder of them, are one account.

${indented(accountFileExample.text)}

With protect: true, plan and apply refuse to delete, detach or replace the
resource, to disable the firewall, and to remove its services or all its
filtering. Volumes and firewalls get the tag "protected", so that --prune and
all other commands but api refuse it, too, until the tag is removed; --force
goes on. A file without the key leaves the tag; protect: false removes it, in a
plan of its own. SSH keys have no tags: only files with the key protect them.

Addresses that ips moves in one region are one request. plan compares tokens and
prints what is not as expected; no secret is in a file.

was renames the resource with that label. It has no effect once that is done.

--prune deletes up to 3 resources without a terminal, and none if the files name
no volume and no firewall; --max-deletes N sets the limit.

Several environments: a later file replaces the keys that it has of a resource,
and lists and rules as a whole. A sub-folder refines the folder above it. Files
of one folder must not name the same resource.

  skyctl plan base.yaml prod.yaml -v

Save a plan, and apply exactly that:

  skyctl plan account.yaml --out plan.json && skyctl apply plan.json
`

export const rulesFile = `Rules file

The file of firewalls create, of firewalls rules update and diff, and the text
in the editor of firewalls rules edit, as YAML or JSON. This prints the current
rules in this format: skyctl firewalls rules list web -o yaml

${indented(rulesTemplate)}

Lists and policies that the file omits stay unchanged in an update. Instead of
addresses, inbound rules can have "from" and outbound rules "to", with names of
networks; a file that an account file includes can have "use" with a group of
rules, too: skyctl help networks

The file of firewalls update --body:

${indented(firewallForm.text)}

The file of firewalls test --cases is a list of packets:

${indented(testCasesTemplate)}
`

export const networks = `Networks

Rules of firewalls can name networks. An account file defines them, or a file of
their own such as networks.yaml, which all account files of a folder share:

  networks:
    office: [203.0.113.0/24, "2001:db8:1::/48"]
    vpn: [198.51.100.7]

A name begins with a letter, and has letters, digits, dots, dashes and
underscores. It stands for addresses, not for other names. The name anywhere is
0.0.0.0/0 and ::/0. A firewall holds addresses only: skyctl replaces the names
before it plans or sends a change.

In account files

  - { action: accept, protocol: tcp, ports: 22, from: [office, vpn, 192.0.2.7] }
  - { action: accept, protocol: tcp, ports: 443, to: [anywhere] }

Inbound rules have "from" and outbound rules "to" instead of addresses, also in
the rules files of other commands.

A group of rules has a name under "rules", and "use" puts its rules in the place
of one rule, in any firewall:

  rules:
    ssh-from-office:
      - { action: accept, protocol: tcp, ports: 22, from: office }
  firewalls:
    web: { rules: { inbound: [ { use: ssh-from-office } ] } }

On the command line

  skyctl firewalls open web --port 22 --from office --for 30m
  skyctl firewalls rules add web outbound --action accept --protocol tcp \\
    --to office,vpn
  skyctl firewalls rules remove web inbound label:old --keep-open tcp/22@vpn
  skyctl firewalls test web --port 22 --from vpn

The names are those of the file that the context sets, or else of networks.yaml
in the current folder. This file has only the key networks; -v prints its path.

  skyctl context update prod --networks ~/account/networks.yaml

Output shows the addresses that will be allowed or blocked. "firewalls view",
"firewalls rules list" and "audit" print the name of a network after a rule that
has exactly its addresses. A context stores the addresses of --keep-open.
`
