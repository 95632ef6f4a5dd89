/** Searches for commands: in names, aliases, summaries, flags, fields of answers and topics. */
import { fieldPaths } from '../../catalogue/operation'
import type { Command, Flag } from '../../engine/command'
import { bodyFlags, dryRunFlag, globalFlags, listFlags } from '../../engine/flags'
import type { CommandNode } from '../../generate/tree'
import { nearest } from '../../rules/nearest'
import { topics } from './topics'
import { words as commonWords } from './words'

export interface Find {
  /** Command line: `skyctl volumes resize`. */
  command: string
  summary: string
  /** Names of the matching texts, best first. */
  found_in: string[]
}

/** A searchable text of a page, and its weight. */
interface Place {
  name: string
  text: string
  weight: number
}

interface Page extends Pick<Find, 'command' | 'summary'> {
  places: readonly Place[]
}

/** Words of questions that are on every page, or on none. */
const fillers: ReadonlySet<string> = new Set(
  'a an and are be can do does for how i in is it me my of on or see than that the this to what when where which with'.split(
    ' ',
  ),
)

/** Removes the words that a question has besides its subject: `how do I see what is exposed` is `exposed`. */
export function withoutFillers(words: readonly string[]): readonly string[] {
  const left = words.filter((word) => !fillers.has(word.toLowerCase()))
  return left.length > 0 ? left : words
}

/** Returns the pages that match all words, best first. */
export function findPages(words: readonly string[], pages: readonly Page[]): Find[] {
  return rankPages(words, pages)
    .filter(({ matched }) => matched === words.length)
    .map(({ find }) => find)
}

/** Returns the few pages that match the most of the words, best first: none of them may match all. */
export function nearestPages(words: readonly string[], pages: readonly Page[]): Find[] {
  const ranked = rankPages(words, pages)
  const most = Math.max(...ranked.map(({ matched }) => matched))
  return ranked
    .filter(({ matched }) => matched > 0 && matched === most)
    .map(({ find }) => find)
    .slice(0, 8)
}

/** Scores every page, best first. */
function rankPages(words: readonly string[], pages: readonly Page[]) {
  return pages
    .map((page) => ({ page, hits: words.map((word) => hitsIn(page, stem(word))) }))
    .map(({ page: { command, summary }, hits }) => ({
      find: { command, summary, found_in: [...new Set(hits.flatMap((places) => places.map(({ name }) => name)))] },
      matched: hits.filter((places) => places.length > 0).length,
      score: hits.reduce((sum, [best]) => sum + (best?.weight ?? 0), 0),
      // Of equals, the one that a common word stands for comes first.
      aliasScore: hits.flat().reduce((sum, { name, weight }) => sum + (name === 'alias' ? weight : 0), 0),
    }))
    .sort((a, b) => b.score - a.score || b.aliasScore - a.aliasScore)
}

/** Returns words on pages that are similar to words without a match. */
export function nearWords(words: readonly string[], pages: readonly Page[]): string[] {
  const all = new Set(pages.flatMap(({ places }) => places.flatMap(({ text }) => text.split(' '))))
  return [...new Set(words.flatMap((word) => (all.has(stem(word)) ? [] : nearest(stem(word), all))))].slice(0, 3)
}

/** Returns matching texts of a page; a prefix match has half the weight. */
function hitsIn({ places }: Page, word: string): Place[] {
  const hits = places.flatMap((place) => {
    const texts = place.text.split(' ')
    if (texts.includes(word)) return [place]
    const begins = word.length > 2 && texts.some((text) => text.startsWith(word))
    return begins ? [{ ...place, weight: place.weight / 2 }] : []
  })
  return hits.sort((a, b) => b.weight - a.weight)
}

/** Returns all searchable pages: commands, topics and global flags. */
export function pagesOf(nodes: readonly CommandNode[]): Page[] {
  const commands = nodes.flatMap((node) => (node.command ? [commandPage(node, node.command, nodes)] : []))
  const version = { name: 'version', description: 'Show the version' }
  return [...commands, ...Object.entries(topics).map(topicPage), ...[...globalFlags, version].map(flagPage)]
}

/** Returns texts with the common words for a command; those that mean it first have more weight. */
function aliasPlaces(line: string, aliases: readonly string[] = []): Place[] {
  const words = Object.keys(commonWords).filter((word) => commonWords[word]?.includes(line))
  const isFirst = (word: string) => commonWords[word]?.[0] === line
  return [
    place('alias', [...aliases, ...words.filter(isFirst)], 9),
    place(
      'alias',
      words.filter((word) => !isFirst(word)),
      8,
    ),
  ]
}

/** Flags that many commands share say nothing about one of them. */
const shared: ReadonlySet<Flag> = new Set([...listFlags, ...bodyFlags, dryRunFlag])

function commandPage({ words, summary }: CommandNode, command: Command, nodes: readonly CommandNode[]): Page {
  const line = words.join(' ')
  const path = nodes.filter((node) => node.words.every((word, index) => word === words[index]))
  const aliases = path.flatMap((node) => node.aliases)
  const flags = command.flags.filter((flag) => !shared.has(flag))
  const fields = new Set((command.operations ?? []).flatMap(fieldPaths))
  return {
    command: `skyctl ${line}`,
    summary,
    places: [
      place('name', words, 10),
      ...aliasPlaces(line, aliases),
      place('summary', [summary], 6),
      ...flags.map(({ name, aliases = [] }) => place(`--${name}`, [name, ...aliases], 7)),
      ...[...fields].map((field) => place(`field ${field}`, [field], 4)),
      ...flags.map(({ name, description }) => place(`--${name}`, [description], 3)),
      place(
        'details',
        [command.details ?? '', command.moreDetails ?? '', ...(command.examples ?? []).map(({ what }) => what)],
        2,
      ),
    ],
  }
}

function topicPage([topic, text]: [string, string]): Page {
  const [title = '', ...lines] = text.split('\n')
  const line = `help ${topic}`
  return {
    command: `skyctl ${line}`,
    summary: title,
    places: [place('name', [topic, title], 10), ...aliasPlaces(line), place('text', lines, 3)],
  }
}

function flagPage({ name, description }: Pick<Flag, 'name' | 'description'>): Page {
  const line = `--${name}`
  return {
    command: `skyctl ${line}`,
    summary: description,
    places: [place('name', [name], 7), ...aliasPlaces(line), place('summary', [description], 3)],
  }
}

/** Creates a searchable text; `ssh-keys` matches as a whole and by its parts. */
function place(name: string, texts: readonly string[], weight: number): Place {
  const parts = texts.flatMap((text) => text.split(/[^\p{L}\d_-]+/u).flatMap((word) => [word, ...word.split(/[_-]/)]))
  return {
    name,
    text: parts
      .filter((part) => part !== '')
      .map(stem)
      .join(' '),
    weight,
  }
}

/** Removes the plural s and upper case: `Volumes` and `volume` are the same. */
function stem(word: string): string {
  const lower = word.toLowerCase()
  return lower.length > 3 && !lower.endsWith('ss') ? lower.replace(/s$/, '') : lower
}
