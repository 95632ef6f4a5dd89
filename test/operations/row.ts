/** Row of an operation: its description in api.md, and in gaps.md for details that api.md does not show. */
import type { Idempotency, Operation } from '../../src/catalogue/operation'
import type { Service } from '../sandbox/fixture'

/** A field in the words of api.md: its type, its values, a list, a structure that may be null, or a structure. */
export type Kind = string | readonly [Kind] | readonly ['null', Kind] | { readonly [field: string]: Kind }

type Scope = `${'account' | 'computes' | 'firewall' | 'ips' | 'volumes'}:${'read_only' | 'read_write'}` | 'ips:read'

interface Description {
  operation: Operation
  /** Method and path. */
  line: string
  /** `none`: any token; `open`: no token at all. */
  scopes: 'none' | 'open' | Scope | `${Scope} ${Scope}`
  /** Query parameters besides `page` and `page_size`. */
  query?: string
  /** Fields of the body, required ones with a star; `none`; or `any object`. */
  body?: string
  /** Kind of the answer, or of one record of a list; `nothing` for `{}` or an empty success; or `any object`. */
  answer: Kind
  /** Keys that X-Filter accepts, or `none`; and the fields that identify records without an id. */
  paged?: { filters: string; distinct?: string }
  /** Reaction to a lost answer (reliability.md); a GET is `safe`, and a PUT or DELETE `idempotent` unless it differs. */
  repeat?: Idempotency
  /** Fills the placeholders of the path, in a request that succeeds in the built-in world. */
  at?: readonly (string | number)[]
  /** Body of that request. */
  send?: object
  /** Prepares the world for the request; can return its body. */
  arrange?: (service: Service) => Promise<object | undefined>
}

type Without<Field extends keyof Description> = { [_ in Field]?: never }

export type Row = Description &
  (
    | ({ line: `GET /${string}` } & Without<'body' | 'send' | 'repeat'>)
    | ({ line: `POST /${string}`; body: string; repeat: Idempotency } & Without<'paged' | 'query'>)
    | ({ line: `PUT /${string}`; body: string; send: object } & Without<'paged' | 'query'>)
    | ({ line: `DELETE /${string}` } & Without<'body' | 'send' | 'paged' | 'query' | 'repeat'>)
  )

/** A table of operations in api.md, "Endpoints", with the number of its rows. */
export interface Part<Title extends string> {
  name: string
  count: number
  rows: Record<Title, Row>
}

/** Infers the titles from the rows. */
export const part = <Title extends string>(name: string, count: number, rows: Record<Title, Row>): Part<Title> => ({
  name,
  count,
  rows,
})
