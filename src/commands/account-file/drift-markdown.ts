/** Formats how an account differs from its files as Markdown, for an issue or a chat. */
import type { DriftTexts } from './drift-texts'
import { cutBlock, documentWithin, type Section, unmetSection } from './plan-markdown'

/** GitHub colours the lines of a `diff` by their first character. */
const marks = { differs: '!', missing: '-', extra: '+' } as const

export function driftMarkdown({ summary, groups, notes, unmet }: DriftTexts): string {
  const sections = groups.map(({ state, heading, objects }): Section => {
    const texts = objects.map(({ title, lines }) => cutBlock(`${marks[state]} ${title}`, lines))
    return { heading, canCollapse: false, language: 'diff', blocks: texts.map((text) => ({ text, count: 1 })) }
  })
  const rest = notes.map((text) => ({ text, count: 1 }))
  const all: Section[] = [
    ...sections,
    unmetSection({ unmet }),
    { heading: 'Notes', canCollapse: false, language: 'text', blocks: rest },
  ]
  return documentWithin(
    summary,
    all.filter(({ blocks }) => blocks.length > 0),
    { name: 'The report', command: 'skyctl plan --drift' },
  )
}
