/** Changes fields of one rule, for `rules update FIREWALL inbound RULE`. */

import { type FirewallRule, firewallRule } from '../../../catalogue/firewall-rules'
import type { CommandInput } from '../../../engine/command'
import { namingOf } from '../../../engine/field-names'
import { Problem } from '../../../errors'
import { checkRules } from '../../../firewall/check-rules'
import { tidyRule } from '../../../firewall/normalize-rules'
import type { Direction } from '../../../firewall/rules'
import { protocolsWithPorts } from '../../../rules/ports'
import { fieldNames, readPeers, textFields } from '../rule-flags'
import { noNotes } from '../rules-notes'
import { changeRules, readShown } from './change'
import { parseDirection } from './direction-arguments'
import { findShown, isNumber, parseRuleTarget, refuseNumbers } from './rule-argument'

type Fields = Record<string, unknown>

/** Changes the rule of the words behind the firewall: a direction and a rule. */
export async function updateOne(
  reference: string,
  [side, word]: readonly string[],
  invocation: CommandInput,
): Promise<void> {
  const { flags, session } = invocation
  const direction = parseDirection(side)
  if (word === undefined) throw new Problem('usage', `no ${direction} rule is named`, { lacks: ['rule'] })
  const target = parseRuleTarget(word)
  const { fields, masked } = await readFields(direction, invocation)
  refuseNumbers([target], flags, session)
  const read = await readShown(reference, invocation)
  const { rule, text } = findShown(target, direction, read)
  if (flags.validate !== false) expectNoPorts(fields, rule)
  const isUnsure = isNumber(target) && flags['if-match'] === undefined
  await changeRules(
    read,
    {
      edit: { kind: 'change', direction, target, fields },
      notes: { ...noNotes, masked },
      ...(isUnsure && { question: `Update ${text}` }),
    },
    invocation,
  )
}

/** Throws `usage` for a protocol without ports if the rule has some, and they are to stay. */
function expectNoPorts({ protocol, ports }: Fields, rule: FirewallRule | undefined): void {
  const stay = ports === undefined && rule?.ports
  if (!stay || typeof protocol !== 'string' || protocolsWithPorts.includes(protocol)) return
  throw new Problem('usage', `the rule has ports, and only ${protocolsWithPorts.join(' and ')} have ports`, {
    hint: "To remove them from the rule, add --port ''",
  })
}

/** Reads the fields to change, and validates them as far as possible without the rule. */
async function readFields(
  direction: Direction,
  { flags, session }: CommandInput,
): Promise<{ fields: Fields; masked: string[] }> {
  const { addresses, names } = await readPeers(direction, { flags, session })
  const masked: string[] = []
  const hasAddresses = Object.keys(addresses).length > 0
  const fields = tidyRule({ ...textFields(flags), ...(hasAddresses && { addresses }) }, masked)
  if (Object.keys(fields).length === 0) {
    const peers = direction === 'inbound' ? '--from' : '--to'
    throw new Problem('usage', 'nothing to change', {
      hint: `Pass --action, --protocol, --port, ${peers}, --label or --description`,
    })
  }
  if (flags.validate !== false) {
    const naming = namingOf({ flags, names: { ...fieldNames, ...names }, files: [] })
    checkRules(firewallRule, { value: { ...validRule, ...withoutRemoved(fields) } }, { naming })
  }
  return { fields, masked }
}

/** Has the fields that a rule needs, so that only those of flags can be wrong. */
const validRule = { action: 'ACCEPT', protocol: 'TCP', addresses: { ipv4: ['0.0.0.0/0'] } }

/** Leaves out the fields that an empty text removes: those that a rule does not need. */
const withoutRemoved = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([key, value]) => value !== '' || Object.hasOwn(validRule, key)))
