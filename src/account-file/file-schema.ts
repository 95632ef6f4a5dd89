/** Schema of the whole file, built from the kinds, for completion in editors and for the documentation. */
import * as v from 'valibot'
import { checkValue } from '../catalogue/check'
import { text } from '../catalogue/fields'
import { partsOf, type Schema } from '../catalogue/operation'
import { groupEntry, networkEntry } from './definitions'
import type { Kind } from './kind'
import { kinds } from './kinds'

export const accountFile = v.strictObject({
  owner: v.optional(text('Tag of everything that the file creates; --prune deletes only resources with it')),
  defaults: v.optional(v.strictObject({ region: v.optional(text('Default region of new volumes')) })),
  networks: v.optional(v.nullable(v.record(v.string(), networkEntry))),
  rules: v.optional(v.nullable(v.record(v.string(), groupEntry))),
  ...Object.fromEntries(kinds.map((kind) => [kind.key, v.optional(ofKind(kind))])),
})

function ofKind(kind: Kind): Schema {
  const entry = withFile(kind)
  // A name without a value is an object without fields.
  const hasNothingToSay = checkValue(kind.entry, {}).length === 0
  return kind.single ? entry : v.nullable(v.record(v.string(), hasNothingToSay ? v.nullable(entry) : entry))
}

function withFile({ entry, included }: Kind): Schema {
  if (!included) return entry
  const { field, fills } = included
  const { [fills]: inner, ...others } = partsOf(entry).entries ?? {}
  const path = text(`Path of a file that holds it, relative to this one`)
  if (field !== fills || !inner) return v.union([entry, v.strictObject({ ...others, [field]: path })])
  const content = partsOf(inner).wrapped ?? inner
  return v.strictObject({ ...others, [field]: v.optional(v.union([path, content])) })
}
