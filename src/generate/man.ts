/** Generates man pages in man(7) macros: a main page, and one for each group or command of the root. */
import { topics } from '../commands/help/topics'
import type { Command, Flag } from '../engine/command'
import { meanings } from '../engine/command-exit-codes'
import { paragraphsOf } from '../engine/command-help'
import {
  type CommandNode,
  commandsIn,
  commonFlags,
  commonGroup,
  flagForms,
  ownFlags,
  usageOf,
  withDescendants,
} from '../engine/command-nodes'
import { globalFlags } from '../engine/flags'
import { flagText } from '../engine/spelled-option'
import { exitCodes } from '../errors'
import { continuedCommand } from '../output/continued-command'
import { keysOf } from '../rules/records'
import { bold, entry, literal, pageOf, prose, section, subsection, text, topicLines } from './roff'

interface Release {
  version: string
  /** Release date, `2026-11-21`. Pages show it, and must not depend on the build date. */
  date: string
}

/** Returns the pages by file name. */
export function manPages(tree: CommandNode, release: Release): ReadonlyMap<string, string> {
  const pages = [tree, ...tree.children].map((node) => {
    const lines = node.words.length === 0 ? rootPage(node) : groupPage(node)
    return [`${pageName(node)}.1`, pageOf([titleLine(node, release), ...plainly, ...lines])] as const
  })
  return new Map(pages)
}

const pageName = ({ words }: Pick<CommandNode, 'words'>) => ['skyctl', ...words].join('-')

/** Disables hyphenation and justification, so that text can be copied. */
const plainly = ['.nh', '.ad l']

const titleLine = (node: CommandNode, { version, date }: Release) =>
  `.TH ${text(pageName(node).toUpperCase())} 1 ${date} "skyctl ${version}" "User Commands"`

/** Formats a reference to a page: `\fBskyctl\-volumes\fR(1)`. */
const reference = (words: readonly string[]) => `${bold(pageName({ words }))}(1)`

function nameLines(node: CommandNode): string[] {
  const summary = node.summary.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase()).replace(/\.$/, '')
  return section('NAME', [`${text(pageName(node))} \\- ${text(summary)}`])
}

function rootPage(tree: CommandNode): string[] {
  return [
    ...nameLines(tree),
    ...section('SYNOPSIS', [
      `${bold('skyctl')} \\fIgroup\\fR \\fIverb\\fR [\\fItarget\\fR ...] [\\fIflags\\fR]`,
      '.br',
      `${bold('skyctl help')} [\\fItopic\\fR]`,
    ]),
    ...section('DESCRIPTION', [
      prose(
        'Each group of commands has a page of its own, and each command a short one: skyctl volumes create --help.',
      ),
      prose('skyctl --context sandbox works on the embedded sandbox, without an account and without a network.'),
    ]),
    ...section(
      'COMMANDS',
      tree.children.flatMap(({ words, summary }) => entry(reference(words), `${summary}.`)),
    ),
    ...section('OPTIONS', [
      ...subsection(commonGroup, commonFlags(tree).flatMap(flagLines)),
      ...subsection('Global flags', globalFlags.flatMap(flagLines)),
    ]),
    ...section('EXIT STATUS', [...exitLines(), ...afterList(topics['exit-codes'])]),
    ...section('ENVIRONMENT', topicLines(topics.environment ?? '')),
    ...section('FILES', fileLines()),
    ...Object.entries(topics).flatMap(([name, topic]) =>
      name === 'exit-codes' || name === 'environment' ? [] : section(name.toUpperCase(), topicLines(topic)),
    ),
    ...section('EXAMPLES', exampleLines(tree)),
    ...section('SEE ALSO', [tree.children.map(({ words }) => reference(words)).join(',\n')]),
  ]
}

