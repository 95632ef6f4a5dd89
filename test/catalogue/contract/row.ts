import type { Operation } from '../../../src/catalogue/operation'

export interface Row {
  method: string
  path: string
  /** Those named in the table of api.md, else in gaps.md; `open` where "Regions (no authorization listed)" applies. */
  scopes: string
  /** Fields of the body; required ones carry a star. */
  body?: string
  paged?: true
}

export type Contract = Record<string, [Operation, Row]>
