/** Operations of api.md as data: request, answer, permissions, and behaviour on repetition. */
import type * as v from 'valibot'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

// biome-ignore lint/suspicious/noExplicitAny: engine/ runs operations that it does not know: with unknown, it would need a cast for each use of an answer. `Answer` types the answer of a known operation
export type Schema = v.GenericSchema<unknown, any>

/** Object schema with readable entries, which flags, help and documents use. */
export type ObjectSchema = Schema & { readonly entries: Record<string, Schema> }

/** Parts of a schema; each is present only in some kinds of schemas. */
interface Parts {
  type: string
  entries?: Readonly<Record<string, Schema>>
  /** Item schema of an array. */
  item?: Schema
  /** Inner schema of an optional or nullable one. */
  wrapped?: Schema
  options?: readonly string[]
  pipe?: readonly { type: string; description?: string; requirement?: unknown }[]
}

export function partsOf(schema: Schema): Parts {
  return schema
}

/**
 * Possible reactions to a lost answer (reliability.md):
 * - `safe`: the request changes nothing; send it again.
 * - `idempotent`: repeating has no further effect; send it again.
 * - `check first`: read the object, then decide. account/perform sends any change of shared values so: `--add-tag`, rules.
 * - `never`: a repeated request would create a duplicate or charge again.
 */
export type Idempotency = 'safe' | 'idempotent' | 'check first' | 'never'

interface Description {
  method: Method
  /** Path relative to the base URL, with placeholders such as `{volumeId}`. */
  path: string
  /** Required scopes, all of them. If empty, any valid token suffices. */
  scopes: readonly string[]
  /** Required grants (api.md), as text after "the user needs". */
  needs?: string
  /** Users without access regardless of grants (api.md), as a sentence without full stop. */
  never?: string
  /** Set if no token is required. */
  isPublic?: true
  /** Summary for help: one line in the imperative, without full stop. */
  summary: string
  query?: ObjectSchema
  body?: ObjectSchema
  returns: Schema
  /** Set if the answer is a paged list of `returns`. */
  paged?: true
  /** Field of the answer that repeats the last path parameter; an answer with another value is rejected. */
  identityField?: string
  /** Body fields that a create answer repeats. With other values, the answer is about another object. */
  repeats?: readonly string[]
  /** Field of the answer whose value has these fields; without it they are in the answer itself. */
  repeatedIn?: string
  /**
   * Dotted fields of the answer that commands require; by default those that identify the object. `*` means all that
   * the schema requires. Any other field may be missing.
   */
  essential?: readonly string[]
  /** Fields that identify a record in a list without ids. */
  distinct?: readonly string[]
  /** Keys with known filter support (gaps.md). The client filters the result again in any case. */
  filterable?: readonly string[]
  /** Fields kept in the history for an undo, if the operation does not replace them itself. */
  keeps?: readonly string[]
  idempotency?: Idempotency
  /** Kind of the created object, as named in messages. If the answer is lost, skyctl searches for it among these objects. */
  creates?: string
}

export interface Operation extends Description {
  idempotency: Idempotency
}

export type Answer<O extends Operation> = v.InferOutput<O['returns']>

/** A record of an answer: an item of the list, or the answer itself. */
export type AnswerRecord<O extends Operation> = Answer<O> extends readonly (infer Item)[] ? Item : Answer<O>
export type Body<O extends Operation> = O['body'] extends Schema ? v.InferInput<O['body']> : never

/** Returns the required fields of an answer, including defaults: see `essential`. */
export function essentialOf({ essential, identityField, distinct, returns }: Operation): readonly string[] {
  if (essential) return essential
  const { entries = {} } = partsOf(partsOf(returns).item ?? returns)
  const identity = identityField ? [identityField] : (distinct ?? ['id'])
  return identity.filter((field) => Object.hasOwn(entries, field))
}

/** Default reactions to a lost answer, by method. */
export const defaultIdempotency: Readonly<Record<Method, Idempotency>> = {
  GET: 'safe',
  PUT: 'idempotent',
  DELETE: 'idempotent',
  POST: 'never',
}

/** Adds the default for `repeat`: a POST is never repeated unless the operation allows it. */
export function operation<const D extends Description>(description: D): D & { idempotency: Idempotency } {
  return { ...description, idempotency: description.idempotency ?? defaultIdempotency[description.method] }
}

/** Fills the placeholders of a path; colons are encoded as `%3A`. */
export function filledPath(path: string, values: Readonly<Record<string, string | number>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? '')))
}

/** Lists the placeholder names of a path in order. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

/** Returns the field paths of an answer for `--columns`, `--sort` and `--filter`: `label`, `resolvers.ipv4`. */
export const fieldPaths = ({ returns }: Pick<Operation, 'returns'>): string[] =>
  leafFields(partsOf(returns).item ?? returns).map(({ path }) => path)

export interface LeafField {
  /** Dotted path: `resolvers.ipv4`. */
  path: string
  schema: Schema
  /** True if the field, or an object above it, may be null or missing. */
  nullable: boolean
}

/** Lists the fields of an object, with those of the objects in it instead of these objects. */
export function leafFields(schema: Schema, isOptional = false): LeafField[] {
  return Object.entries(partsOf(schema).entries ?? {}).flatMap(([key, entry]) => {
    const inner = unwrapped(entry)
    const nullable = isOptional || inner !== entry
    const below = leafFields(inner, nullable)
    if (below.length === 0) return [{ path: key, schema: inner, nullable }]
    return below.map((field) => ({ ...field, path: `${key}.${field.path}` }))
  })
}

/** Returns a schema as it is below `optional` and `nullable`. */
export function unwrapped(schema: Schema): Schema {
  const { wrapped } = partsOf(schema)
  return wrapped ? unwrapped(wrapped) : schema
}
