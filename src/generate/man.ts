/** The man page, in the macros of man(7). */
import { topics } from '../commands/help/topics'
import { paragraphsOf } from '../engine/access'
import type { Command, Flag } from '../engine/command'
import { continued } from '../engine/example'
import { globalFlags } from '../engine/flags'
import { type Node, withDescendants } from './tree'
import { flagForms, sharedFlags, usageOf } from './usage'

export function manPage(tree: Node, version: string): string {
  const commands = withDescendants(tree).flatMap((node) => (node.command ? [commandLines(node, node.command)] : []))
  const flags = [...sharedFlags(tree), ['Global flags', globalFlags] as const]
  const lines = [
    `.TH SKYCTL 1 "" "skyctl ${version}" "User Commands"`,
    '.SH NAME',
    `skyctl \\- ${text(tree.summary.replace(/^./, (letter) => letter.toLowerCase()).replace(/\.$/, ''))}`,
    '.SH SYNOPSIS',
    '.B skyctl',
    '.I group verb',
    '.RI [ target ...]',
    '.RI [ flags ]',
    '.SH COMMANDS',
    ...commands.flat(),
    ...flags.flatMap(([heading, shared]) => [`.SH ${heading.toUpperCase()}`, ...shared.flatMap(flagLines)]),
    ...Object.values(topics).flatMap(topicLines),
  ]
  return `${lines.join('\n')}\n`
}

function commandLines(node: Node, command: Command): string[] {
  const { arguments: values = [], flags, form, examples = [] } = command
  return [
    `.SS "${text(usageOf(node))}"`,
    `${text(node.summary)}.`,
    ...paragraphsOf(command).flatMap((paragraph) => ['.PP', ...paragraph.split('\n').map(text)]),
    ...values.flatMap(({ name, description }) => ['.TP', `.I ${text(name)}`, text(description)]),
    ...flags.filter(({ group }) => group === undefined).flatMap(flagLines),
    ...(form ? ['.PP', `${text(form.title)}:`, ...literal(form.text.split('\n'))] : []),
    ...examples.flatMap(({ what, line }) => ['.PP', `${text(what)}:`, ...literal(continued(line, 66).split('\n'))]),
  ]
}

function flagLines(flag: Flag): string[] {
  return ['.TP', `.B ${text(flagForms(flag).join(', '))}`, text(flag.description)]
}

/** The first line of a topic is its title. */
function topicLines(topic: string): string[] {
  const [title = '', ...lines] = topic.trimEnd().split('\n')
  return [`.SH ${title.toUpperCase()}`, ...literal(lines.slice(1))]
}

/** Lines as they are, indented. */
function literal(lines: readonly string[]): string[] {
  return ['.RS 4', '.nf', ...lines.map(text), '.fi', '.RE']
}

const glyphs: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '"': '\\(dq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
}

/** Text in which nothing is a request or an escape, and quotes and hyphens can be copied into a shell. */
function text(line: string): string {
  return line.replaceAll(/[\\'"`^~-]/g, (char) => glyphs[char] ?? char).replace(/^\./, '\\&.')
}
