/** Builds the desired state of an object from its entries in files: combined, with names expanded, and validated. */
import { checkFile } from '../catalogue/check-file'
import { createPacker } from '../data/packer'
import type { FieldError } from '../errors'
import { isRecord } from '../rules/records'
import type { Definitions } from './definitions'
import { fieldFailure } from './file-failures'
import type { Kind } from './kind'
import type { RuleNetworks } from './network-changes'
import { type CombinedEntry, combineLayers, type Layers } from './overlays'
import type { Position, SourceLine } from './positions'
import { type ExpandedEntry, unexpanded } from './rule-groups'
import { type ServiceLabel, takeLabels } from './service-labels'
import { withLists } from './single-values'

/** The desired state of an object. */
export interface DesiredObject {
  name: string
  value: unknown
  /** Services that the file names by label; their ids are not in the value yet. */
  labels?: readonly ServiceLabel[]
  /** Networks that its rules name; the value has their addresses. */
  networks?: RuleNetworks
  /** Returns the position of a field below the object, in the file that sets it; null is the object itself. */
  placeOf(field: string | null): string
  /** Returns the same position as data. */
  sourceOf(field: string | null): SourceLine
}

/** An object that files name, with all of its entries. */
export interface DeclaredObject {
  kind: Kind
  name: string
  /** Field of the object in messages: `volumes.pgdata`. */
  path: string
  layers: Layers
  /** True if one of its entries cannot be read. */
  isBroken?: boolean
}

/** Returns the desired state; adds failures to those of the entry that sets the field. */
export function desiredObject({ kind, name, path, layers }: DeclaredObject, definitions: Definitions): DesiredObject {
  const { value: entry, layerOf } = combineLayers(layers, kind)
  const placeOf = (field: string | null) => layerOf(field).placeOf(field)
  const { value, labels, faults, fieldOf, networks } = checked(normalized(entry, { kind, definitions, placeOf }), kind)
  for (const { field, reason } of faults) {
    const error = { field: field === null ? path : `${path}.${field}`, reason }
    layerOf(field).failures.push(fieldFailure(String(placeOf(field)), error, 'usage'))
  }
  return { name, value, networks, ...places(layerOf, fieldOf), ...(labels.length > 0 && { labels }) }
}

/** Returns functions that hold no more than these two: large accounts have 40,000 objects. */
const places = (
  layerOf: CombinedEntry['layerOf'],
  fieldOf: ExpandedEntry['fieldOf'],
): Pick<DesiredObject, 'placeOf' | 'sourceOf'> => ({
  placeOf: (field) => String(positionOf(field, layerOf, fieldOf)),
  sourceOf: (field) => positionOf(field, layerOf, fieldOf).source,
})

function positionOf(
  field: string | null,
  layerOf: CombinedEntry['layerOf'],
  fieldOf: ExpandedEntry['fieldOf'],
): Position {
  const written = field === null ? null : fieldOf(field)
  return layerOf(written).placeOf(written)
}

/** Adds the faults of the value, and packs it. The result must not hold the expanded entry, which has all addresses again. */
function checked({ value, labels, faults, expanded }: Normalized, kind: Kind) {
  const { fieldOf, noteOn, networksIn } = expanded
  const more = (kind.files ?? []).map(({ field }) => field)
  const wrong = checkFile(kind.entry, value, more).map(({ field, reason }) => ({
    field: field === null ? null : fieldOf(field),
    reason: reason.replace(`${field} is`, 'is') + (field === null ? '' : noteOn(field)),
  }))
  const networks = networksIn(isRecord(value) ? value : {})
  // Networks are known by the rules that name them, so these rules stay as they are.
  if (isRecord(value) && networks.size === 0) pack(value)
  return { value, labels, faults: [...faults, ...wrong], fieldOf, networks }
}

const pack = createPacker()

interface Normalized {
  value: unknown
  labels: readonly ServiceLabel[]
  faults: readonly FieldError[]
  expanded: ExpandedEntry
}

interface Around {
  kind: Kind
  definitions: Definitions
  /** Returns the position of a field as it was written. */
  placeOf(field: string | null): Position
}

/** Returns the entry in the form of its schema. */
function normalized(entry: unknown, { kind, definitions, placeOf }: Around): Normalized {
  if (!isRecord(entry)) return { value: entry, labels: [], faults: [], expanded: unexpanded({}) }
  const whole = withLists(kind.entry, entry)
  const fields = isRecord(whole) ? whole : {}
  const context = { definitions, placeOf: (field: string) => String(placeOf(field)) }
  const expanded = kind.expand?.(fields, context) ?? unexpanded(fields)
  const writtenAs = (field: string) => placeOf(expanded.fieldOf(field)).writtenAs
  const taken = takeLabels(kind.tidy?.(expanded.value, writtenAs) ?? expanded.value, kind)
  return { ...taken, faults: [...expanded.faults, ...taken.faults], expanded }
}
