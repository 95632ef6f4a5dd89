/** Finds the services that an entry of a file names by label instead of id. */
import { parseTarget } from '../account/find-target'
import { type ServiceKind, serviceNouns } from '../account/service-kinds'
import { type FieldError, Problem } from '../errors'
import { isRecord } from '../rules/records'
import type { KindShape } from './kind'

/** A service named by its label: it is left out of the entry until its id is known. */
export interface ServiceLabel {
  /** Field that names it: `compute_id`, `devices.computes[1]`. */
  field: string
  kind: ServiceKind
  label: string
}

type Entry = Record<string, unknown>

/** Moves labels out of an entry; ids that are texts become numbers. */
export function takeLabels(
  entry: Entry,
  { services = {} }: Pick<KindShape, 'services'>,
): { value: Entry; labels: ServiceLabel[]; faults: FieldError[] } {
  const labels: ServiceLabel[] = []
  const faults: FieldError[] = []
  const take = (reference: unknown, kind: ServiceKind, field: string): unknown[] => {
    if (typeof reference !== 'string') return [reference]
    try {
      const target = parseTarget(reference, serviceNouns[kind])
      if ('id' in target) return [target.id]
      labels.push({ field, kind, label: target.label })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      faults.push({ field, reason: error.message })
    }
    return []
  }
  let value = entry
  for (const [field, kind] of Object.entries(services)) {
    value = withField(value, field.split('.'), (inner) =>
      Array.isArray(inner)
        ? inner.flatMap((one: unknown, index) => take(one, kind, `${field}[${index}]`))
        : take(inner, kind, field)[0],
    )
  }
  return { value, labels, faults }
}

/** Changes a field of an entry that has it; undefined removes it. */
function withField(entry: Entry, [key = '', ...below]: readonly string[], change: (inner: unknown) => unknown): Entry {
  if (!Object.hasOwn(entry, key)) return entry
  const inner = entry[key]
  if (below.length > 0) return isRecord(inner) ? { ...entry, [key]: withField(inner, below, change) } : entry
  const { [key]: _, ...others } = entry
  const value = change(inner)
  return value === undefined ? others : { ...entry, [key]: value }
}

/** Kinds whose records have the labels of services. */
export const serviceSources: Readonly<Record<ServiceKind, readonly string[]>> = {
  computes: ['volumes', 'firewalls'],
  balancers: ['firewalls'],
}
