/** Names that account files define: networks and groups of rules, which rules of firewalls use (state.md, For teams). */
import * as v from 'valibot'
import { checkFileValue, notAnObject } from '../catalogue/check-file-value'
import { arrayOf, checkedText } from '../catalogue/fields'
import { namedRule } from '../catalogue/firewall-rules'
import type { FieldError } from '../errors'
import { addressFault, areSameAddresses, nameFault } from '../firewall/networks'
import { tidyRule } from '../firewall/normalize-rules'
import { isRecord } from '../rules/records'
import { isLater, type Level } from './overlays'
import { type Fault, fieldsOf, type Place, type PlacedValue } from './places'
import { type Definition, expandRule } from './rule-networks'
import { withLists } from './single-values'

export const networkEntry = v.pipe(
  arrayOf(checkedText(addressFault, 'Address or network'), 'Addresses and networks of both families'),
  v.minLength(1, 'Must not be empty'),
)

export const groupEntry = arrayOf(namedRule, 'Rules, in order')

type Rule = Readonly<Record<string, unknown>>

export interface GroupRule {
  /** The rule as it was written. */
  written: Rule
  /** The rule with addresses. */
  rule: Rule
  at: Place
}

/** Places of a value and of the one that replaces it. */
export interface Replacement {
  at: Place
  by: Place
}

export const definitionKeys = ['networks', 'rules'] as const

/** A file with its place in the order of reading. */
type DefiningFile = PlacedValue & { level: Level }

export class Definitions {
  readonly networks = new Map<string, Definition<readonly string[]>>()
  readonly groups = new Map<string, Definition<readonly GroupRule[]>>()
  /** Definitions that another file replaces. */
  readonly refinements: Replacement[] = []
  /** With the places of uses: complete when all uses were expanded. */
  readonly #faults: (Fault & { usedIn: readonly Place[] })[] = []

  /** Reads the definitions of all files, in any order: a file can use names of a later one. */
  constructor(files: readonly DefiningFile[]) {
    for (const file of files) this.#read(file, 'networks', this.networks, readNetwork)
    for (const file of files) this.#read(file, 'rules', this.groups, (group) => this.#readGroup(group))
  }

  /** Returns the faults of all definitions, with their uses. */
  faults(): Fault[] {
    return this.#faults.map(({ at, reason, usedIn }) => ({
      at,
      reason: usedIn.length === 0 ? reason : `${reason} (used in ${listed(usedIn)})`,
    }))
  }

  #read<T>(
    file: DefiningFile,
    key: (typeof definitionKeys)[number],
    definitions: Map<string, Definition<T>>,
    read: (defined: PlacedValue, name: string) => Contents<T>,
  ): void {
    const named = { value: isRecord(file.value) ? (file.value[key] ?? {}) : {}, at: file.at.at(key) }
    if (!isRecord(named.value))
      return void this.#faults.push({ at: named.at, reason: notAnObject(named.value), usedIn: [] })
    for (const [name, defined] of fieldsOf(named)) {
      const { at } = defined
      const { usedIn, faults, replaced } = define(definitions, name, { at, level: file.level, ...read(defined, name) })
      if (replaced) this.refinements.push({ at: replaced.at, by: at })
      this.#faults.push(...faults.map((fault) => ({ ...fault, usedIn })))
    }
  }

  #readGroup({ value, at }: PlacedValue): Contents<readonly GroupRule[]> {
    const items = withLists(groupEntry, value)
    if (!Array.isArray(items))
      return { value: [], isSame: () => false, faults: placed(checkFileValue(groupEntry, items), at) }
    const rules = items.map((item: unknown, index) => this.#readRule({ value: item, at: at.at(index) }))
    return {
      value: rules.map(({ rule }) => rule),
      isSame: (other) =>
        JSON.stringify(other.map(({ rule }) => rule)) === JSON.stringify(rules.map(({ rule }) => rule.rule)),
      isBroken: rules.some(({ isBroken }) => isBroken),
      faults: rules.flatMap(({ faults }) => faults),
    }
  }

  #readRule({ value, at }: PlacedValue): { rule: GroupRule; isBroken: boolean; faults: readonly Fault[] } {
    const written = isRecord(value) ? value : {}
    if (written.use !== undefined) {
      const faults = [{ at: at.at('use'), reason: 'a group of rules cannot use another one' }]
      return { rule: { written, rule: written, at }, isBroken: false, faults }
    }
    const { rule, faults, isBroken = false } = expandRule(written, { networks: this.networks, at })
    const tidy = tidyRule(rule, [])
    const others = checkFileValue(namedRule, isRecord(value) ? tidy : value).map(({ field, reason }) => ({
      field,
      reason: reason.replace(`${field} is`, 'is'),
    }))
    return { rule: { written, rule: tidy, at }, isBroken, faults: placed([...faults, ...others], at) }
  }
}

const placed = (errors: readonly FieldError[], at: Place): Fault[] =>
  errors.map(({ field, reason }) => ({ at: at.of(field), reason }))

/** Value of a definition, and its faults. */
interface Contents<T> {
  value: T
  faults: readonly Fault[]
  /** Reports whether another definition of the name says the same. */
  isSame(other: T): boolean
  /** Reason why its name cannot be one: nobody can use it. */
  nameFault?: string | undefined
  /** True if it uses a definition that is wrong. */
  isBroken?: boolean
}

function readNetwork({ value, at }: PlacedValue, name: string): Contents<readonly string[]> {
  const list = withLists(networkEntry, value)
  const addresses = Array.isArray(list) ? list.map(String) : []
  return {
    value: addresses,
    nameFault: nameFault(name),
    faults: placed(checkFileValue(networkEntry, list), at),
    isSame: (other) => areSameAddresses(addresses, other),
  }
}

/**
 * Adds a definition, or replaces one of an earlier level. Returns its faults; equal definitions of a name in one level
 * are one.
 */
function define<T>(
  definitions: Map<string, Definition<T>>,
  name: string,
  { at, level, ...contents }: Contents<T> & Pick<Definition<T>, 'at' | 'level'>,
): { usedIn: readonly Place[]; faults: readonly Fault[]; replaced: Definition<T> | undefined } {
  const { value, isSame, nameFault, isBroken = false } = contents
  const earlier = definitions.get(name)
  const replaced = earlier && isLater(level, earlier.level) ? earlier : undefined
  const other = replaced ? undefined : earlier
  const rival = nameFault === undefined && other && !isSame(other.value) ? other.at : undefined
  const reason = nameFault ?? (rival && `is already in ${rival}, with other contents`)
  const faults = reason === undefined ? contents.faults : [{ at, reason, ...(rival && { rival }) }, ...contents.faults]
  const isWrong = isBroken || faults.length > 0
  if (other) other.isWrong ||= isWrong
  const definition = other ?? { value, at, level, isWrong, usedIn: [] }
  if (nameFault === undefined) definitions.set(name, definition)
  return { usedIn: definition.usedIn, faults, replaced: replaced && isSame(replaced.value) ? undefined : replaced }
}

const mostListed = 3

function listed(places: readonly Place[]): string {
  const more = places.length - mostListed
  return `${places.slice(0, mostListed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
