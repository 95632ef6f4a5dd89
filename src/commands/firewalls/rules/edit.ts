import type { CurrentRules } from '../../../account/actions/rules'
import { type Id, nameOf } from '../../../account/resource'
import { firewallResource } from '../../../account/resources/firewall'
import { firewallRules } from '../../../catalogue/firewall-rules'
import type { Command, Flags } from '../../../engine/command'
import { editDraft } from '../../../engine/edit'
import { yamlText } from '../../../output/documents'
import { escapeText } from '../../../rules/escape'
import { shellWord } from '../../../rules/texts'
import { rulesForm } from '../file-examples'
import { parseRules } from '../rules-file'
import { changeFlags, completeRules, readCurrentRules } from './change'
import { type Edited, replaceEdited } from './merge-edit'
import { firewallArgument } from './rule-arguments'

const hints = `# The first rule that matches decides; without one, the policy. A rule:
#
#   - action: ACCEPT            # or DROP
#     protocol: TCP             # or UDP, ICMP, IPENCAP
#     ports: 22, 80-90          # TCP and UDP only (default: all ports)
#     addresses:
#       ipv4: [203.0.113.0/24]  # 0.0.0.0/0 is everybody
#       ipv6: ["2001:db8::/32"] # ::/0 is everybody
#     label: ssh                # 3 to 32 characters
#     description: Office       # up to 100 characters
#
# At most 25 rules, and 255 addresses in each. skyctl shows the
# difference before it sends anything; an unchanged text sends nothing. Lines
# that begin with #! describe problems; skyctl removes them again.
`

async function draftOf({ firewall, rules }: CurrentRules): Promise<string> {
  const { inbound_policy, inbound, outbound_policy, outbound } = rules
  const text = await yamlText({ inbound_policy, inbound, outbound_policy, outbound })
  return `# Rules of ${escapeText(nameOf(firewallResource, firewall))}\n#\n${hints}\n${text}`
}

export const editRules: Command = {
  name: 'edit',
  asks: true,
  summary: 'Change firewall rules in your editor',
  operations: [firewallRules.update],
  details:
    'Opens the rules as YAML in VISUAL or EDITOR, checks the text, shows the difference and asks. If the text has problems, the editor opens again, with each problem above its line. On a terminal, skyctl merges changes that somebody else made meanwhile; if both changed the same rule, you decide. If anything fails, skyctl keeps the text.',
  form: rulesForm('Text in the editor'),
  arguments: firewallArgument,
  flags: changeFlags,
  examples: [{ what: 'Use another editor', line: 'EDITOR=nano skyctl firewalls rules edit web' }],
  async run({ arguments: [typed = ''], flags }, session) {
    const given = { flags, session }
    const standing = await readCurrentRules(typed, given)
    const { id } = standing.firewall
    await editDraft(
      {
        name: `firewall-${id}.yaml`,
        text: await draftOf(standing),
        dry: flags['dry-run'] === true,
        goOn: (path) => goOn(id, path),
        read: (text) => readEdited(text, standing, flags),
        use: replaceEdited(standing, given),
      },
      session,
    )
  },
}

/** Returns the next steps for a kept text. They never overwrite the changes of others. */
const goOn = (id: Id, path: string) =>
  `Compare it with the current rules: skyctl firewalls rules diff ${id} --file ${shellWord(path)}; then run skyctl firewalls rules edit ${id} again, and copy what you need`

async function readEdited(text: string, { rules }: CurrentRules, flags: Flags): Promise<Edited> {
  const given = await parseRules(text, 'the text')
  return { text, given, mine: completeRules(given, rules, { flags }) }
}
