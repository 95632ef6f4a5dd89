/** Builds HTML from templates that escape every text. Nothing else in skyctl makes markup of texts. */
import { escapeText } from '../rules/escape'

/** HTML that templates insert unchanged. Only `html` creates it. */
export class Markup {
  constructor(readonly text: string) {}
}

/** Values of a template: markup, texts to escape, and lists of both. */
export type Piece = Markup | string | number | bigint | undefined | readonly Piece[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Template tag: html`<b title="${text}">${text}</b>`. Attributes must have quotes. Shows hostile characters as escapes. */
export const html = (parts: TemplateStringsArray, ...pieces: readonly Piece[]): Markup =>
  new Markup(parts.map((part, place) => (place === 0 ? '' : textOf(pieces[place - 1])) + part).join(''))

function textOf(piece: Piece): string {
  if (piece === undefined) return ''
  if (piece instanceof Markup) return piece.text
  if (isList(piece)) return piece.map(textOf).join('')
  return escapeText(String(piece)).replace(/[&<>"']/g, (char) => entities[char] ?? char)
}

/** `Array.isArray` does not know read-only arrays. */
const isList = (piece: Piece): piece is readonly Piece[] => Array.isArray(piece)

/** Returns the pieces with a separator between them. */
export const joined = (pieces: readonly Piece[], separator: Piece): Markup =>
  html`${pieces.map((piece, place) => [place === 0 ? undefined : separator, piece])}`
