/** Types of an offer of words, and of the request for it. */
import type { CursorPosition } from './position'
import type { CompletionTable } from './table'

export interface Offer {
  /** Beginning of the word at the cursor that stays as it was typed: `--output=`, `id,`. */
  prefix: string
  /** Lines with the rest of the word, `WORD` or `WORD<tab>DESCRIPTION`. A text, since 10,000 lines take 5 ms each time. */
  text: string
  /** Complete `words`; `parts` that go on, as `status=` does; or `files`, which the shell completes. */
  kind: 'words' | 'parts' | 'files'
}

export const noOffer: Offer = { prefix: '', text: '', kind: 'words' }

/** Returns the cached names of a kind, as account/name-cache stores them: lines of `NAME` or `NAME<tab>NOTE`. */
export type ReadNames = (kind: string, position: CursorPosition) => string

export interface OfferSource {
  table: CompletionTable
  readNames: ReadNames
}

export interface OfferRequest extends OfferSource {
  /** Beginning of the word at the cursor that stays. */
  prefix: string
  /** The rest of the word, as far as it is typed. */
  typed: string
  position: CursorPosition
}
