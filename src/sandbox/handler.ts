/** What the sandbox must know of an operation to serve it; a group without a handler for each does not compile. */
import type * as v from 'valibot'
import type { Answer, Operation, Schema } from '../catalogue/operation'
import type { Caller } from './caller'
import type { Listing } from './pages'
import type { Grants, Permission } from './records'
import type { World } from './world'

/** What the user needs besides the token's scopes: a permission on the thing that the path names, or a global grant. */
export type Need = Permission | keyof Grants['global']

export interface Handler<O extends Operation> {
  needs?: readonly Need[]
  /**
   * Applies the rules of the document and gives the answer. Token, scopes, needs and the body's shape hold already.
   * `input` is the body's fields together with the path's parameters.
   */
  handle(input: Input<O>, act: Act<O>): O extends { paged: true } ? Listing<Answer<O>> : Answer<O>
}

export type Handlers<Group extends Record<string, Operation>> = { [Name in keyof Group]: Handler<Group[Name]> }

type Holes<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Holes<Rest> : never

/** api.md: path parameters are integers, but for the region's. */
type PathParameters<Path> = { [Name in Holes<Path>]: Name extends 'regionId' ? string : number }

type Fields<O extends Operation> = O['body'] extends Schema ? v.InferOutput<O['body']> : unknown

type Input<O extends Operation> = PathParameters<O['path']> & Fields<O>

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
