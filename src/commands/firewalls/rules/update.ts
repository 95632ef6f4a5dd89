import { nameOf } from '../../../account/resource'
import { firewallResource } from '../../../account/resources/firewall'
import { firewallRules } from '../../../catalogue/firewall-rules'
import type { Command } from '../../../engine/command'
import { expectRoom } from '../../../firewall/check-rules'
import { rulesForm } from '../file-examples'
import { fileFlags, readNewRules } from '../rules-flags'
import { changeFlags, changeRules, ifMatchFlag, readShown } from './change'
import { firewallArgument } from './rule-arguments'

export const updateRules: Command = {
  name: 'update',
  aliases: ['set', 'replace'],
  asks: true,
  summary: firewallRules.update.summary,
  operations: [firewallRules.update],
  details:
    'Shows the difference and asks before it sends. Omitted lists and policies stay unchanged. skyctl saves the previous ' +
    'rules, and undo restores them.',
  moreDetails: 'A firewall has at most 25 rules. An instance that it protects must not be in a live migration.',
  form: rulesForm('The file of --file'),
  arguments: firewallArgument,
  flags: [...fileFlags, ifMatchFlag, ...changeFlags],
  examples: [
    { what: 'Only show the difference', line: 'skyctl firewalls rules update web --file rules.yaml --dry-run' },
    {
      what: 'Keep the rules only if you can still connect',
      line: "skyctl firewalls rules update web --file rules.yaml --yes --keep-if 'ssh -o ConnectTimeout=5 admin@203.0.113.10 true'",
    },
    {
      what: 'From a pipeline, without a question',
      line: 'cat rules.json | skyctl firewalls rules update web --file - --yes',
    },
    { what: 'Change only a policy', line: 'skyctl firewalls rules update web --outbound-policy drop' },
  ],
  async run({ arguments: [reference = ''], flags }, session) {
    const input = await readNewRules(reference, flags, session)
    const read = await readShown(reference, { flags, session })
    const name = nameOf(firewallResource, read.firewall)
    if (flags.validate !== false) expectRoom(input, read.shown, name)
    const question = `The changes above will apply at once. Replace the rules of ${name}`
    await changeRules(read, { edit: { kind: 'replace', input }, question, notes: input }, { flags, session })
  },
}
