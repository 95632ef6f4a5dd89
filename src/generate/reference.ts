/** Generates the reference in Markdown: an index, and a page for each group or command of the root. */
import { topics } from '../commands/help/topics'
import type { Command, Flag } from '../engine/command'
import { paragraphsOf } from '../engine/command-help'
import {
  type CommandNode,
  commandsIn,
  commonFlags,
  commonGroup,
  flagForms,
  ownFlags,
  usageOf,
} from '../engine/command-nodes'
import { globalFlags } from '../engine/flags'
import { flagText } from '../engine/spelled-option'

/** Returns the pages by file name. */
export function referencePages(tree: CommandNode): ReadonlyMap<string, string> {
  const pages = tree.children.map((entry) => [`${entry.words.join('-')}.md`, page(entry)] as const)
  return new Map([['README.md', index(tree)], ...pages])
}

function index(tree: CommandNode): string {
  const entries = tree.children.map(({ words, summary }) => [`[${words.join(' ')}](${words.join('-')}.md)`, summary])
  return join([
    '# Reference',
    `${tree.summary} The same texts are shown by \`skyctl <command> --help\`.`,
    table(['Command', 'Purpose'], entries),
    ...[`## ${commonGroup}`, flagTable(commonFlags(tree))],
    ...['## Global flags', flagTable(globalFlags)],
  ])
}

function page(entry: CommandNode): string {
  const name = entry.words.join(' ')
  if (entry.command) {
    const texts = name === 'help' ? Object.entries(topics).map(([topic, text]) => topicSection(topic, text)) : []
    return join([`# skyctl ${name}`, ...body(entry, entry.command), ...texts])
  }
  const commands = commandsIn(entry)
  const links = commands.map(({ words, summary }) => [`[${words.join(' ')}](#skyctl-${words.join('-')})`, summary])
  return join([
    `# skyctl ${name}`,
    `${entry.summary}.`,
    ...aliasLine(entry),
    table(['Command', 'Description'], links),
    ...commands.flatMap((node) => [`## skyctl ${node.words.join(' ')}`, ...body(node, node.command)]),
  ])
}

function body(node: CommandNode, command: Command): string[] {
  const { arguments: values = [], form, examples = [] } = command
  const own = ownFlags(command)
  return [
    `${plain(node.summary)}.`,
    ...paragraphsOf(command).map(plain),
    code(usageOf(node)),
    ...aliasLine(node),
    ...(values.length > 0
      ? [
          table(
            ['Argument', 'Meaning'],
            values.map(({ name, description }) => [`\`${name}\``, plain(description)]),
          ),
        ]
      : []),
    ...(own.length > 0 ? [flagTable(own)] : []),
    sharedLine(node),
    ...(form ? [`${plain(form.title)}:`, code(form.text, 'yaml')] : []),
    ...(examples.length > 0 ? [code(examples.map(({ what, line }) => `# ${what}\n${line}`).join('\n\n'))] : []),
  ]
}

function aliasLine({ aliases }: CommandNode): string[] {
  return aliases.length > 0 ? [`Also: ${aliases.map((alias) => `\`${alias}\``).join(', ')}.`] : []
}

/** Refers to flags that only the index explains. */
function sharedLine(node: CommandNode): string {
  const names = commonFlags(node).map(({ name, negative }) => `\`--${negative ? 'no-' : ''}${name}\``)
  const common = names.length > 0 ? [`${link(commonGroup)}: ${names.join(', ')}.`] : []
  return [...common, `${link('Global flags')}.`].join(' ')
}

function link(heading: string): string {
  return `[${heading}](README.md#${heading.toLowerCase().replaceAll(' ', '-')})`
}

function topicSection(topic: string, text: string): string {
  return `## skyctl help ${topic}\n\n\`\`\`text\n${text.trimEnd()}\n\`\`\``
}

function flagTable(flags: readonly Flag[]): string {
  return table(
    ['Flag', 'Meaning'],
    flags.map((flag) => [
      flagForms(flag)
        .map((form) => `\`${form}\``)
        .join(', '),
      plain(flagText(flag)),
    ]),
  )
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')
}

function code(text: string, language = 'sh'): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
}

function plain(text: string): string {
  return text.replaceAll(/[\\<*`]/g, String.raw`\$&`)
}

function join(parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`
}
