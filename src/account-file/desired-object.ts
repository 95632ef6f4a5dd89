/** Builds the desired state of an object from its entries in files: combined, with names expanded, and validated. */
import { checkFile } from '../catalogue/check-file'
import { partsOf } from '../catalogue/operation'
import { isRecord } from '../rules/records'
import type { Definitions } from './definitions'
import type { KindShape } from './kind'
import type { RuleNetworks } from './network-changes'
import { combined, type Layers } from './overlays'
import type { Fault, Place } from './places'
import { type ExpandedEntry, expandRules, groupsNote, ruleNetworks, unexpanded } from './rule-groups'
import { withLists } from './single-values'
import { type ServiceLabel, takeLabels } from './take-service-labels'

export interface DesiredObject {
  name: string
  value: unknown
  /** Place of the object; that of a field is in the file that sets it. */
  at: Place
  /** Services that the file names by label; their ids are not in the value yet. */
  labels?: readonly ServiceLabel[]
  /** Networks that its rules name; the value has their addresses. */
  networks?: RuleNetworks
}

/** An object that files name, with all of its entries. */
export interface DeclaredObject {
  kind: KindShape
  name: string
  layers: Layers
  /** True if one of its entries cannot be read. */
  isBroken: boolean
}

/** Returns the fields of a kind that files can hold: they are replaced as a whole. */
export const wholeFields = ({ files = [] }: Pick<KindShape, 'files'>) => files.map(({ fills }) => fills)

export function desiredObject(
  { kind, name, layers }: DeclaredObject,
  definitions: Definitions,
): { object: DesiredObject; faults: readonly Fault[] } {
  const { value: entry, at: place } = combined(layers, wholeFields(kind))
  if (!isRecord(entry)) {
    const faults = checkFile(kind.entry, entry).map(({ field, reason }) => ({ at: place.of(field), reason }))
    return { object: { name, value: entry, at: place }, faults }
  }
  const whole = { value: withLists(kind.entry, entry), at: place }
  // Only firewalls have rules, with groups and names of networks to expand.
  const expanded = partsOf(kind.entry).entries?.rules ? expandRules(whole, definitions) : unexpanded(whole)
  const { value, labels, faults } = takeLabels(tidied(expanded, kind), kind)
  const { at } = expanded
  // The value is checked as it will be sent, so a fault names a field of the expanded entry; its place is where the
  // file has it.
  const wrong = [...faults, ...checkFile(kind.entry, value, fileFields(kind))].map(({ field, reason }) => {
    const note = field === 'rules' ? groupsNote(expanded, definitions) : ''
    return { at: at.of(field), reason: reason.replace(`${field} is`, 'is') + note }
  })
  const networks = ruleNetworks(expanded, value)
  return {
    object: { name, value, at, networks, ...(labels.length > 0 && { labels }) },
    faults: [...expanded.faults, ...wrong],
  }
}

const fileFields = ({ files = [] }: KindShape) => files.map(({ field }) => field)

function tidied({ value, at }: ExpandedEntry, { tidy }: KindShape): Record<string, unknown> {
  const entry = isRecord(value) ? value : {}
  return tidy?.(entry, at) ?? entry
}
