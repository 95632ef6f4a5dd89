/** Names that account files define: networks and groups of rules, which rules of firewalls use (state.md, For teams). */
import * as v from 'valibot'
import { checkFile, notAnObject } from '../catalogue/check-file'
import { checkedText } from '../catalogue/fields'
import { namedRule } from '../catalogue/firewall-rules'
import { stepsOf } from '../data/yaml'
import type { FieldError } from '../errors'
import { addressFault, areSameAddresses, nameFault } from '../firewall/networks'
import { tidyRule } from '../firewall/tidy'
import { isRecord } from '../rules/records'
import { isLater, levelOf } from './levels'
import type { PlacedFile, Position } from './positions'
import { type Definition, expandRule } from './rule-networks'
import { withLists } from './single-values'

/** Schema of a network. */
export const networkEntry = v.pipe(
  v.array(checkedText(addressFault, 'Address or network'), 'Must be an array'),
  v.minLength(1, 'Must not be empty'),
  v.description('Addresses and networks of both families'),
)

/** Schema of a group of rules. */
export const groupEntry = v.pipe(v.array(namedRule, 'Must be an array'), v.description('Rules, in order'))

type Rule = Readonly<Record<string, unknown>>

/** A rule of a group. */
export interface GroupRule {
  /** The rule as it was written. */
  written: Rule
  /** The rule with addresses. */
  rule: Rule
  place: Position
}

/** Keys of a file that define names. */
export const definitionKeys = ['networks', 'rules'] as const
type DefinitionKey = (typeof definitionKeys)[number]

interface Fault extends FieldError {
  place: string
  field: string
  /** Positions of the uses of what has the fault. */
  usedIn: readonly string[]
}

/** A file with its place in the order of reading. */
type DefiningFile = PlacedFile & { source?: Parameters<typeof levelOf>[0] }

export class Definitions {
  readonly networks = new Map<string, Definition<readonly string[]>>()
  readonly groups = new Map<string, Definition<readonly GroupRule[]>>()
  /** Definitions that another file replaces, each with the positions of both. */
  readonly refinements: string[] = []
  readonly #faults = new Map<PlacedFile, Fault[]>()

  /** Reads the definitions of all files, in any order: a file can use names of a later one. */
  constructor(files: readonly DefiningFile[]) {
    for (const file of files) this.#read(file, 'networks', this.networks, readNetwork)
    for (const file of files) this.#read(file, 'rules', this.groups, (value, at) => this.#readGroup(value, at))
  }

