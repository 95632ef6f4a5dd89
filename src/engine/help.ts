/** Layout and texts of help: examples before flags; flags that many commands share in one line, with their topic. */
import type { Argument, Help, HelpConfiguration, Option, Command as Parser } from 'commander'
import type { Operation } from '../catalogue/operation'
import { wrap, wrapLines } from '../output/wrap'
import { keysOf } from '../rules/records'
import { leastScopes } from '../rules/scopes'
import type { Command, FlagGroup } from './command'
import { globalFlags, groupTopics } from './flags'

const globalGroup: FlagGroup = 'Global flags'

/** Minimum width of descriptions; with less space beside the names they are printed below them. */
const least = 20

/** Number of examples on a page; `--all` shows all. */
const mostExamples = 3

/** Returns the layout of a command's page; of the page of a group, or of the root, without one. */
export function layoutOf(command?: Command): HelpConfiguration {
  return {
    minWidthToWrap: least,
    /** Returns `volumes (volume)`. */
    subcommandTerm: (inner) => {
      const aliases = inner.aliases()
      return aliases.length === 0 ? inner.name() : `${inner.name()} (${aliases.join(', ')})`
    },
    commandUsage(parser) {
      if (!parser.parent) return `${parser.name()} <group> <verb> [target...] [flags]`
      const words = parser.commands.length > 0 ? ['<command>'] : parser.registeredArguments.map(argumentWord)
      return [pathOf(parser), ...words, '[flags]'].join(' ')
    },
    formatHelp: (parser, help) => pageText({ parser, help, command, all: wantsAll(parser) }),
  }
}

/** Reports whether `--all` is set: a flag of the command help, and besides --help an unknown one, which is an argument. */
function wantsAll(parser: Parser): boolean {
  return parser.args.includes('--all') || parser.opts<{ all?: boolean }>().all === true
}

export const groupLayout = layoutOf()

/** A page to print. */
interface Page {
  parser: Parser
  help: Help
  command: Command | undefined
  /** True to show every flag and example. */
  all: boolean
}

function pageText(page: Page): string {
  const { parser, help } = page
  const width = widthOf(page)
  const sections = [
    wrap(`Usage: ${help.commandUsage(parser)}`, width, '  '),
    help.boxWrap(description(page), width),
    ...examples(page),
    ...lists(page),
    ...template(page),
    references(page)
      .map((line) => wrapReference(line, width))
      .join('\n'),
  ]
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`
}

/** Wraps a line, but not within the command in brackets at its end. */
function wrapReference(line: string, width: number): string {
  const tied = line.replace(/\(skyctl .*\)$/, (command) => command.replaceAll(' ', '\u00a0'))
  return wrap(tied, width, '  ').replaceAll('\u00a0', ' ')
}

const widthOf = ({ help: { helpWidth = 80 } }: Page) => helpWidth

function description({ parser, help, command, all }: Page): string {
  const more = all && command?.moreDetails ? [command.moreDetails] : []
  return [help.commandDescription(parser), ...more].join('\n\n')
}

function examples(page: Page): string[] {
  const { command, all } = page
  const shown = (command?.examples ?? []).slice(0, all ? undefined : mostExamples)
  if (shown.length === 0) return []
  const width = widthOf(page) - 2
  const lines = shown.flatMap(({ line, what }) => [wrap(`# ${what}`, width, '# '), continued(line, width)])
  return [`Examples:\n${indented(lines)}`]
}

/** Returns the template of the command's file, which only `--all` shows. */
function template({ command, all }: Page): string[] {
  return all && command?.form ? [`${command.form.title}:\n${indented([command.form.text])}`] : []
}

function indented(texts: readonly string[]): string {
  return texts.join('\n').replaceAll(/^(?=.)/gm, '  ')
}

/** Returns the full name of a command: `skyctl volumes resize`. */
export function pathOf(command: Parser): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

