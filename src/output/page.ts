/** Writes HTML pages of one file: they load nothing, run nothing, and can be sent, printed and archived. */
import { createHash } from 'node:crypto'
import { version } from '../../package.json'
import { html, Markup, type Piece } from './html'
import { onPhones, pageStyle } from './page-style'

/** Headings of the columns of tables, by name of the table. Constants: they become a part of the style. */
export type Headings = Readonly<Record<string, readonly string[]>>

export interface PageSection {
  /** Target of links to the section. */
  id: string
  title: string
  content: Piece
}

interface Page {
  /** Words before the name of the account. */
  title: string
  account: { context: string | null; service: string }
  /** Milliseconds since the epoch. */
  now: number
  /** Comes before the sections. */
  intro: Piece
  sections: readonly PageSection[]
  /** Sentence at the end. */
  note?: string
  /** Headings of the tables of the sections. */
  tables?: Headings
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
export function pageText(page: Page): string {
  const { title, account, tables = {}, now } = page
  const time = `${new Date(now).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const style = `${pageStyle}  @media ${onPhones} {\n${headingRules(tables).join('')}  }\n`
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyFor(style)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title} ${account.context ?? account.service}, ${time}</title>
<style>${new Markup(style)}</style>
</head>
<body>
${headerOf(page, time)}
<main>
${page.intro}${page.sections.map(sectionMarkup)}
</main>
<footer>Written by skyctl ${version}. ${page.note}</footer>
</body>
</html>
`
  return document.text
}

function headerOf({ title, account, sections }: Page, time: string): Markup {
  const { context, service } = account
  const name = context ?? service
  const links = sections.map((one) => html`\n<a href="#${one.id}">${one.title}</a>`)
  return html`<header>
<h1>${title} <bdi>${name}</bdi></h1>
<p class="quiet">${[...(name === service ? [] : [service]), time].join(' · ')}</p>
<nav aria-label="Sections">${links}
</nav>
</header>`
}

const sectionMarkup = ({ id, title, content }: PageSection) => html`
<section id="${id}">
<h2>${title}</h2>
${content}
</section>`

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
