/** Topics about files that commands read. */
import { accountForm } from '../account-file-example'
import { firewallForm, rulesTemplate, testCasesTemplate } from '../firewalls/file-examples'

const indented = (text: string) => text.replaceAll(/^(?=.)/gm, '  ')

export const accountFile = `Account file

The file of plan and apply, as YAML or JSON; export writes it. Every key is
optional. Resources that are in no file are left unchanged; --prune deletes
those with the owner's tag. Several files, or a folder of them, are one account.

${indented(accountForm.text)}

Save a plan, and apply exactly that:

  skyctl plan account.yaml --out plan.json && skyctl apply plan.json
`

export const rulesFile = `Rules file

The file of firewalls create, of firewalls rules update and diff, and the text
in the editor of firewalls rules edit, as YAML or JSON. This prints the current
rules in this format: skyctl firewalls rules list web -o yaml

${indented(rulesTemplate)}

Lists and policies that the file omits stay unchanged in an update. A file that
an account file includes can have "from" and "to" with names of networks, and
"use" with a group of rules: skyctl help networks

The file of firewalls update --body:

${indented(firewallForm.text)}

The file of firewalls test --cases is a list of packets:

${indented(testCasesTemplate)}
`
