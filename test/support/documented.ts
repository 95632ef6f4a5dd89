/** What pages tell a reader to type: the examples of help, and the blocks of README.md and docs. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadTree, withDescendants } from '../../src/generate/tree'
import { program } from '../../src/program'

const root = join(import.meta.dirname, '../..')

const fenced = /^```(\w+)\n(.*?)^```$/gms

export interface Example {
  /** The group of commands, or the file. */
  page: string
  line: string
}

/** The hand-written pages: path below the root and text. */
export const pages: readonly { path: string; text: string }[] = [
  'README.md',
  ...readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
].map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** Commands in the tables of a page. Those with a placeholder, as NUMBER, are for reading only. */
function commandsInTables(text: string): string[] {
  const rows = text.match(/^\|.*\|$/gm) ?? []
  const spans = rows.flatMap((row) => row.match(/(?<=`)skyctl [^`]*(?=`)/g) ?? [])
  return spans.map((span) => span.replaceAll('\\|', '|')).filter((span) => !/[A-Z]{4,}|…/.test(span))
}

/** Tables of figures name what they measure. */
const figures = 'docs/performance.md'

/** Of every command; the lines of pages that stand alone, indented; and the commands in tables. */
export async function readExamples(): Promise<Example[]> {
  const nodes = withDescendants(await loadTree(program))
  const ofHelp = nodes.flatMap(({ words: [page = ''], command }) =>
    (command?.examples ?? []).map(({ line }) => ({ page, line })),
  )
  const ofPages = pages.flatMap(({ path, text }) =>
    [...text.replaceAll(fenced, '').matchAll(/^ {4}(.*\bskyctl .*)$/gm)]
      .filter(([, line = '']) => !line.startsWith('npm '))
      .map(([, line = '']) => ({ page: path, line })),
  )
  const ofTables = pages
    .filter(({ path }) => path !== figures)
    .flatMap(({ path, text }) => commandsInTables(text).map((line) => ({ page: path, line })))
  return [...ofHelp, ...ofPages, ...ofTables]
}

/** Whatever stands between fences, by its language. */
export function blocks(language: string): { page: string; text: string }[] {
  return pages.flatMap(({ path, text }) =>
    [...text.matchAll(fenced)]
      .filter(([, named]) => named === language)
      .map(([, , block = '']) => ({ page: path, text: block })),
  )
}
