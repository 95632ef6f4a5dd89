/** Writes how an account differs from its files as an HTML page. */
import type { AccountName } from '../../account/account'
import { html } from '../../output/html'
import { pageText } from '../../output/page'
import { cardSection, noteSections, notices, unmetSections } from './changes-page'
import type { DriftTexts } from './drift-texts'

interface PageFacts extends DriftTexts {
  account: AccountName
  /** Milliseconds since the epoch. */
  now: number
}

/** Colors of a missing object are those of a deletion, and the other way round. */
const looks = { missing: 'delete', differs: 'update', extra: 'create' } as const

/** In texts, lines are below their title. */
const outdented = (line: string) => line.replace(/^ {4}/, '')

/** Returns the page. */
export const driftPage = ({ summary, groups, notes, unmet, unreadable, account, now }: PageFacts): string =>
  pageText({
    ...{ title: 'Drift of', account, now },
    intro: html`<p><strong>${summary}</strong></p>
${notices(undefined, unreadable)}`,
    sections: [
      ...groups.map(({ state, heading, objects }) =>
        cardSection(
          state,
          heading,
          objects.map(({ title, lines }) => ({ title, lines: lines.map(outdented), look: looks[state], badge: state })),
        ),
      ),
      ...unmetSections(unmet),
      ...noteSections('notes', 'Notes', notes),
    ],
  })
