/** Finds keys of account files that are indented too little: they belong below the empty key above them. */
import { emptyAbove, indentBelow } from '../catalogue/check-file-value'
import { partsOf } from '../catalogue/operation'
import { isRecord } from '../rules/records'
import type { KindShape } from './kind'

/** Keys of a file whose values have no keys. */
const hasNoKeys = ['owner']

/** Returns the unknown keys that follow an empty kind or empty defaults, by its key: they belong below it. */
export function outdentedIn(file: Record<string, unknown>, isKey: (key: string) => boolean): Map<string, string[]> {
  const strays = Object.keys(file).filter((key) => !isKey(key))
  const above = (key: string) => emptyAbove(key, file, isKey)
  const parents = new Set(strays.map(above))
  return new Map(
    [...parents].flatMap((parent) =>
      parent !== undefined && !hasNoKeys.includes(parent)
        ? [[parent, strays.filter((key) => above(key) === parent)]]
        : [],
    ),
  )
}

/** Returns the fault of a name that is rather a field of the object above it: it is indented too little. */
export function outdentedField({ noun, entry, included }: KindShape, name: string, named: Record<string, unknown>) {
  const fields = [...Object.keys(partsOf(entry).entries ?? {}), ...(included ? [included.field] : [])]
  const value = named[name]
  const isObject = isRecord(value) ? Object.keys(value).every((key) => fields.includes(key)) : value === null
  if (!fields.includes(name) || isObject) return undefined
  const above = emptyAbove(name, named, (one) => !fields.includes(one))
  return above === undefined ? `is a key of a ${noun}. Indent it below the label` : indentBelow(above)
}
