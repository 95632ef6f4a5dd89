/** Words plans for documents: the changes, the gravest first, with the lines of the files. */
import type { Plan, PlannedObject } from '../../account-file/plan'
import { type Gravity, gravityTitles, groupsOf, type PlanBlock } from './plan-groups'
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
import { type Report, type ReportItem, unmetSection } from './report'

export function planReport(plan: Plan, { full, verbose }: PlanForm): Report {
  // It is read elsewhere than in this terminal, so the locale does not matter.
  const form: PlanForm = { full, verbose }
  const changes = groupsOf(plan, form).map(({ gravity, blocks }) => ({
    id: gravity.replace(' ', '-'),
    title: `${gravityTitles[gravity]} (${countText(
      blocks.flatMap((block) => block.objects),
      gravity,
    )})`,
    canCollapse: !isGrave(gravity),
    items: blocks.map((block) => itemOf(block, gravity, form)),
  }))
  return {
    ...{ title: 'Plan for', name: 'The plan', command: 'skyctl plan', note: 'Nothing was changed.' },
    isFull: full === true,
    summary: summaryOf(plan),
    unreadable: plan.unreadable,
    sections: [
      { id: 'networks', title: 'Networks', sentences: (plan.networks ?? []).map(networkLine) },
      ...changes,
      unmetSection(plan.unmet),
      { id: 'notes', title: 'Notes', canCollapse: true, sentences: notesOf(plan, form) },
    ],
  }
}

const isGrave = (gravity: Gravity) => gravity !== 'starts billing' && gravity !== 'other'

function itemOf(block: PlanBlock, gravity: Gravity, form: PlanForm): ReportItem {
  const lines = linesOfBlock(block)
  const { objects } = block
  const [{ action }] = objects
  return {
    ...{ look: action, badge: action, count: objects.length },
    title: titleOfAll(objects, dotsOf(form)),
    places: placesOf(objects),
    isGrave: isGrave(gravity),
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
