/** Writes reports as Markdown, for comments on pull requests, issues and chats, cut to a size that GitHub accepts. */
import { counted } from '../../rules/texts'
import type { Report, ReportItem, ReportSection } from './report'

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
const marks = { create: '+', update: '!', delete: '-', warning: '!' } as const

/** Lines about so many objects. */
interface Block {
  text: string
  count: number
}

/** Writes sections until the size is reached, and counts the rest. Texts of others only appear in code. */
export function markdownOf({ summary, sections, name, command }: Report): string {
  const parts = [`**${summary}**\n`]
  let room = mostCharacters - reserved
  const left: string[] = []
  for (const section of sections) {
    const blocks = blocksOf(section)
    const fitting = left.length > 0 ? [] : blocksWithin(blocks, room)
    room -= fitting.reduce((sum, { text }) => sum + text.length + 1, 0)
    if (fitting.length > 0) parts.push(sectionText(section, fitting))
    const missing = countIn(blocks) - countIn(fitting)
    if (missing > 0) left.push(`${missing} of "${section.title}"`)
  }
  const rest = `${name} is too long for a comment. Not shown: ${left.join(', ')}.`
  if (left.length > 0) parts.push(`**${rest}** \`${command}\` prints all of it.\n`)
  return parts.join('\n')
}

const countIn = (blocks: readonly Block[]) => blocks.reduce((sum, { count }) => sum + count, 0)

const blocksOf = ({ items = [], sentences = [] }: ReportSection): Block[] => [
  ...items.map((item) => ({ text: itemText(item), count: item.count ?? 1 })),
  ...sentences.map((text) => ({ text: shortened(text), count: 1 })),
]

/** Returns the first blocks that fit. A later, shorter one must not take the place of a graver one. */
function blocksWithin(blocks: readonly Block[], room: number): readonly Block[] {
  let size = 0
  const first = blocks.findIndex(({ text }) => {
    size += text.length + 1
    return size > room
  })
  return first < 0 ? blocks : blocks.slice(0, first)
}

/** Returns a title with its lines, cut to the size of a block: consequences come before changes, which may be cut off. */
function itemText({ look, title, warnings = [], lines }: ReportItem): string {
  let size = 0
  const all = [...warnings, ...lines].map((text) => shortened(`    ${text}`))
  const shown = all.filter((text) => {
    size += text.length + 1
    return size <= mostOfBlock
  })
  const rest = all.length - shown.length
  return [`${marks[look]} ${title}`, ...shown, ...(rest > 0 ? [`    (${counted(rest, 'more line')})`] : [])].join('\n')
}

function shortened(text: string): string {
  if (text.length <= mostOfLine) return text
  // Half of a pair of surrogates is no character.
  const start = text.slice(0, mostOfLine).replace(/[\uD800-\uDBFF]$/, '')
  return `${start} (${text.length - start.length} more characters)`
}

function sectionText({ title, canCollapse, items }: ReportSection, blocks: readonly Block[]): string {
  const text = blocks.map((block) => block.text).join('\n')
  const code = fenced(text, items ? 'diff' : 'text')
  if (!canCollapse || text.split('\n').length <= mostLines) return `**${title}**\n\n${code}\n`
  return `<details>\n<summary>${title}</summary>\n\n${code}\n\n</details>\n`
}

/** Returns a block of code. No line in it begins with backticks, so that no name ends it. */
const fenced = (text: string, language: string) => `\`\`\`${language}\n${text}\n\`\`\``
