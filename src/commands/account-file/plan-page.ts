/** Writes a plan as an HTML page, for a review: its changes, the gravest first, with the lines of the files. */
import type { AccountName } from '../../account/account'
import type { Plan, PlannedObject } from '../../account-file/plan'
import type { Problem } from '../../errors'
import { html } from '../../output/html'
import { type PageSection, pageText } from '../../output/page'
import { type Card, cardSection, noteSections, notices, unmetSections } from './changes-page'
import { type Gravity, gravityTitles, groupsOf, type PlanBlock, type PlanGroup } from './plan-groups'
import {
  countText,
  dotsOf,
  linesOfBlock,
  networkLine,
  notesOf,
  type PlanForm,
  summaryOf,
  titleOfAll,
} from './plan-screen'

interface PageFacts extends Pick<PlanForm, 'full' | 'verbose'> {
  account: AccountName
  /** Milliseconds since the epoch. */
  now: number
  /** Why the plan may not be applied. */
  refusal: Problem | undefined
}

/** Returns the page. */
export function planPage(plan: Plan, { account, now, refusal, full, verbose }: PageFacts): string {
  // It is read elsewhere than in this terminal, so the locale does not matter.
  const form: PlanForm = { full, verbose }
  return pageText({
    title: 'Plan for',
    account,
    now,
    intro: html`<p><strong>${summaryOf(plan)}</strong></p>
${notices(refusal, plan.unreadable)}`,
    sections: [
      ...noteSections('networks', 'Networks', (plan.networks ?? []).map(networkLine)),
      ...groupsOf(plan, form).map((group) => groupSection(group, form)),
      ...unmetSections(plan.unmet),
      ...noteSections('notes', 'Notes', notesOf(plan, form)),
    ],
    note: 'Nothing was changed.',
  })
}

function groupSection({ gravity, blocks }: PlanGroup, form: PlanForm): PageSection {
  const objects = blocks.flatMap((block) => block.objects)
  const title = `${gravityTitles[gravity]} (${countText(objects, gravity)})`
  return cardSection(
    gravity.replace(' ', '-'),
    title,
    blocks.map((block) => cardOf(block, gravity, form)),
  )
}

function cardOf(block: PlanBlock, gravity: Gravity, form: PlanForm): Card {
  const lines = linesOfBlock(block)
  const [{ action }] = block.objects
  return {
    look: action,
    badge: action,
    title: titleOfAll(block.objects, dotsOf(form)),
    places: placesOf(block.objects),
    isGrave: gravity !== 'starts billing' && gravity !== 'other',
    warnings: lines.filter(({ warns }) => warns).map(({ text }) => text),
    lines: lines.filter(({ warns }) => !warns).map(({ text }) => text),
  }
}

/** Returns the line of one object, and the files of several. */
function placesOf(objects: readonly PlannedObject[]): string[] {
  const sources = objects.flatMap(({ at }) => at?.source ?? [])
  if (objects.length > 1) return [...new Set(sources.map(({ file }) => file))]
  return sources.map(({ file, line }) => (line === null ? file : `${file}:${line}`))
}
