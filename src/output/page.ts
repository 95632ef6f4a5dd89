/** Writes HTML pages of one file: they load nothing, run nothing, and can be sent, printed and archived. */
import { createHash } from 'node:crypto'
import { html, Markup, type Piece } from './html'
import { onPhones, pageStyle } from './page-style'

/** Headings of the columns of tables, by name of the table. Constants: they become a part of the style. */
export type Headings = Readonly<Record<string, readonly string[]>>

interface Page {
  title: string
  body: Piece
  tables: Headings
}

/** A browser that opens the page loads nothing, and applies this style only. */
function policyFor(style: string): string {
  const hash = createHash('sha256').update(style).digest('base64')
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
}

/** Repeats the heading of a cell beside it, on a phone. In cells, the headings would be a fifth of a large page. */
const headingRules = (tables: Headings) =>
  Object.entries(tables).flatMap(([name, headings]) =>
    headings
      .slice(1)
      .map((heading, place) => `    .${name} td:nth-child(${place + 2})::before { content: "${heading}"; }\n`),
  )

/** Returns the text of a page. */
export function pageText({ title, body, tables }: Page): string {
  const style = `${pageStyle}  @media ${onPhones} {\n${headingRules(tables).join('')}  }\n`
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyFor(style)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
${body}
</body>
</html>
`
  return page.text
}

interface TableGroup {
  /** Heading of the rows, over all columns. */
  heading?: Piece
  /** Target of links to the rows. */
  id?: string
  /** The first cell names the row. */
  rows: readonly (readonly Piece[])[]
}

/** Returns a table. On a phone, each row is a block, with the heading of each cell beside it. */
export function tableOf(name: string, headings: readonly string[], groups: readonly TableGroup[]): Markup {
  return html`
<table class="${name}">
<thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>${groups.map(
    ({ heading, id, rows }) => html`
<tbody${id === undefined ? undefined : html` id="${id}"`}>${heading && groupRow(heading, headings.length)}${rows.map(tableRow)}
</tbody>`,
  )}
</table>`
}

const groupRow = (heading: Piece, columns: number) => html`
<tr><th scope="rowgroup" colspan="${columns}">${heading}</th></tr>`

const tableRow = ([name, ...cells]: readonly Piece[]) => html`
<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`

/** Returns lines below each other; a single one needs no list. */
export function linesOf(lines: readonly Piece[], className = 'lines'): Piece {
  if (lines.length < 2) return lines
  return html`<ul class="${className}">${lines.map((line) => html`<li>${line}</li>`)}</ul>`
}