/** Returns `<volume...>` or `[region]`. */
function argumentWord(argument: Argument): string {
  const text = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${text}>` : `[${text}]`
}

interface Item {
  term: string
  description: string
}

/** Returns commands, arguments and flags, below their headings. */
function lists(page: Page): string[] {
  const { parser, help, all } = page
  const flags = [...flagGroups(page)].filter(([heading]) => all || !isShared(heading))
  const groups: [string, Item[]][] = [
    ...commandGroups(page),
    [
      'Arguments',
      help
        .visibleArguments(parser)
        .map((one) => ({ term: help.argumentTerm(one), description: help.argumentDescription(one) })),
    ],
    ...flags.map(([heading, options]): [string, Item[]] => [heading, flagItems(options, help)]),
  ]
  const present = groups.filter(([, items]) => items.length > 0)
  const pad = Math.max(0, ...present.flatMap(([, items]) => items.map(({ term }) => term.length)))
  return present.map(([heading, items]) =>
    [`${heading}:`, ...items.map((item) => itemText(item, pad, help))].join('\n'),
  )
}

function commandGroups({ parser, help }: Page): [string, Item[]][] {
  const groups = new Map<string, Item[]>()
  for (const inner of help.visibleCommands(parser)) {
    const heading = inner.helpGroup() || 'Commands'
    const item = { term: help.subcommandTerm(inner), description: help.subcommandDescription(inner) }
    groups.set(heading, [...(groups.get(heading) ?? []), item])
  }
  return [...groups]
}

function itemText({ term, description }: Item, pad: number, help: Help): string {
  const width = help.helpWidth ?? 80
  if (width - pad - 4 >= least) return help.formatItem(term, pad, description, help)
  return `  ${term}\n${wrapLines(`      ${description}`, width)}`
}

/** Returns one line per flag; `--wait` and `--no-wait` share one, with the description of the first. */
function flagItems(options: readonly Option[], help: Help): Item[] {
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
function flagGroups({ parser, help }: Page): Map<string, Option[]> {
  const groups = new Map(['Flags', ...keysOf(groupTopics)].map((name): [string, Option[]] => [name, []]))
  for (const option of help.visibleOptions(parser)) {
    // Flags of commander itself have no heading.
    const { helpGroupHeading = `${globalGroup}:` } = option
    groups.get(helpGroupHeading.slice(0, -1))?.push(option)
  }
  return groups
}

const isShared = (heading: string) => Object.hasOwn(groupTopics, heading)

/** Returns lines that name shared flags, files and scopes, with the topics that explain them. */
function references(page: Page): string[] {
  const { parser, command, all } = page
  const { form, operations } = command ?? {}
  const scopes = accessLine(operations)
  return [
    ...(form && !all ? [`${form.title}: skyctl help ${form.topic}`] : []),
    ...(scopes === undefined ? [] : [scopes]),
    ...(all ? [] : sharedLines(page)),
    ...(all || !command ? [] : [`All flags: ${pathOf(parser)} --help --all`]),
  ]
}

/** Returns `Output: --columns --query (skyctl help output)` for each group of shared flags. */
function sharedLines(page: Page): string[] {
  const groups = flagGroups(page)
  return keysOf(groupTopics).flatMap((group) => {
    const names = group === globalGroup ? commonNames : (groups.get(group) ?? []).map(({ long }) => long)
    if (names.length === 0) return []
    return [`${group.replace(' flags', '')}: ${names.join(' ')} (skyctl help ${groupTopics[group]})`]
  })
}

const mostGlobal = 6

/** The most common global flags; all of them would take two lines of every page. */
const commonNames = [
  ...globalFlags.slice(0, mostGlobal).map(({ name, short }) => (short ? `-${short}` : `--${name}`)),
  'and others',
]

/**
 * Returns `Scopes: volumes:read_write; the user needs the grant add_volumes`; undefined for a command without requests.
 */
function accessLine(operations: readonly Operation[] = []): string | undefined {
  if (operations.length === 0) return undefined
  const scopes = leastScopes(operations.flatMap((operation) => operation.scopes))
  const needs = [...new Set(operations.flatMap((operation) => operation.needs ?? []))]
  const user = needs.length > 0 ? [`the user needs ${needs.join(' and ')}`] : []
  return `Scopes: ${[scopes.join(' and ') || none(operations), ...user].join('; ')}`
}

function none(operations: readonly Operation[]): string {
  return operations.every(({ isPublic }) => isPublic) ? 'none; no token is needed' : 'none; any token will do'
}

/** Returns the paragraphs below the summary in the reference. */
export function paragraphsOf({
  details,
  moreDetails,
  operations,
}: Pick<Command, 'details' | 'moreDetails' | 'operations'>): string[] {
  return [details, moreDetails, accessLine(operations)].filter((text) => text !== undefined)
}

/** Matches a word of a shell: blanks in quotes do not end it. */
const word = /(?:'[^']*'|"[^"]*"|[^\s'"])+/g

/** Matches words before which a line may be broken: flags, pipes, redirections. */
const opens = /^[-|&<>]/

/** Breaks an example with backslashes into lines of at most `width` columns, if it is longer. */
export function continued(line: string, width: number): string {
  if (line.length <= width) return line
  const parts: string[] = []
  for (const [next] of line.matchAll(word)) {
    if (opens.test(next) || parts.length === 0) parts.push(next)
    else parts.push(`${parts.pop()} ${next}`)
  }
  const lines: string[] = []
  for (const part of parts) {
    const last = lines.pop()
    const longer = last === undefined ? part : `${last} ${part}`
    // Two columns for the blank and the backslash.
    if (last === undefined || longer.length <= width - 2) lines.push(longer)
    else lines.push(last, `  ${part}`)
  }
  return lines.join(' \\\n')
}
