/** Layout and texts of help: the most relevant sections first, global flags last. */
import type { Argument, Help, HelpConfiguration, Option, Command as Parser } from 'commander'
import type { Operation } from '../catalogue/operation'
import { wrap, wrapLines } from '../output/wrap'
import { leastScopes } from '../rules/scopes'
import type { Command } from './command'

/** Heading of the global flags; only the root explains them. */
const globalHeading = 'Global flags:'

const commandsHeading = 'Commands:'

/** Minimum width of descriptions; with less space beside the names they are printed below them. */
const least = 20

export const helpLayout: HelpConfiguration = {
  minWidthToWrap: least,
  /** Returns `volumes (volume)`. */
  subcommandTerm: (command) => {
    const aliases = command.aliases()
    return aliases.length === 0 ? command.name() : `${command.name()} (${aliases.join(', ')})`
  },
  commandUsage(command) {
    if (!command.parent) return `${command.name()} <group> <verb> [target...] [flags]`
    const words = command.commands.length > 0 ? ['<command>'] : command.registeredArguments.map(argumentWord)
    return [pathOf(command), ...words, '[flags]'].join(' ')
  },
  formatHelp(command, help) {
    const width = help.helpWidth ?? 80
    const sections = [
      wrap(`Usage: ${help.commandUsage(command)}`, width, '  '),
      help.boxWrap(help.commandDescription(command), width),
      ...lists(command, help),
      ...(command.parent ? [globalLine(command, width, help)] : []),
    ]
    return `${sections.join('\n\n')}\n`
  },
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

function lists(command: Parser, help: Help): string[] {
  const flags = flagGroups(command, help)
  const groups: [string, Item[]][] = [
    [
      commandsHeading,
      help
        .visibleCommands(command)
        .map((one) => ({ term: help.subcommandTerm(one), description: help.subcommandDescription(one) })),
    ],
    [
      'Arguments:',
      help
        .visibleArguments(command)
        .map((one) => ({ term: help.argumentTerm(one), description: help.argumentDescription(one) })),
    ],
    ...flags.map(([heading, options]): [string, Item[]] => [heading, flagItems(options, help)]),
  ]
  const present = groups.filter(([, items]) => items.length > 0)
  const pad = Math.max(0, ...present.flatMap(([, items]) => items.map(({ term }) => term.length)))
  return present.map(([heading, items]) => [heading, ...items.map((item) => itemText(item, pad, help))].join('\n'))
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

/**
 * Groups the flags: the command's own, then output flags. Global flags are listed at the root only; elsewhere one line
 * names them.
 */
function flagGroups(command: Parser, help: Help): [string, Option[]][] {
  const groups = new Map<string, Option[]>()
  for (const option of help.visibleOptions(command)) {
    const heading = option.helpGroupHeading ?? globalHeading
    if (heading !== globalHeading || !command.parent) groups.set(heading, [...(groups.get(heading) ?? []), option])
  }
  return [...groups]
}

function globalLine(command: Parser, width: number, help: Help): string {
  const names = help
    .visibleOptions(command)
    .filter(({ helpGroupHeading }) => (helpGroupHeading ?? globalHeading) === globalHeading)
    .map(({ short, long }) => short ?? long ?? '')
  return help.boxWrap(`Global flags, explained by skyctl --help: ${names.join(' ')}`, width)
}

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

/** Returns the paragraphs below the summary in help. */
export function paragraphsOf({ details, operations }: Pick<Command, 'details' | 'operations'>): string[] {
  return [details, accessLine(operations)].filter((text) => text !== undefined)
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
