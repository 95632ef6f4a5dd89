import { readRules } from '../../../account/actions/rules'
import { findFirewall } from '../../../account/resources/firewall'
import { type FirewallRule, type FirewallRules, firewallRules } from '../../../catalogue/firewall-rules'
import type { Command } from '../../../engine/command'
import { outputFlags } from '../../../engine/flags'
import { viewOf } from '../../../engine/printing'
import type { Session } from '../../../engine/session'
import { hashOf } from '../../../firewall/hash'
import { type Direction, directions } from '../../../firewall/rules'
import { columnsFor } from '../../../output/column'
import { isDrawn, printMany, printOne, type View, wantsDocument, wantsScreen } from '../../../output/print'
import { networkNamer } from '../network-names'
import { rulesScreen } from '../screen'
import { firewallArgument } from './direction-arguments'

/** A rule as a row, with its direction and number. */
interface Row extends FirewallRule {
  direction: Direction
  number: number
}

const columns = columnsFor<Row>([
  'direction',
  'number',
  'action',
  'protocol',
  'ports',
  'addresses.ipv4',
  'addresses.ipv6',
  'label',
  'description',
])

const rowsOf = (rules: FirewallRules): Row[] =>
  directions.flatMap((direction) => rules[direction].map((rule, index) => ({ direction, number: index + 1, ...rule })))

export const listRules: Command = {
  name: 'list',
  aliases: ['ls'],
  summary: firewallRules.list.summary,
  paged: true,
  operations: [firewallRules.list],
  details:
    '"rules update --file" accepts the JSON and YAML. CSV, TSV and --columns have a line for each rule, without the policies. The hash changes with any change to the rules: a script reads the hash, then the rules, and passes the hash to --if-match.',
  arguments: firewallArgument,
  flags: [{ name: 'hash', description: 'Print only the hash of the rules, for --if-match' }, ...outputFlags],
  examples: [
    {
      what: 'Save the rules in a file',
      line: 'skyctl firewalls rules list web -o yaml > rules.yaml',
    },
    { what: 'The hash for --if-match', line: 'skyctl firewalls rules list web --hash' },
    { what: 'Rules for a spreadsheet', line: 'skyctl firewalls rules list web -o csv' },
  ],
  async run({ arguments: [reference = ''], flags }, session) {
    const view = await viewOf({ more: true, columns, key: 'label' }, flags, session)
    const firewall = await findFirewall(reference, session.account, { record: false })
    const rules = await readRules(firewall, session.account)
    if (flags.hash) return printHash(hashOf(rules), view, session)
    if (wantsScreen(view)) {
      const screen = await rulesScreen(rules, { ...view, nameOf: await networkNamer({ flags, session }) })
      return session.ui.stdout.write(`${screen}\nHash: ${hashOf(rules)}\n`)
    }
    if (wantsDocument(view)) return printOne(rules, view, session.ui.stdout)
    await printMany(rowsOf(rules), view, session.ui.stdout)
  },
}

/** Prints the hash alone on a line, for `$(…)`; as an object in structured formats. */
function printHash(hash: string, view: View, session: Session): Promise<void> {
  return isDrawn(view) ? session.ui.stdout.write(`${hash}\n`) : printOne({ hash }, view, session.ui.stdout)
}
