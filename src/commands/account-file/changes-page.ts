/** Writes changes as cards of an HTML page: for the pages of plans and of drift. */
import type { UnmetExpectation } from '../../account-file/expectations'
import { type UnreadableRecord, unreadableText } from '../../account-file/unreadable'
import type { Problem } from '../../errors'
import { html, joined, type Markup, type Piece } from '../../output/html'
import { linesOf, type PageSection } from '../../output/page'
import { titleOf, unmetLines } from './plan-screen'

export interface Card {
  /** Class of the style sheet: it colors the badge. */
  look: 'create' | 'update' | 'delete' | 'warning'
  badge: string
  title: string
  /** Files that say so, with lines. */
  places?: readonly string[]
  /** Consequences. They come first. */
  warnings?: readonly string[]
  /** True if these destroy, block or open something. */
  isGrave?: boolean
  /** May begin with blanks, which are kept. */
  lines: readonly string[]
}

/** Returns a section with a card for each change. */
export const cardSection = (id: string, title: string, cards: readonly Card[]): PageSection => ({
  id,
  title,
  content: cards.map(cardMarkup),
})

const cardMarkup = ({ look, badge, title, places = [], warnings = [], isGrave = false, lines }: Card): Markup => html`
<article class="card">
<h3><span class="badge ${look}">${badge}</span> ${title}</h3>${
  places.length > 0
    ? html`
<p class="quiet">${places.join(', ')}</p>`
    : undefined
}${warnings.length > 0 ? noticeOf(warnings, isGrave ? 'critical' : 'warning') : undefined}${
  lines.length > 0
    ? html`
<ul class="lines">${lines.map((line) => html`<li><code>${withArrows(line)}</code></li>`)}</ul>`
    : undefined
}
</article>`

const noticeOf = (texts: readonly Piece[], look: 'critical' | 'warning'): Markup => html`
<div class="notice ${look}">${linesOf(texts)}</div>`

/** A line must not end within the arrow of a change. */
const withArrows = (text: string): Markup => joined(text.split(' -> '), html` <span class="number">-&gt;</span> `)

/** Returns the section of what is only expected, and differs; none if nothing does. */
export const unmetSections = (unmet: readonly UnmetExpectation[] = []): PageSection[] =>
  unmet.length === 0
    ? []
    : [
        cardSection(
          'unmet',
          'Not as expected',
          unmet.map((one) => ({ look: 'warning', badge: 'expected', title: titleOf(one), lines: unmetLines(one) })),
        ),
      ]

/** Returns a section of sentences; none if there are none. */
export const noteSections = (id: string, title: string, notes: readonly string[]): PageSection[] =>
  notes.length === 0 ? [] : [{ id, title, content: html`<ul>${notes.map((text) => html`<li>${text}</li>`)}</ul>` }]

/** Names why the changes may not be applied, and what could not be read: no reader may take the page for complete. */
export const notices = (refusal: Problem | undefined, unreadable: readonly UnreadableRecord[] = []): Piece => [
  refusal &&
    html`<div class="notice critical">
<p><strong>Refused</strong>: ${refusal.message}</p>
<p>${refusal.details.hint}</p>
</div>
`,
  unreadable.length > 0
    ? noticeOf(
        unreadable.map((one) => `${unreadableText(one)}; left unchanged`),
        'warning',
      )
    : undefined,
]