  /** Returns the faults of the definitions in a file; complete when all uses were expanded. */
  faultsIn(file: PlacedFile): (FieldError & { place: string })[] {
    return (this.#faults.get(file) ?? []).map(({ place, field, reason, usedIn }) => ({
      place,
      field,
      reason: usedIn.length === 0 ? reason : `${reason} (used in ${listed(usedIn)})`,
    }))
  }

  #read<T>(
    file: DefiningFile,
    key: DefinitionKey,
    definitions: Map<string, Definition<T>>,
    read: (value: unknown, place: Position, name: string) => Contents<T>,
  ): void {
    const named = isRecord(file.value) ? (file.value[key] ?? {}) : {}
    const faults = this.#faults.get(file) ?? []
    this.#faults.set(file, faults)
    const above = file.place.at([key])
    if (!isRecord(named))
      return void faults.push({ place: String(above), field: key, reason: notAnObject(named), usedIn: [] })
    for (const [name, value] of Object.entries(named)) {
      const at = above.at([name])
      const defined = { name, place: String(at), level: levelOf(file.source ?? {}), ...read(value, at, name) }
      const { usedIn, reasons, replaced } = define(definitions, defined)
      const field = `${key}.${name}`
      if (replaced) this.refinements.push(`${field}: ${replaced.place}, replaced in ${at}`)
      for (const one of reasons)
        faults.push({
          place: String(one.field === null ? at : at.at(stepsOf(one.field))),
          field: one.field === null ? field : `${field}${one.field}`,
          reason: one.reason,
          usedIn,
        })
    }
  }

  #readGroup(input: unknown, place: Position): Contents<readonly GroupRule[]> {
    const items = withLists(groupEntry, input)
    if (!Array.isArray(items)) return { value: [], isSame: () => false, faults: checkFile(groupEntry, items) }
    const read = items.map((item: unknown, index) => this.#readRule(item, place.at([String(index)])))
    return {
      value: read.map(({ rule }) => rule),
      isSame: (other) => textOf(other.map(({ rule }) => rule)) === textOf(read.map(({ rule }) => rule.rule)),
      isBroken: read.some(({ isBroken }) => isBroken),
      faults: read.flatMap(({ faults }, index) =>
        faults.map(({ field, reason }) => ({ field: `[${index}]${field === null ? '' : `.${field}`}`, reason })),
      ),
    }
  }

  #readRule(item: unknown, place: Position): { rule: GroupRule; isBroken: boolean; faults: FieldError[] } {
    const written = isRecord(item) ? item : {}
    if (written.use !== undefined) {
      const faults = [{ field: 'use', reason: 'a group of rules cannot use another one' }]
      return { rule: { written, rule: written, place }, isBroken: false, faults }
    }
    const placeOf = (field: string) => String(place.at(stepsOf(field)))
    const { rule, faults, isBroken = false } = expandRule(written, { networks: this.networks, placeOf })
    const tidy = tidyRule(rule, [], () => place.at(['ports']).writtenAs)
    const others = checkFile(namedRule, isRecord(item) ? tidy : item).map(({ field, reason }) => ({
      field,
      reason: reason.replace(`${field} is`, 'is'),
    }))
    return { rule: { written, rule: tidy, place }, isBroken, faults: [...faults, ...others] }
  }
}

/** Value of a definition, and its faults. */
interface Contents<T> {
  value: T
  faults: readonly FieldError[]
  /** Reports whether another definition of the name says the same. */
  isSame(other: T): boolean
  /** Reason why its name cannot be one: nobody can use it. */
  nameFault?: string | undefined
  /** True if it uses a definition that is wrong. */
  isBroken?: boolean
}

function readNetwork(input: unknown, _place: Position, name: string): Contents<readonly string[]> {
  const value = withLists(networkEntry, input)
  const addresses = Array.isArray(value) ? value.map(String) : []
  return {
    value: addresses,
    nameFault: nameFault(name),
    faults: checkFile(networkEntry, value),
    isSame: (other) => areSameAddresses(addresses, other),
  }
}

/**
 * Adds a definition, or replaces one of an earlier level. Returns its faults; equal definitions of a name in one level
 * are one.
 */
function define<T>(
  definitions: Map<string, Definition<T>>,
  { name, place, level, ...contents }: Contents<T> & Pick<Definition<T>, 'place' | 'level'> & { name: string },
): { usedIn: string[]; reasons: readonly FieldError[]; replaced: Definition<T> | undefined } {
  const { value, isSame, nameFault, isBroken = false, faults } = contents
  const earlier = definitions.get(name)
  const replaced = earlier && isLater(level, earlier.level) ? earlier : undefined
  const other = replaced ? undefined : earlier
  const reason = nameFault ?? (other && !isSame(other.value) ? differs(other) : undefined)
  const reasons = reason === undefined ? faults : [{ field: null, reason }, ...faults]
  const isWrong = isBroken || reasons.length > 0
  if (other) other.isWrong ||= isWrong
  const definition = other ?? { value, place, level, isWrong, usedIn: [] }
  if (nameFault === undefined) definitions.set(name, definition)
  return { usedIn: definition.usedIn, reasons, replaced: replaced && isSame(replaced.value) ? undefined : replaced }
}

const differs = ({ place }: Definition<unknown>) => `is already in ${place}, with other contents`

const textOf = (value: unknown) => JSON.stringify(value)

const mostListed = 3

function listed(places: readonly string[]): string {
  const more = places.length - mostListed
  return `${places.slice(0, mostListed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
