import { readRules } from '../../../account/actions/rules'
import { type FoundObject, nameOf } from '../../../account/resource'
import { findFirewall, firewallResource } from '../../../account/resources/firewall'
import { type FirewallRules, firewallRules } from '../../../catalogue/firewall-rules'
import { firewallDevices, firewalls } from '../../../catalogue/firewalls'
import { noValidateFlag } from '../../../engine/change-flags'
import type { Command, CommandInput } from '../../../engine/command'
import { isVerbose } from '../../../engine/flag-values'
import { outputFlags } from '../../../engine/flags'
import { viewOf } from '../../../engine/printing'
import type { Session } from '../../../engine/session'
import { Problem } from '../../../errors'
import { completeRules } from '../../../firewall/check-rules'
import { diffRules, type RulesChange } from '../../../firewall/diff'
import {
  type ChangeEffect,
  type EffectKind,
  effectOfChange,
  effectRecords,
  effectsOf,
  effectText,
} from '../../../firewall/effects'
import { changeLine } from '../../../firewall/rule-text'
import { mayBeEnforced } from '../../../firewall/status'
import { columnsFor } from '../../../output/column'
import { isStructured } from '../../../output/formats'
import { printMany, type View, wantsScreen } from '../../../output/print'
import { type Styling, styles } from '../../../output/style'
import { wrap } from '../../../output/wrap'
import { escapeText } from '../../../rules/escape'
import { counted } from '../../../rules/texts'
import { rulesForm } from '../file-examples'
import { fileFlags, readNewRules } from '../rules-flags'
import { printNotes } from '../rules-notes'
import { firewallArgument } from './direction-arguments'

/** A change as a row; fields that its kind lacks are empty. */
type Row = Record<KeysOf<RulesChange>, unknown>
type KeysOf<T> = T extends unknown ? keyof T : never

const columns = columnsFor<Row>(['kind', 'direction', 'from', 'to', 'fields', 'rule'])

export const diffRulesWithFile: Command = {
  name: 'diff',
  summary: 'Show what a file of rules would change',
  paged: true,
  operations: [firewallRules.list, firewalls.view, firewallDevices.list],
  details:
    'The dry run of "rules update": prints each change of the rules with what it allows or blocks, and the traffic that ' +
    'will be newly allowed or blocked. It needs no write access, and sends nothing. To preview a change of one rule: "rules update" with --dry-run.',
  moreDetails:
    'JSON has an object for each change, with numbers that count from 1, and for all newly blocked and allowed traffic.',
  form: rulesForm('The file of --file'),
  arguments: firewallArgument,
  flags: [
    ...fileFlags,
    { name: 'exit-code', description: 'Exit with 13 if there are differences' },
    noValidateFlag,
    ...outputFlags,
  ],
  examples: [
    {
      what: 'Fail a pipeline if somebody changed the rules by hand',
      line: 'skyctl firewalls rules diff web --file rules.yaml --exit-code',
    },
  ],
  async run({ arguments: [reference = ''], flags }, session) {
    const input = await readNewRules(reference, flags, session)
    const view = await viewOf({ columns, key: 'kind' }, flags, session)
    const isScreen = wantsScreen(view)
    const firewall = await findFirewall(reference, session.account, { record: isScreen })
    const shown = await readRules(firewall, session.account)
    const next = completeRules(input, shown, { validate: flags.validate !== false })
    await printNotes({ next, shown }, input, session.account)
    const changes = diffRules(shown, next)
    const difference = { firewall, shown, next, changes }
    if (isScreen) await session.ui.stdout.write(await screenOf(difference, view, { flags, session }))
    else await printMany(await recordsOf(difference, view, session), view, session.ui.stdout)
    const name = nameOf(firewallResource, firewall)
    if (changes.length === 0) await session.ui.status(`The rules of ${name} do not differ`)
    else if (flags['exit-code'])
      throw new Problem('mismatch', `the rules of ${name} differ: ${counted(changes.length, 'change')}`)
  },
}

interface Difference {
  firewall: FoundObject
  shown: FirewallRules
  next: FirewallRules
  changes: readonly RulesChange[]
}

const words: Readonly<Record<ChangeEffect, string>> = {
  allows: 'allows more',
  blocks: 'blocks more',
  'allows and blocks': 'allows and blocks',
  nothing: 'no effect',
  unclear: 'unknown effect',
}

const toneOfChange: Readonly<Record<ChangeEffect, Styling>> = {
  allows: 'green',
  blocks: 'red',
  'allows and blocks': 'yellow',
  nothing: 'dim',
  unclear: 'yellow',
}

const toneOfEffect: Readonly<Record<EffectKind, Styling>> = {
  allowed: 'green',
  blocked: 'red',
  unclear: 'yellow',
}

/** Returns the changes, and in documents the effects of all of them together. */
async function recordsOf(difference: Difference, { format }: View, session: Session): Promise<object[]> {
  const { changes } = difference
  if (!isStructured(format) || changes.length === 0) return [...changes]
  const { effects, shift, unread } = await reachedBy(difference, session)
  for (const text of unread) await session.ui.warn(text)
  return [...changes, ...effectRecords(effects, shift)]
}

/** Finds the effects on the services of the firewall, or on a compute instance if it has none. */
async function reachedBy({ firewall, shown, next }: Difference, session: Session) {
  const { anywhere, atServices, servicesOf } = await import('../../../account/lockout/assess')
  const where = `the services of ${nameOf(firewallResource, firewall)}`
  const services = () => servicesOf(firewall.id, session.account)
  const { shift, unread } = await atServices({ before: shown, after: next, where, services }, session.account)
  const judged = { ...shift, services: shift.services.length > 0 ? shift.services : [anywhere] }
  return { shift, unread, judged, effects: effectsOf(judged) }
}

/** Returns the changes with their effects, then the traffic that they affect. Words say what colours show. */
async function screenOf(difference: Difference, view: View, { flags, session }: CommandInput): Promise<string> {
  const { firewall, changes } = difference
  if (changes.length === 0) return ''
  const [{ shift, unread, judged, effects }, style] = await Promise.all([
    reachedBy(difference, session),
    styles(view.color),
  ])
  const line = (text: string, tone: Styling) => style[tone](wrap(escapeText(text), view.width, ' '.repeat(9)))
  const form = { where: shift.where, full: isVerbose(flags) }
  const lines = [
    ...changes.map((change) => {
      const effect = effectOfChange(change, judged)
      return line(`${changeLine(change)} [${words[effect]}]`, toneOfChange[effect])
    }),
    ...effects.map((effect) => line(effectText(effect, form), toneOfEffect[effect.kind])),
    ...[...unread, ...(effects.length > 0 ? idleTexts(firewall, shift.services) : [])].map((text) =>
      line(text, 'yellow'),
    ),
  ]
  return `${lines.join('\n')}\n`
}

/** Says why the effects do not occur yet. */
function idleTexts({ record }: FoundObject, services: readonly unknown[]): string[] {
  if (record && !mayBeEnforced(record.status))
    return [`The firewall is ${record.status}: nothing of this takes effect yet`]
  return services.length > 0 ? [] : ['The firewall protects nothing yet']
}
