/** What the sandbox must know of an operation to serve it; a group without a handler for each does not compile. */

import type * as v from 'valibot'
import type { Answer, Operation, Schema } from '../catalogue/operation'
import type { Caller } from './caller'
import type { Listing } from './pages'
import type { Addition, Permission } from './tables/users'
import type { World } from './world'

/** What the user needs besides the token's scopes: a permission on the thing that the path names, or a global grant. */
export type Need = Permission | Addition

export interface Handler<O extends Operation> {
  needs?: readonly Need[]
  /** An unknown key of the body is refused, where every other operation ignores it (gaps.md, rules update). */
  refusesUnknownKeys?: true
  /**
   * Applies the rules of the document and gives the answer. Token, scopes, needs and the body's shape hold already.
   * `input` is the body's fields together with the path's parameters.
   */
  handle(input: Input<O>, act: Act<O>): O extends { paged: true } ? Listing<Answer<O>> : Answer<O>
}

export type Handlers<Group extends Record<string, Operation>> = { [Name in keyof Group]: Handler<Group[Name]> }

type Holes<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Holes<Rest> : never

/** api.md: path parameters are integers, but for regions and addresses; the latter come as RFC 5952 writes them. */
type PathParameters<Path> = { [Name in Holes<Path>]: Name extends 'regionId' | 'address' | 'range' ? string : number }

type FieldsOf<S> = S extends Schema ? v.InferOutput<S> : unknown

type Input<O extends Operation> = PathParameters<O['path']> & FieldsOf<O['body']> & FieldsOf<O['query']>

/** What an answer says beside its success. */
export interface Warning {
  title: string
  details: string
}

interface Doing {
  world: World
  /** Makes a success one with a caveat: 299 instead of 200. */
  warn(warning: Warning): void
}

/** The operations that are open to anyone have no caller. */
type Act<O extends Operation> = O extends { open: true } ? Doing : Doing & { caller: Caller }

/** How the text in a hole of a path is read: undefined for what can stand in none. Every other hole holds an id. */
export type Readers = Readonly<Record<string, (text: string) => string | undefined>>

/** An operation that the sandbox serves. */
export interface Served {
  operation: Operation
  readers: Readers
  needs: readonly Need[]
  refusesUnknownKeys: boolean
  handle(input: object, act: Doing & { caller: Caller | undefined }): unknown
}

/** The operations of a group with their handlers. */
export function serve<Group extends Record<string, Operation>>(
  group: Group,
  handlers: Handlers<Group>,
  readers: Readers = {},
): Served[] {
  return Object.entries(group).map(([name, operation]) => {
    const { needs = [], refusesUnknownKeys = false, handle } = handlers[name as keyof Group]
    // A handler is called with what its own operation was checked against, so the types hold at run time.
    return { operation, readers, needs, refusesUnknownKeys, handle: handle as Served['handle'] }
  })
}
