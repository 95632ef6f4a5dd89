/** Pages of commands, with examples before flags, and of `--help --all`: loaded when such a page is printed. */
import type { Help, HelpConfiguration, Option, Command as Parser } from 'commander'
import { continuedCommand } from '../output/continued-command'
import { wrap } from '../output/wrap'
import { keysOf } from '../rules/records'
import type { Command, FlagGroup } from './command'
import { groupTopics } from './flags'
import {
  accessLine,
  commandLists,
  commonNames,
  groupLayout,
  type HelpList,
  type HelpTerm,
  headOf,
  listTexts,
  pageText,
  sharedLine,
  widthOf,
  wrapReference,
} from './help'
import { SpelledOption } from './spelled-option'
import { pathOf } from './usage-error'

const globalGroup: FlagGroup = 'Global flags'

/** Number of examples on a page; `--all` shows all. */
const mostExamples = 2

/** Returns the layout of a command's page; of the page of a group, or of the root, without one. */
export function layoutOf(command?: Command): HelpConfiguration {
  return {
    ...groupLayout,
    formatHelp: (parser, help) => formatPage({ parser, help, command, all: wantsAll(parser) }),
  }
}

/** A page to print. */
interface Page {
  parser: Parser
  help: Help
  command: Command | undefined
  /** True to show every flag and example. */
  all: boolean
}

/** Reports whether `--all` is set: a flag of the command help, and besides --help an unknown one, which is an argument. */
function wantsAll(parser: Parser): boolean {
  return parser.args.includes('--all') || parser.opts<{ all?: boolean }>().all === true
}

function formatPage(page: Page): string {
  const { parser, help, command, all } = page
  return pageText([
    ...headOf(parser, help),
    ...(all && command?.moreDetails ? [help.boxWrap(command.moreDetails, widthOf(help))] : []),
    ...examples(page),
    ...listTexts(lists(page), help),
    ...template(page),
    references(page)
      .map((line) => wrapReference(line, help))
      .join('\n'),
  ])
}

function examples(page: Page): string[] {
  const { command, all } = page
  const shown = (command?.examples ?? []).slice(0, all ? undefined : mostExamples)
  if (shown.length === 0) return []
  const width = widthOf(page.help) - 2
  return [`Examples:\n${indented(shown.map((example) => exampleText(example, width)))}`]
}

/** Returns a comment and a line that can be pasted. */
export const exampleText = ({ line, what }: { line: string; what: string }, width: number) =>
  `${wrap(`# ${what}`, width, '# ')}\n${continuedCommand(line, width)}`

/** Returns the template of the command's file, which only `--all` shows. */
function template({ command, all }: Page): string[] {
  return all && command?.form ? [`${command.form.title}:\n${indented([command.form.text])}`] : []
}

function indented(texts: readonly string[]): string {
  return texts.join('\n').replaceAll(/^(?=.)/gm, '  ')
}

/** Returns commands, arguments and flags, below their headings. */
function lists(page: Page): HelpList[] {
  const { parser, help, command, all } = page
  const flags = [...flagGroups(page)].filter(([heading]) => all || !Object.hasOwn(groupTopics, heading))
  const values = help
    .visibleArguments(parser)
    .filter((_, index) => all || !command?.arguments?.[index]?.rare)
    .map((one) => ({ term: help.argumentTerm(one), description: help.argumentDescription(one) }))
  return [
    ...commandLists(parser, help),
    ['Arguments', values],
    ...flags.map(([heading, options]): HelpList => [heading, flagItems(options, help)]),
  ]
}

/** Returns one line per flag; `--wait` and `--no-wait` share one, with the description of the first. */
function flagItems(options: readonly Option[], help: Help): HelpTerm[] {
  const names = new Set(options.map(({ long }) => long))
  return options
    .filter(({ long = '' }) => !(long.startsWith('--no-') && names.has(long.replace('--no-', '--'))))
    .map((option) => {
      const { long = '', flags } = option
      const term = names.has(long.replace('--', '--no-')) ? flags.replace('--', '--[no-]') : flags
      return { term, description: help.optionDescription(option) }
    })
}

/** Returns the flags by heading, the command's own first. */
function flagGroups({ parser, help, all }: Page): Map<string, Option[]> {
  const groups = new Map(['Flags', ...keysOf(groupTopics)].map((name): [string, Option[]] => [name, []]))
  for (const option of help.visibleOptions(parser)) {
    if (!all && option instanceof SpelledOption && option.flag.rare) continue
    // Flags of commander itself have no heading.
    const { helpGroupHeading = `${globalGroup}:` } = option
    groups.get(helpGroupHeading.slice(0, -1))?.push(option)
  }
  return groups
}

/** Returns lines that name shared flags, files and scopes, with the topics that explain them. */
function references(page: Page): string[] {
  const { parser, command, all } = page
  const { form, operations } = command ?? {}
  const scopes = accessLine(operations, { all })
  return [
    ...(form && !all ? [`${form.title}: skyctl help ${form.topic}`] : []),
    ...(scopes === undefined ? [] : [scopes]),
    ...(all ? [] : sharedLines(page)),
    ...(all || !command ? [] : [`All flags: ${pathOf(parser)} --help --all`]),
  ]
}

function sharedLines(page: Page): string[] {
  const groups = flagGroups(page)
  return keysOf(groupTopics).flatMap((group) => {
    const names = group === globalGroup ? commonNames : (groups.get(group) ?? []).map(({ long = '' }) => long)
    return names.length === 0 ? [] : [sharedLine(group, names)]
  })
}

/** Returns the paragraphs below the summary in the reference. */
export function paragraphsOf({
  details,
  moreDetails,
  operations,
}: Pick<Command, 'details' | 'moreDetails' | 'operations'>): string[] {
  return [details, moreDetails, accessLine(operations)].filter((text) => text !== undefined)
}
