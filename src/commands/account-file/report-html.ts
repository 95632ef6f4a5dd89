/** Writes reports as HTML pages. */
import type { AccountName } from '../../account/account'
import { type UnreadableRecord, unreadableText } from '../../account-file/unreadable-records'
import type { Problem } from '../../errors'
import { html, joined, type Markup, type Piece } from '../../output/html'
import { linesOf, pageText } from '../../output/page'
import type { Report, ReportItem, ReportSection } from './report'

/** Returns the page. `now` is in milliseconds since the epoch. */
export const pageOf = (
  { title, summary, refusal, unreadable, sections, note, isFull = false }: Report,
  facts: { account: AccountName; now: number },
): string =>
  pageText({
    ...facts,
    ...{ title, ...(note && { note }) },
    intro: html`<p><strong>${summary}</strong></p>
${refusal && refusalMarkup(refusal)}${unreadableMarkup(unreadable)}`,
    sections: sections.flatMap(({ id, title, items = [], sentences = [] }) => [
      ...(items.length > 0 ? [{ id, title, content: items.map((item) => cardMarkup(item, isFull)) }] : []),
      ...(sentences.length > 0 ? [{ id, title, content: listMarkup(sentences) }] : []),
    ]),
  })

const listMarkup = (sentences: NonNullable<ReportSection['sentences']>): Markup =>
  html`<ul>${sentences.map((text) => html`<li>${text}</li>`)}</ul>`

const cardMarkup = (
  { look, badge, title, places = [], warnings = [], isGrave = false, lines }: ReportItem,
  isFull: boolean,
): Markup => html`
<article class="card">
<h3><span class="badge ${look}">${badge}</span> ${title}</h3>${
  places.length > 0
    ? html`
<p class="quiet">${places.join(', ')}</p>`
    : undefined
}${warnings.length > 0 ? noticeOf(warnings, isGrave ? 'critical' : 'warning') : undefined}${
  lines.length > 0
    ? html`
<ul class="lines">${lines.map((line) => html`<li><code>${withArrows(isFull ? line : shortened(line))}</code></li>`)}</ul>`
    : undefined
}
</article>`

const noticeOf = (texts: readonly Piece[], look: 'critical' | 'warning'): Markup => html`
<div class="notice ${look}">${linesOf(texts)}</div>`

/** Items of a list that a line shows. 40 firewalls with all rules and addresses stay below 200 KB. */
const mostItems = 4

/** Shortens a list of addresses, except with --full: one rule may have 255. Consequences, which are above, are never shortened. */
function shortened(text: string): string {
  const items = text.split(', ')
  const more = items.length - mostItems
  return more < 2 ? text : `${items.slice(0, mostItems).join(', ')} and ${more} more`
}

/** A line must not end within the arrow of a change. */
const withArrows = (text: string): Markup => joined(text.split(' -> '), html` <span class="number">-&gt;</span> `)

/** A page is read without the message on stderr. */
const refusalMarkup = ({ message, details }: Problem): Markup =>
  html`<div class="notice critical">
<p><strong>Refused</strong>: ${message}</p>
<p>${details.hint}</p>
</div>
`

/** Names what could not be read: no reader may take the page for complete. */
const unreadableMarkup = (unreadable: readonly UnreadableRecord[] = []): Piece =>
  unreadable.length > 0
    ? noticeOf(
        unreadable.map((one) => `${unreadableText(one)}; left unchanged`),
        'warning',
      )
    : undefined
