/** Searches for commands in names, aliases and descriptions, and for topics in their text. */
import type { Command } from '../../engine/command'
import type { CommandNode } from '../../engine/command-nodes'
import { nearest } from '../../rules/nearest'
import { meaningsOf } from './search-words'
import { topics } from './topics'

export interface Find {
  /** Command line: `skyctl volumes resize`, or that of an example. */
  command: string
  summary: string
}

/** A command, topic or example, with its searchable words. */
interface Page extends Find {
  isExample?: true
  /** Words of the name and the summary. */
  title: readonly string[]
  text: readonly string[]
}

interface Result {
  pages: Find[]
  /** True if the pages have all words. */
  isComplete: boolean
}

/** Words of questions that do not name their subject. */
const fillers: ReadonlySet<string> = new Set(
  'a an and are be by can do does for how i in is it me my of on or see than that the this to what when where which with'.split(
    ' ',
  ),
)

/** Removes the words that a question has besides its subject: `how do I see what is exposed` is `exposed`. */
export function withoutFillers(words: readonly string[]): readonly string[] {
  const left = words.filter((word) => !fillers.has(word.toLowerCase()))
  return left.length > 0 ? left : words
}

/** Number of examples among the results: they answer a question, but do not hide the commands. */
const mostExamples = 5

/**
 * Returns the pages with the most of the words; those with more of them in the title come first, then those with the
 * words themselves, then commands before examples, short ones first. Examples need the words in their titles.
 */
export function findPages(words: readonly string[], pages: readonly Page[]): Result {
  const searches = words.map((word) => meaningsOf(word).map((meaning) => meaning.map(stem)))
  const stems = words.map(stem)
  const scored = pages.map(({ command, summary, title, text, isExample }) => ({
    page: { command, summary },
    isExample,
    inTitle: countMatches(searches, title),
    exact: stems.filter((word) => title.includes(word)).length,
    matched: countMatches(searches, isExample ? title : [...title, ...text]),
    rank: isExample ? 1 : 0,
    length: command.split(' ').length,
  }))
  const most = Math.max(0, ...scored.map(({ matched }) => matched))
  const best = scored
    .filter(({ matched }) => matched > 0 && matched === most)
    .sort((a, b) => b.inTitle - a.inTitle || b.exact - a.exact || a.rank - b.rank || a.length - b.length)
  const examples = best.filter(({ isExample }) => isExample).slice(0, mostExamples)
  return {
    pages: best.filter((one) => !one.isExample || examples.includes(one)).map(({ page }) => page),
    isComplete: most === words.length,
  }
}

/** Returns words on pages that are similar to words without a match. */
export function nearWords(words: readonly string[], pages: readonly Page[]): string[] {
  const all = new Set(pages.flatMap(({ title, text }) => [...title, ...text]))
  return [...new Set(words.flatMap((word) => (all.has(stem(word)) ? [] : nearest(stem(word), all))))].slice(0, 3)
}

/** Words of a question, each with its meanings, which may have several words. */
type Searches = readonly (readonly (readonly string[])[])[]

/** Counts the words that are in a text; three letters or more may be the beginning of one. */
function countMatches(searches: Searches, text: readonly string[]): number {
  const isIn = (word: string) => text.some((one) => one === word || (word.length > 2 && one.startsWith(word)))
  return searches.filter((meanings) => meanings.some((meaning) => meaning.every(isIn))).length
}

export function pagesOf(nodes: readonly CommandNode[]): Page[] {
  const commands = nodes.flatMap((node) => (node.command ? [commandPage(node, node.command, nodes)] : []))
  const pages = [...commands, ...Object.entries(topics).map(topicPage)]
  const names = new Set(pages.map(({ command }) => command))
  const examples = nodes.flatMap((node) => (node.command?.examples ?? []).map((example) => examplePage(example, node)))
  return [...pages, ...examples.filter(({ command }) => command.includes('skyctl ') && !names.has(command))]
}

function examplePage({ what, line }: { what: string; line: string }, { words }: CommandNode): Page {
  return { command: line, summary: what, title: wordsIn([...words, what]), text: [], isExample: true }
}

function commandPage({ words, summary }: CommandNode, command: Command, nodes: readonly CommandNode[]): Page {
  const path = nodes.filter((node) => node.words.every((word, index) => word === words[index]))
  const { details = '', moreDetails = '', examples = [] } = command
  return {
    command: `skyctl ${words.join(' ')}`,
    summary,
    title: wordsIn([...words, ...path.flatMap(({ aliases }) => aliases), summary]),
    text: wordsIn([details, moreDetails, ...examples.map(({ what }) => what)]),
  }
}

function topicPage([topic, text]: [string, string]): Page {
  const [title = ''] = text.split('\n')
  return { command: `skyctl help ${topic}`, summary: title, title: wordsIn([topic, title]), text: wordsIn([text]) }
}

/** Returns the words of texts; `ssh-keys` is one as a whole, and by its parts. */
function wordsIn(texts: readonly string[]): string[] {
  const words = texts
    .join(' ')
    .split(/[^\p{L}\d_-]+/u)
    .flatMap((word) => [word, ...word.split(/[_-]/)])
  return words.filter((word) => word !== '').map(stem)
}

/** Removes the plural s and upper case: `Volumes` and `volume` are the same. */
function stem(word: string): string {
  const lower = word.toLowerCase()
  return lower.length > 3 && !lower.endsWith('ss') ? lower.replace(/s$/, '') : lower
}
