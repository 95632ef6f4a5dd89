/** Expands the names of networks in a rule of an account file: `from: office` (state.md, For teams). */
import { mostAddresses } from '../catalogue/firewall-rules'
import type { FieldError } from '../errors'
import { addressFault, everywhere, isAnywhere, isName, withoutRepeats } from '../firewall/networks'
import type { Direction } from '../firewall/rules'
import { didYouMean } from '../rules/nearest'
import type { NamedAddresses } from './changes-by-network'
import type { Level } from './overlays'
import type { Place } from './places'

/** A name that account files define, with its value. */
export interface Definition<T> {
  value: T
  /** Place of the definition. */
  at: Place
  /** Place of its file in the order of reading. */
  level: Level
  /** True if the definition has a fault, which is reported there. */
  isWrong: boolean
  /** Places of the uses of a wrong definition. */
  usedIn: Place[]
}

export type NetworkDefinitions = ReadonlyMap<string, Definition<readonly string[]>>

type Rule = Readonly<Record<string, unknown>>
type Fault = FieldError & { field: string }

export interface RuleExpansion {
  rule: Rule
  /** Faults, with fields below the rule. The rule keeps its names then. */
  faults: readonly Fault[]
  /** Set if the rule names a network whose definition is wrong. */
  isBroken?: true
}

/** Keys of a rule that hold names, by direction. */
export const peerKeys = { inbound: 'from', outbound: 'to' } as const

/** Returns those of `from` and `to` that a rule has. */
export const peerKeysIn = (rule: Rule) => allPeerKeys.filter((key) => (rule[key] ?? null) !== null)

const allPeerKeys = Object.values(peerKeys)

export function networksOf(rule: Rule, networks: NetworkDefinitions): NamedAddresses[] {
  const names = networks.size === 0 ? [] : peerKeysIn(rule).flatMap((key) => rule[key])
  return [...networks].flatMap(([name, { value }]) => (names.includes(name) ? [{ name, addresses: value }] : []))
}

/** Context of an expansion. A rule of a group has no direction. */
export interface RuleContext {
  networks: NetworkDefinitions
  direction?: Direction
  at: Place
}

/** Expands `from` or `to` to addresses. Leaves lists of other values unchanged: the schema of rules names their faults. */
export function expandRule(rule: Rule, context: RuleContext): RuleExpansion {
  const keys = peerKeysIn(rule)
  const [key] = keys
  if (key === undefined) return { rule, faults: [] }
  const fault = keyFault(rule, keys, context.direction)
  if (fault) return { rule, faults: [fault] }
  const list = rule[key]
  return areTexts(list) ? expandList(rule, { key, list }, context) : { rule, faults: [] }
}

const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/** Returns the fault of a rule that has the wrong one of these keys, or two of them. */
function keyFault(rule: Rule, keys: readonly string[], direction: Direction | undefined): Fault | undefined {
  const expected = direction === undefined ? undefined : peerKeys[direction]
  const strange = keys.find((key) => expected !== undefined && key !== expected)
  if (strange !== undefined)
    return { field: strange, reason: `cannot be used in an ${direction} rule, which has "${expected}"` }
  const [key = '', other] = keys
  if (other !== undefined) return { field: other, reason: `a rule with "${key}" is for the other direction` }
  return (rule.addresses ?? null) === null
    ? undefined
    : { field: key, reason: 'addresses sets the same, so set only one of them' }
}

function expandList(
  rule: Rule,
  { key, list }: { key: string; list: readonly string[] },
  { networks, at }: RuleContext,
): RuleExpansion {
  if (list.length === 0) return { rule, faults: [{ field: key, reason: 'Must not be empty' }] }
  const faults = list.flatMap((entry, index): Fault[] => {
    const reason = entryFault(entry, networks)
    return reason === undefined ? [] : [{ field: `${key}[${index}]`, reason }]
  })
  const wrong = list.filter((entry) => networks.get(entry)?.isWrong)
  for (const entry of wrong) networks.get(entry)?.usedIn.push(at.at(key, list.indexOf(entry)))
  if (wrong.length > 0) return { rule, faults, isBroken: true }
  if (faults.length > 0) return { rule, faults }
  const addresses = withoutRepeats(list.flatMap((entry) => addressesOf(entry, networks)))
  if (addresses.length > mostAddresses) return { rule, faults: [{ field: key, reason: tooMany(list, networks) }] }
  // In the place of the names, so that the rule is as it would be without them.
  const fields = Object.entries(rule).filter(([name]) => name !== 'addresses')
  const expanded = fields.map(([name, value]) => (name === key ? ['addresses', addresses] : [name, value]))
  return { rule: Object.fromEntries(expanded), faults: [] }
}

function addressesOf(entry: string, networks: NetworkDefinitions): readonly string[] {
  if (isAnywhere(entry)) return everywhere
  return networks.get(entry)?.value ?? [entry]
}

function entryFault(entry: string, networks: NetworkDefinitions): string | undefined {
  if (isAnywhere(entry) || networks.has(entry)) return undefined
  return isName(entry) ? unknownNetwork(entry, networks) : addressFault(entry)
}

function unknownNetwork(entry: string, networks: NetworkDefinitions): string {
  const names = [...networks.keys()]
  const available =
    names.length === 0
      ? 'The files define no networks. Name the file that does, too, as in: skyctl plan account.yaml networks.yaml'
      : `The networks are: ${names.join(', ')}`
  return `no network has the name "${entry}". ${didYouMean(entry, [...names, 'anywhere']) ?? available}`
}

function tooMany(list: readonly string[], networks: NetworkDefinitions): string {
  const parts = list.flatMap((entry) => {
    const network = networks.get(entry)
    return network ? [`${network.value.length} of "${entry}" (${network.at})`] : []
  })
  const named = parts.length === 0 ? '' : `, with ${parts.join(' and ')}`
  return `Too many addresses submitted. Max allowed is ${mostAddresses}${named}`
}
