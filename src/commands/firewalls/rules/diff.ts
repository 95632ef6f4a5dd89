import { findTarget, nameOf, parseTarget } from '../../../account/resource'
import { firewallResource } from '../../../account/resources/firewall'
import { type FirewallRules, firewallRules } from '../../../catalogue/firewall-rules'
import type { Command } from '../../../engine/command'
import { outputFlags } from '../../../engine/flags'
import { viewOf } from '../../../engine/printing'
import { Problem } from '../../../errors'
import { diffRules, type RulesChange } from '../../../firewall/diff'
import { columnsFor, type FieldPath } from '../../../output/column'
import { wantsScreen } from '../../../output/output-kind'
import { printMany } from '../../../output/print'
import { wrap } from '../../../output/wrap'
import { rulesForm } from '../file-examples'
import { finishRules } from './change'
import { readRules } from './current-rules'
import { changeLine } from './diff-lines'
import { firewallArgument } from './rule-arguments'
import { fileFlags, wantedRules } from './update'

/** A change as a row; fields that its kind lacks are empty. */
type Row = Record<KeysOf<RulesChange>, unknown>
type KeysOf<T> = T extends unknown ? keyof T : never

const fields: readonly FieldPath<Row>[] = ['kind', 'direction', 'from', 'to', 'fields', 'rule']

export const diffRulesWithFile: Command = {
  name: 'diff',
  summary: 'Compare firewall rules with a file',
  paged: true,
  operations: [firewallRules.list],
  details:
    'Prints the changes that "rules update" would make. JSON has an object for each change; its numbers count from 1.',
  form: rulesForm('The file of --file'),
  arguments: firewallArgument,
  flags: [
    ...fileFlags,
    { name: 'exit-code', description: 'Exit with 13 if there are differences' },
    { name: 'validate', negative: 'only', description: 'Skip client-side validation' },
    ...outputFlags,
  ],
  examples: [
    {
      what: 'Fail a pipeline if somebody changed the rules by hand',
      line: 'skyctl firewalls rules diff web --file rules.yaml --exit-code',
    },
  ],
  async run({ arguments: [typed = ''], flags }, session) {
    const given = await wantedRules(flags, session)
    const view = await viewOf({ fields, columns: columnsFor<Row>(fields), key: 'kind' }, flags, session)
    const target = parseTarget(typed, firewallResource.noun)
    const firewall = await findTarget(target, firewallResource, session.account, { record: false })
    const standing: FirewallRules = await readRules(firewall, session.account)
    const changes = diffRules(standing, await finishRules(given, standing, { flags, session }))
    const lines = changes.map((change) => `${wrap(changeLine(change), view.width, ' '.repeat(9))}\n`)
    if (wantsScreen(view)) await session.ui.stdout.write(lines.join(''))
    else await printMany(changes, view, session.ui.stdout)
    const name = nameOf(firewallResource, firewall)
    if (changes.length === 0) await session.ui.status(`The rules of ${name} do not differ`)
    else if (flags['exit-code']) throw new Problem('mismatch', `the rules of ${name} differ: ${count(changes.length)}`)
  },
}

const count = (changes: number) => (changes === 1 ? '1 change' : `${changes} changes`)
