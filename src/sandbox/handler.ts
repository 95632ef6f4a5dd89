/** Handlers of the API operations. A group with a missing handler does not compile. */

import type * as v from 'valibot'
import type { Answer, Operation, Schema } from '../catalogue/operation'
import type { Caller } from './caller'
import type { EventRule } from './events'
import type { Listing } from './pages'
import type { Addition, Permission } from './tables/users'
import type { World } from './world'

/** Requirement besides the token's scopes: a permission on the object in the path, or a global grant. */
export type Need = Permission | Addition

export interface Handler<O extends Operation> {
  needs?: readonly Need[]
  event?: EventRule
  /** Rejects unknown body keys, which every other operation ignores (gaps.md, rules update). */
  refusesUnknownKeys?: true
  /**
   * Applies the rules of api.md and returns the answer. Token, scopes, needs and schema have already been checked.
   * `input` holds the body's fields and the path's parameters.
   */
  handle(input: Input<O>, act: Act<O>): O extends { paged: true } ? Listing<Answer<O>> : Answer<O>
}

export type Handlers<Group extends Record<string, Operation>> = { [Name in keyof Group]: Handler<Group[Name]> }

type ParameterNames<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParameterNames<Rest> : never

/** Path parameters: integers, except for regions and addresses (api.md). Addresses are written as in RFC 5952. */
type PathParameters<Path> = {
  [Name in ParameterNames<Path>]: Name extends 'regionId' | 'address' | 'range' ? string : number
}

type FieldsOf<S> = S extends Schema ? v.InferOutput<S> : unknown

type Input<O extends Operation> = PathParameters<O['path']> & FieldsOf<O['body']> & FieldsOf<O['query']>

export interface AnswerWarning {
  title: string
  details: string
}

interface Doing {
  world: World
  /** Adds a warning, which changes status 200 to 299. */
  warn(warning: AnswerWarning): void
}

/** Context of a handler. Public operations have no caller. */
type Act<O extends Operation> = O extends { isPublic: true } ? Doing : Doing & { caller: Caller }

/** Parsers of text path parameters by name; undefined if the text is invalid. All other parameters are ids. */
export type Readers = Readonly<Record<string, (text: string) => string | undefined>>

export interface Served {
  operation: Operation
  readers: Readers
  needs: readonly Need[]
  event: EventRule | undefined
  refusesUnknownKeys: boolean
  handle(input: object, act: Doing & { caller: Caller | undefined }): object | null | Listing<unknown>
}

export function serve<Group extends Record<string, Operation>>(
  group: Group,
  handlers: Handlers<NoInfer<Group>>,
  readers: Readers = {},
): Served[] {
  return Object.entries(group).map(([name, operation]) => {
    const { needs = [], event, refusesUnknownKeys = false, handle } = handlers[name as keyof Group]
    // A handler gets only input that was checked against its own operation, so the types hold at run time.
    return { operation, readers, needs, event, refusesUnknownKeys, handle: handle as Served['handle'] }
  })
}
