/** Layout of help of groups and of the root. The pages of commands, and those of `--all`, are in ./command-help. */
import type { Argument, Help, HelpConfiguration, Command as Parser } from 'commander'
import type { Operation } from '../catalogue/operation'
import { wrap, wrapLines } from '../output/wrap'
import { leastScopes } from '../rules/scope-cover'
import { joinNames } from '../rules/texts'
import type { FlagGroup } from './command'
import { globalFlags, groupTopics } from './flags'
import { pathOf } from './usage-error'

/** Minimum width of descriptions; with less space beside the names they are printed below them. */
const least = 20

export const groupLayout: HelpConfiguration = {
  minWidthToWrap: least,
  boxWrap: (text, width) => wrapLines(text, width, (line) => wordsAndReferences(line, width)),
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
  formatHelp: (parser, help) =>
    pageText([
      ...headOf(parser, help),
      ...listTexts(commandLists(parser, help), help),
      wrapReference(sharedLine('Global flags', commonNames), help),
    ]),
}

/** Joins the sections of a page. */
export function pageText(sections: readonly string[]): string {
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`
}

/** Returns the usage line and the description. */
export function headOf(parser: Parser, help: Help): string[] {
  const width = widthOf(help)
  return [
    wrap(`Usage: ${help.commandUsage(parser)}`, width, '  '),
    help.boxWrap(help.commandDescription(parser), width),
  ]
}

export const widthOf = ({ helpWidth = 80 }: Help) => helpWidth

/** Returns `<volume...>` or `[region]`. */
function argumentWord(argument: Argument): string {
  const text = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${text}>` : `[${text}]`
}

export interface HelpTerm {
  term: string
  description: string
}

/** A heading and what is below it. */
export type HelpList = readonly [heading: string, items: readonly HelpTerm[]]

/** Returns the lists with one column for all of them; an empty one is left out. */
export function listTexts(lists: readonly HelpList[], help: Help): string[] {
  const present = lists.filter(([, items]) => items.length > 0)
  const pad = Math.max(0, ...present.flatMap(([, items]) => items.map(({ term }) => term.length)))
  return present.map(([heading, items]) =>
    [`${heading}:`, ...items.map((item) => itemText(item, pad, help))].join('\n'),
  )
}

export function commandLists(parser: Parser, help: Help): HelpList[] {
  const lists = new Map<string, HelpTerm[]>()
  for (const inner of help.visibleCommands(parser)) {
    const heading = inner.helpGroup() || 'Commands'
    const item = { term: help.subcommandTerm(inner), description: help.subcommandDescription(inner) }
    lists.set(heading, [...(lists.get(heading) ?? []), item])
  }
  return [...lists]
}

function itemText({ term, description }: HelpTerm, pad: number, help: Help): string {
  const width = widthOf(help)
  if (width - pad - 4 >= least) return help.formatItem(term, pad, description, help)
  return `  ${term}\n${wrapLines(`      ${description}`, width)}`
}

/** Returns `Output: --columns --query (skyctl help output)`. */
export function sharedLine(group: FlagGroup, names: readonly string[]): string {
  return `${group.replace(' flags', '')}: ${names.join(' ')} (skyctl help ${groupTopics[group]})`
}

/** Wraps a line, but not within a command in brackets. */
export const wrapReference = (line: string, help: Help): string =>
  wrap(line, widthOf(help), '  ', (text) => wordsAndReferences(text, widthOf(help)))

/** Splits a text into words and commands in brackets, such as `(skyctl help filter)`; those that are too long are words. */
function wordsAndReferences(text: string, width: number): string[] {
  const tied = text.replace(/\(skyctl [^)]*\)/g, (command) =>
    command.length > width ? command : command.replaceAll(' ', '\u00a0'),
  )
  return tied.split(' ').map((word) => word.replaceAll('\u00a0', ' '))
}

const mostGlobal = 6

/** The most common global flags; all of them would take two lines of every page. */
export const commonNames = [
  ...globalFlags.slice(0, mostGlobal).map(({ name, short }) => (short ? `-${short}` : `--${name}`)),
  'and others',
]

/** Maximum number of grants on a page, unless `--all` shows all. */
const mostNeeds = 2

/**
 * Returns `Scopes: volumes:read_write; the user needs the grant add_volumes`; undefined for a command without requests.
 * `all` names the grants even if there are many.
 */
export function accessLine(operations: readonly Operation[] = [], { all = true } = {}): string | undefined {
  if (operations.length === 0) return undefined
  const scopes = leastScopes(operations.flatMap((operation) => operation.scopes))
  const needs = [...new Set(operations.flatMap((operation) => operation.needs ?? []))]
  const grants = all || needs.length <= mostNeeds ? needs.join(' and ') : 'grants: see --help --all'
  const user = needs.length > 0 ? [`the user needs ${grants}`] : []
  return `Scopes: ${[joinNames(scopes, 'and') || none(operations), ...user].join('; ')}`
}

function none(operations: readonly Operation[]): string {
  return operations.every(({ isPublic }) => isPublic) ? 'none; no token is needed' : 'none; any token will do'
}
