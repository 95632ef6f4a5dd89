import type { Command, Flags, Invocation, Root } from '../../engine/command'
import { countFlag } from '../../engine/flag-values'
import { outputFlags } from '../../engine/flags'
import { viewOf } from '../../engine/printing'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import { isForPeople, isJson } from '../../output/formats'
import { isDrawn, printMany, printOne, type View, wantsScreen } from '../../output/print'
import { reflow } from '../../output/wrap'
import { orList } from '../../rules/nearest'
import { shellWord } from '../../rules/texts'
import { type Find, findPages, nearWords, pagesOf, withoutFillers } from './find'
import { topics } from './topics'

const names = Object.keys(topics)

const help: Command = {
  name: 'help',
  summary: 'Show help, or find a command',
  paged: 'long help',
  details:
    `Topics: ${names.join(', ')}.\n\n` +
    '"help find WORD..." searches the names and descriptions of all commands, and the topics. It lists matches of ' +
    'all words, or of some words if no page has all. The output flags apply to this list.',
  arguments: [
    {
      name: 'topic',
      description: 'A topic, a command, or find with search words',
      optional: true,
      many: true,
      values: [...names, 'find'],
    },
  ],
  flags: [
    { name: 'all', description: 'Show every flag and example of the command' },
    { name: 'limit', value: 'n', description: 'Maximum number of results' },
    ...outputFlags,
  ],
  examples: [
    { what: 'Same as skyctl volumes create --help', line: 'skyctl help volumes create' },
    { what: 'Find commands about reverse DNS', line: 'skyctl help find reverse dns' },
    { what: 'List the exit codes', line: 'skyctl help exit-codes' },
  ],
  async run({ arguments: words, flags, program }, session) {
    const [topic, ...rest] = words
    if (topic === 'find') return find(rest, { flags, program }, session)
    const text = topic !== undefined && Object.hasOwn(topics, topic) ? topics[topic] : undefined
    if (topic === undefined || text === undefined || rest.length > 0)
      return session.ui.stdout.write(
        await page(words, { program, all: flags.all === true, read: isRead(flags, session) }, session),
      )
    if (isRead(flags, session)) return session.ui.stdout.write(reflow(text, session.ui.stdout.columns ?? 0))
    const view = await viewOf({ columns: [{ path: 'topic' }, { path: 'text' }] }, flags, session)
    return printOne({ topic, text }, view, session.ui.stdout)
  },
}

/** Reports whether help is for people. A format from the environment does not apply to help on a terminal. */
function isRead({ json, output, query }: Flags, { ui: { format, stdout } }: Session): boolean {
  const isFormatSet = json !== undefined || output !== undefined || query !== undefined
  return isForPeople(format) ? query === undefined : stdout.isTTY && !isFormatSet
}

/** Returns the output of `skyctl volumes create --help`. */
async function page(
  line: readonly string[],
  { program, all, read }: { program: Root; all: boolean; read: boolean },
  { ui: { format, stdout } }: Session,
): Promise<string> {
  const { parseArguments } = await import('../../engine/parser')
  const { text } = await parseArguments([...line, '--help', ...(all ? ['--all'] : [])], program, {
    columns: stdout.columns || 80,
    topics: names,
    ...(isJson(format) &&
      !read && { document: async (words) => (await import('./document')).helpText(program, words, format) }),
  })
  return text
}

async function find(
  input: readonly string[],
  { flags, program }: Pick<Invocation, 'flags' | 'program'>,
  session: Session,
): Promise<void> {
  const view = await viewOf({ columns: [{ path: 'command' }, { path: 'summary' }], key: 'command' }, flags, session)
  const limit = countFlag(flags, 'limit', 0, Number.MAX_SAFE_INTEGER)
  const words = input.flatMap((text) => text.split(/\s+/)).filter((word) => word !== '')
  if (words.length === 0) {
    throw new Problem('usage', 'the search words are missing', { hint: 'Write it as in: skyctl help find reverse dns' })
  }
  const matches = await lookFor(words, program, session)
  const mostShown = limit ?? (isDrawn(view) && view.quiet === undefined ? mostForPeople : undefined)
  await printMatches(matches.slice(0, mostShown), view, session)
  if (mostShown === undefined || limit !== undefined || matches.length <= mostShown) return
  const all = `skyctl help find ${words.map(shellWord).join(' ')} --limit ${matches.length}`
  await session.ui.status(`${matches.length - mostShown} more: ${all}`)
}

/** Number of matches that people see by default. */
const mostForPeople = 10

async function printMatches(results: readonly Find[], view: View, { ui: { stdout } }: Session): Promise<void> {
  const { width = 0 } = view
  if (!wantsScreen(view) || fitsTable(results, width)) return printMany(results, view, stdout)
  const { exampleText } = await import('../../engine/command-help')
  const texts = results.map(({ command: line, summary: what }) => exampleText({ line, what }, width))
  return stdout.write(`${texts.join('\n')}\n`)
}

/** Reports whether the results fit into a table; a width of 0 is any. Otherwise they look like examples in help. */
function fitsTable(pages: readonly Find[], width: number): boolean {
  const longest = (texts: readonly string[]) => Math.max(0, ...texts.map((text) => text.length))
  const needed = longest(pages.map(({ command }) => command)) + 2 + longest(pages.map(({ summary }) => summary))
  return width === 0 || needed <= width
}

/** Number of pages that have only some of the words. */
const mostPartial = 8

/** Finds pages, those with some of the words if none has all; throws `not_found` if no page has any. */
async function lookFor(input: readonly string[], program: Root, { ui }: Session): Promise<Find[]> {
  const words = withoutFillers(input)
  const { loadTree, withDescendants } = await import('../../engine/command-nodes')
  const pages = pagesOf(withDescendants(await loadTree(program)))
  const { pages: matches, isComplete } = findPages(words, pages)
  if (isComplete) return matches
  const near = nearWords(words, pages)
  const question = near.length > 0 ? `Did you mean ${orList(near)}?` : undefined
  if (matches.length > 0) {
    await ui.warn(
      `no page has all of "${words.join(' ')}"; these have some of the words${question ? `. ${question}` : ''}`,
    )
    return matches.slice(0, mostPartial)
  }
  const hint = question ?? 'Try another word, or see skyctl --help'
  throw new Problem('not_found', `no help has "${words.join(' ')}"`, { hint })
}

export default help
