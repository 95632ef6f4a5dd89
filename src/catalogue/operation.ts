/** An operation of api.md as plain data: what is sent, what comes back, who may call it, and what may be repeated. */
import type * as v from 'valibot'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

// biome-ignore lint/suspicious/noExplicitAny: what is handled as some operation, such as in engine/, takes what it names of an answer; Answer gives the type of one that is known
export type Schema = v.GenericSchema<unknown, any>

/** An object schema whose entries can be read: flags, help and documents are made from them. */
export type ObjectSchema = Schema & { readonly entries: Record<string, Schema> }

/** What a schema is made of, as far as its kind has such parts. */
interface Parts {
  type: string
  entries?: Readonly<Record<string, Schema>>
  /** Of an array. */
  item?: Schema
  /** Of what is optional or nullable. */
  wrapped?: Schema
  /** Of a choice. */
  options?: readonly string[]
  pipe?: readonly { type: string; description?: string; requirement?: unknown }[]
}

export function partsOf(schema: Schema): Parts {
  return schema
}

/**
 * What may be done when a request's answer was lost (reliability.md):
 * - `safe`: it changes nothing; send again.
 * - `idempotent`: twice is as good as once; send again.
 * - `check first`: read the object, then decide.
 * - `never`: a second request would make a second thing, or charge again.
 */
export type Repeat = 'safe' | 'idempotent' | 'check first' | 'never'

/** The kinds of objects that an account has, as sentences name one of them. */
export type ObjectKind =
  | 'address'
  | 'app'
  | 'device'
  | 'firewall'
  | 'IPv6 range'
  | 'login'
  | 'SSH key'
  | 'token'
  | 'volume'

interface Description {
  method: Method
  /** Relative to the base URL; `{volumeId}` are holes for path parameters. */
  path: string
  /** All of these are needed. Empty: any valid token will do. */
  scopes: readonly string[]
  /** What the user's grants must allow besides (api.md), to follow "the user needs". */
  needs?: string
  /** Who can never do it, whatever the grants, as a sentence without its full stop (api.md). */
  never?: string
  /** The operation needs no token at all. */
  open?: true
  /** One line for help, in the imperative, without a full stop. */
  summary: string
  query?: ObjectSchema
  body?: ObjectSchema
  returns: Schema
  /** The answer is an envelope of pages whose items are `returns`. */
  paged?: true
  /** The field of the answer that repeats what fills the last hole of the path: an answer with another is refused. */
  about?: string
  /** Fields of the body that the answer to a creation repeats: an answer with other values is about something else. */
  repeats?: readonly string[]
  /**
   * The fields of the answer that no command can do without, dotted: what tells its object from others, unless it says
   * more. `*` is all that the schema requires. Any other field may be missing.
   */
  essential?: readonly string[]
  /** Of a list whose records have no id: the fields that tell them apart. */
  distinct?: readonly string[]
  /** Keys that the service is known to filter by (gaps.md); the client checks the result whatever the service did. */
  filterable?: readonly string[]
  /** Fields of the object that tell how to undo it, where it does not replace them: they are kept in the history. */
  keeps?: readonly string[]
  repeat?: Repeat
  /** It makes a new object of this kind, which its answer tells of: where that is lost, it is looked for among them. */
  creates?: ObjectKind
}

export interface Operation extends Description {
  repeat: Repeat
}

export type Answer<O extends Operation> = v.InferOutput<O['returns']>
export type Body<O extends Operation> = O['body'] extends Schema ? v.InferInput<O['body']> : never

/** See `essential`. */
export function essentialOf({ essential, about, distinct, returns }: Operation): readonly string[] {
  if (essential) return essential
  const { entries = {} } = partsOf(partsOf(returns).item ?? returns)
  const identity = about ? [about] : (distinct ?? ['id'])
  return identity.filter((field) => Object.hasOwn(entries, field))
}

/** What follows from the method, where nothing more is known. */
export const repeatOf: Readonly<Record<Method, Repeat>> = {
  GET: 'safe',
  PUT: 'idempotent',
  DELETE: 'idempotent',
  POST: 'never',
}

/** Fills in what follows from the method: a POST is never repeated unless the operation says otherwise. */
export function operation<const D extends Description>(description: D): D & { repeat: Repeat } {
  return { ...description, repeat: description.repeat ?? repeatOf[description.method] }
}

/** An operation's path with its holes filled; colons are written as `%3A`. */
export function filledPath(path: string, values: Readonly<Record<string, string | number>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? '')))
}

/** The names of the holes in an operation's path, in order. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
}