function groupPage(node: CommandNode): string[] {
  const commands = commandsIn(node)
  return [
    ...nameLines(node),
    ...section('SYNOPSIS', [commands.map((one) => bold(usageOf(one))).join('\n.br\n')]),
    ...section('DESCRIPTION', [
      prose(`${node.summary}.`),
      ...aliasLines(node),
      ...(node.command ? details(node.command) : []),
    ]),
    ...(node.command ? [] : section('COMMANDS', commands.flatMap(commandLines))),
    ...section('OPTIONS', [
      ...(node.command ? optionLines(node.command) : []),
      ...subsection(commonGroup, commonFlags(node).flatMap(flagLines)),
      ...subsection('Global flags', [`See ${reference([])}.`]),
    ]),
    ...section('EXIT STATUS', exitLines()),
    ...section('ENVIRONMENT', [`See ${reference([])}.`]),
    ...section('FILES', fileLines()),
    ...section('EXAMPLES', exampleLines(node)),
    ...section('SEE ALSO', [reference([])]),
  ]
}

function aliasLines({ aliases }: CommandNode): string[] {
  return aliases.length > 0 ? [`Also: ${aliases.map((alias) => bold(alias)).join(', ')}.`] : []
}

function commandLines(node: CommandNode & { command: Command }): string[] {
  const { command } = node
  return subsection(usageOf(node), [
    prose(`${node.summary}.`),
    ...aliasLines(node),
    ...details(command),
    ...optionLines(command),
    ...formLines(command),
  ])
}

function details(command: Command): string[] {
  return paragraphsOf(command).flatMap((paragraph) => ['.PP', ...paragraph.split('\n').map(prose)])
}

function optionLines(command: Command): string[] {
  return [
    ...(command.arguments ?? []).flatMap(({ name, description }) => entry(`\\fI${text(name)}\\fR`, description)),
    ...ownFlags(command).flatMap(flagLines),
  ]
}

function formLines({ form }: Command): string[] {
  return form ? ['.PP', `${text(form.title)}:`, ...literal(form.text.split('\n'))] : []
}

function flagLines(flag: Flag): string[] {
  return entry(bold(flagForms(flag).join(', ')), flagText(flag))
}

/** Lists examples: for the root, one of each group; for a group, all. */
function exampleLines(node: CommandNode): string[] {
  const groups = node.words.length === 0 ? node.children : [node]
  const most = node.words.length === 0 ? 1 : Number.POSITIVE_INFINITY
  const examples = groups.flatMap((group) =>
    withDescendants(group)
      .flatMap(({ command }) => command?.examples ?? [])
      .slice(0, most),
  )
  return examples.flatMap(({ what, line }) => [
    '.PP',
    prose(`${what}:`),
    ...literal(continuedCommand(line, 66).split('\n')),
  ])
}

function exitLines(): string[] {
  const rows = keysOf(exitCodes).map((code) => [exitCodes[code], meanings[code]] as const)
  return [[0, 'success, also for an empty list'] as const, ...rows].flatMap(([exit, meaning]) =>
    entry(bold(String(exit)), meaning),
  )
}

/** Returns the part of a topic after its last list. */
function afterList(topic = ''): string[] {
  return topicLines(topic).slice(topicLines(topic).lastIndexOf('.PP'))
}

function fileLines(): string[] {
  const files = [
    ['~/.config/skyctl/contexts.json', 'Contexts: addresses, tokens and defaults; only you can read it.'],
    ['~/.local/state/skyctl', 'State: the world of the sandbox, the history and replaced rules.'],
    ['~/.cache/skyctl', 'Cache, which can be deleted at any time.'],
  ] as const
  const where =
    'XDG_CONFIG_HOME, XDG_STATE_HOME and XDG_CACHE_HOME move them; SKYCTL_CONFIG_DIR and SKYCTL_STATE_DIR take precedence. ' +
    'On macOS they are below ~/Library: Preferences, Application Support and Caches.'
  return [...files.flatMap(([path, what]) => entry(`\\fI${text(path)}\\fR`, what)), '.PP', prose(where)]
}
