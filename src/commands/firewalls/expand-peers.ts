/** Replaces names of networks in a file of rules by addresses. */
import { levelOf } from '../../account-file/overlays'
import { Place } from '../../account-file/places'
import { expandRule, type NetworkDefinitions, peerKeysIn } from '../../account-file/rule-networks'
import { bodyProblem } from '../../catalogue/body-problem'
import type { FieldError } from '../../errors'
import { isAnywhere, isName } from '../../firewall/networks'
import { type Direction, directions } from '../../firewall/rules'
import { isRecord } from '../../rules/records'
import type { NetworksFile } from '../read-networks-file'
import { unknownNetworkProblem } from './unknown-network'

/**
 * Replaces `from` and `to` of rules by addresses, and each may be a single name. Throws `usage` for unknown names and for
 * other faults, with their lines: `placeOf` returns that of a field.
 */
export function expandPeers(
  rules: Record<string, unknown>,
  placeOf: (field: string) => string,
  file: NetworksFile,
): Record<string, unknown> {
  const faults: FieldError[] = []
  const fail = (field: string, reason: string) => faults.push({ field, reason: reason + placeOf(field) })
  const at = new Place({ name: file.path ?? '' })
  const defined = { at, level: levelOf({}), isWrong: false, usedIn: [] }
  const networks: NetworkDefinitions = new Map([...file.networks].map(([name, value]) => [name, { value, ...defined }]))
  const expanded = (rule: unknown, field: string, direction: Direction) => {
    if (!isRecord(rule)) return rule
    if (rule.use !== undefined) fail(`${field}.use`, groupsElsewhere)
    const lists = peerKeysIn(rule).map((key) => [key, [rule[key]].flat()] as const)
    for (const [key, list] of lists)
      for (const [index, name] of list.entries())
        if (typeof name === 'string' && isName(name) && !isAnywhere(name) && !networks.has(name))
          throw unknownNetworkProblem(name, `${field}.${key}[${index}]${placeOf(`${field}.${key}[${index}]`)}`, file)
    const whole = { ...rule, ...Object.fromEntries(lists) }
    const result = expandRule(whole, { networks, direction, at })
    for (const fault of result.faults) fail(`${field}.${fault.field}`, fault.reason)
    return result.rule
  }
  const sides = directions.flatMap((direction) => {
    const list = rules[direction]
    if (!Array.isArray(list)) return []
    return [[direction, list.map((rule, index) => expanded(rule, `${direction}[${index}]`, direction))] as const]
  })
  if (faults.length > 0) throw bodyProblem(faults)
  return { ...rules, ...Object.fromEntries(sides) }
}

const groupsElsewhere = 'groups of rules are for account files only: skyctl help account-file'
