/** Formats plans as Markdown, for comments on pull requests, cut to a size that GitHub accepts. */

import type { Plan } from '../../account-file/plan'
import { counted } from '../../rules/texts'
import { gravityTitles, groupsOf, type PlanBlock } from './plan-groups'
import {
  countText,
  dotsOf,
  linesOfBlock,
  networkLine,
  notesOf,
  type PlanForm,
  summaryOf,
  titleOf,
  titleOfAll,
  unmetLines,
} from './plan-screen'

/** GitHub accepts comments of 65,536 characters; a job adds its own lines. */
export const mostCharacters = 60_000

/** Room for headings, for the end of a section, and for the sentence about the rest. */
const reserved = 2000

/** Longest block of several lines, and longest line of it: one firewall may have thousands of addresses. */
const mostOfBlock = 6000
const mostOfLine = 1000

/** Longest section that is not collapsed, in lines. Sections that destroy, unprotect, cut off or open are always shown. */
const mostLines = 20

/** GitHub colours lines of a `diff` by their first character: `!` marks what is updated. */
const marks = { create: '+', update: '!', delete: '-' } as const

/** A section of a document: its heading, and blocks of lines that are about so many objects. */
export interface Section {
  heading: string
  canCollapse: boolean
  language: 'diff' | 'text'
  blocks: readonly { text: string; count: number }[]
}

/** Formats a plan: the summary, then its changes, the gravest first. */
export const markdownOf = (plan: Plan, { full, verbose }: PlanForm): string =>
  // It is read elsewhere than in this terminal, so the locale does not matter.
  documentWithin(summaryOf(plan), sectionsOf(plan, { full, verbose }), { name: 'The plan', command: 'skyctl plan' })

/** Writes sections until the size is reached, and counts the rest. Texts of others only appear in code. */
export function documentWithin(
  summary: string,
  sections: readonly Section[],
  { name, command }: { name: string; command: string },
): string {
  const parts = [`**${summary}**\n`]
  let room = mostCharacters - reserved
  const left: string[] = []
  for (const section of sections) {
    const fitting = left.length > 0 ? [] : blocksWithin(section, room)
    room -= fitting.reduce((sum, { text }) => sum + text.length + 1, 0)
    if (fitting.length > 0) parts.push(sectionText(section, fitting))
    const missing = countIn(section.blocks) - countIn(fitting)
    if (missing > 0) left.push(`${missing} of "${section.heading}"`)
  }
  const rest = `${name} is too long for a comment. Not shown: ${left.join(', ')}.`
  if (left.length > 0) parts.push(`**${rest}** \`${command}\` prints all of it.\n`)
  return parts.join('\n')
}

const countIn = (blocks: Section['blocks']) => blocks.reduce((sum, { count }) => sum + count, 0)

function sectionsOf(plan: Plan, form: PlanForm): Section[] {
  const networks = (plan.networks ?? []).map((one) => ({ text: shortened(networkLine(one)), count: 1 }))
  const notes = notesOf(plan, form).map((one) => ({ text: shortened(one), count: 1 }))
  const changes = groupsOf(plan, form).map(({ gravity, blocks }): Section => {
    const objects = blocks.flatMap((block) => block.objects)
    return {
      heading: `${gravityTitles[gravity]} (${countText(objects, gravity)})`,
      canCollapse: gravity === 'starts billing' || gravity === 'other',
      language: 'diff',
      blocks: blocks.map((block) => ({ text: blockText(block, form), count: block.objects.length })),
    }
  })
  return [
    { heading: 'Networks', canCollapse: false, language: 'text' as const, blocks: networks },
    ...changes,
    unmetSection(plan),
    { heading: 'Notes', canCollapse: true, language: 'text' as const, blocks: notes },
  ].filter(({ blocks }) => blocks.length > 0)
}

/** Returns the section of what is only expected, and differs. */
export const unmetSection = ({ unmet = [] }: Pick<Plan, 'unmet'>): Section => ({
  heading: 'Not as expected',
  canCollapse: false,
  language: 'diff',
  blocks: unmet.map((one) => {
    const lines = unmetLines(one).map((text) => `    ${text}`)
    return { text: cutBlock(`! ${titleOf(one)}`, lines), count: 1 }
  }),
})

/** Returns the first blocks that fit. A later, shorter one must not take the place of a graver one. */
function blocksWithin({ blocks }: Section, room: number): Section['blocks'] {
  let size = 0
  const first = blocks.findIndex(({ text }) => {
    size += text.length + 1
    return size > room
  })
  return first < 0 ? blocks : blocks.slice(0, first)
}

function blockText(block: PlanBlock, form: PlanForm): string {
  const lines = linesOfBlock(block)
  const [{ action }] = block.objects
  // Consequences come before changes, which may be cut off.
  const ordered = [...lines.filter(({ warns }) => warns), ...lines.filter(({ warns }) => !warns)]
  const texts = ordered.map(({ text }) => `    ${text}`)
  return cutBlock(`${marks[action]} ${titleOfAll(block.objects, dotsOf(form))}`, texts)
}

/** Returns a title with its lines, cut to the size of a block. */
export function cutBlock(head: string, lines: readonly string[]): string {
  let size = 0
  const shown = lines.map(shortened).filter((text) => {
    size += text.length + 1
    return size <= mostOfBlock
  })
  const rest = lines.length - shown.length
  return [head, ...shown, ...(rest > 0 ? [`    (${counted(rest, 'more line')})`] : [])].join('\n')
}

function shortened(text: string): string {
  if (text.length <= mostOfLine) return text
  // Half of a pair of surrogates is no character.
  const start = text.slice(0, mostOfLine).replace(/[\uD800-\uDBFF]$/, '')
  return `${start} (${text.length - start.length} more characters)`
}

function sectionText({ heading, canCollapse, language }: Section, blocks: Section['blocks']): string {
  const text = blocks.map((block) => block.text).join('\n')
  const code = fenced(text, language)
  if (!canCollapse || text.split('\n').length <= mostLines) return `**${heading}**\n\n${code}\n`
  return `<details>\n<summary>${heading}</summary>\n\n${code}\n\n</details>\n`
}

/** Returns a block of code. No line in it begins with backticks, so that no name ends it. */
const fenced = (text: string, language: string) => `\`\`\`${language}\n${text}\n\`\`\``
