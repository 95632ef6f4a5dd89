/** Topics about files that commands read. */
import { accountForm } from '../account-file-example'
import { firewallForm, rulesTemplate, testCasesTemplate } from '../firewalls/file-examples'

const indented = (text: string) => text.replaceAll(/^(?=.)/gm, '  ')

export const accountFile = `Account file

The file of plan and apply, as YAML or JSON; export writes it. Every key is
optional. Resources that are in no file are left unchanged; --prune deletes
those with the owner's tag. Several files, or a folder of them, are one account.

${indented(accountForm.text)}

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
