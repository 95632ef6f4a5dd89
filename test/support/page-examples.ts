/** Reads the commands that pages tell a reader to type: examples of help, and blocks of README.md and docs. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { program } from '../../src/commands/index'
import { loadTree, withDescendants } from '../../src/engine/command-nodes'

const root = join(import.meta.dirname, '../..')

const fenced = /^```(\w+)\n(.*?)^```$/gms

/** A block of a page: a fenced one with its language, or an indented command. */
export interface Block {
  language: string
  text: string
}

const fencedOrIndented = /^```(\w*)\n(.*?)^```$|^ {4}(\S[^\n]*)$/gms

/** Returns the blocks of a page in order: fenced ones, and each indented line as one in the language `line`. */
export function blocksOf(text: string): Block[] {
  return [...text.matchAll(fencedOrIndented)].map(([, language = 'line', block, line = '']) => ({
    language,
    text: block ?? `${line}\n`,
  }))
}

/** Reports whether a reader types the block into a shell. */
export const isCommand = ({ language, text }: Block) =>
  language === 'sh' || language === 'console' || (language === 'line' && /^(?!npm ).*\bskyctl /.test(text))

/** Reports whether test/guides.test.ts types the block, or compares it with the output of the block before it. */
export const isTyped = (block: Block, previous: Block | undefined) =>
  isCommand(block) || block.language === 'line' || (block.language === 'text' && previous?.language === 'sh')

export interface Example {
  /** Command group or file. */
  page: string
  line: string
}

/** Hand-written pages: path below the root, and text. */
export const pages: readonly { path: string; text: string }[] = [
  'README.md',
  ...readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
].map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** Returns the commands in the tables of a page, without those that have a placeholder such as NUMBER. */
function commandsInTables(text: string): string[] {
  const rows = text.match(/^\|.*\|$/gm) ?? []
  const spans = rows.flatMap((row) => row.match(/(?<=`)skyctl [^`]*(?=`)/g) ?? [])
  return spans.map((span) => span.replaceAll('\\|', '|')).filter((span) => !/[A-Z]{4,}|…/.test(span))
}

/** The account file of README.md, which docs/account-file.md and the picture of a plan have, too. */
export const accountFile = accountFileIn('README.md')

/** Returns the first account file that a page writes. */
export function accountFileIn(path: string): string {
  const text = pages.find((page) => page.path === path)?.text ?? ''
  return /^cat > account\.yaml <<'END'\n(.*?)^END$/ms.exec(text)?.[1] ?? ''
}

/** The tables of this page name what they measure, so their commands are no examples. */
const figures = 'docs/performance.md'

/** Collects the examples of every command, the indented lines of pages, and the commands in tables. */
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

/** Returns the fenced blocks of a language. */
export function blocks(language: string): { page: string; text: string }[] {
  return pages.flatMap(({ path, text }) =>
    [...text.matchAll(fenced)]
      .filter(([, named]) => named === language)
      .map(([, , block = '']) => ({ page: path, text: block })),
  )
}
