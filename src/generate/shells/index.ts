/** Completion scripts of the shells: a template each, filled with the completion table. */
import { type CompletionPlace, type CompletionRow, type CompletionTable, completionTable } from '../completions'
import type { CommandNode } from '../tree'
import bashNames from './names.bash' with { type: 'text' }
import fishNames from './names.fish' with { type: 'text' }
import bashScript from './skyctl.bash' with { type: 'text' }
import fishScript from './skyctl.fish' with { type: 'text' }
import powershellScript from './skyctl.ps1' with { type: 'text' }
import zshScript from './skyctl.zsh' with { type: 'text' }

const shells = { bash, zsh, fish, powershell }

export type Shell = keyof typeof shells

/** Creates a shell's completion script for the command tree. */
export function completionScript(shell: Shell, tree: CommandNode): string {
  return shells[shell](completionTable(tree))
}

/** Replaces each placeholder line, such as `# {{places}}`, with its text. */
function fill(script: string, texts: Readonly<Record<string, string>>): string {
  return script.replace(/^ *# \{\{(\w+)\}\}$/gm, (line, name: string) => texts[name] ?? line)
}

const rowText = ({ entry, description }: CompletionRow) => `${entry} ${description}`

function bash({ places, globals }: CompletionTable): string {
  return fill(bashScript, {
    places: places.map(bashPlace).join('\n'),
    globals: `    ${bashList(globals.map(({ entry }) => entry))}`,
    names: bashNames.trimEnd(),
  })
}

function bashPlace({ path, commands, flags, arguments: values, fields }: CompletionPlace): string {
  const lists = [
    ['commands', commands.map(({ entry }) => entry)],
    ['flags', flags.map(({ entry }) => entry)],
    ['arguments', values],
    ['fields', fields],
  ] as const
  const filled = lists.filter(([, entries]) => entries.length > 0)
  const lines = filled.map(([name, entries]) => `    ${name}=(${bashList(entries)})\n`)
  return `  ${quoted(path)})\n${lines.join('')}    ;;`
}

const bashList = (entries: readonly string[]) => entries.map(quoted).join(' ')

/** Quotes in single quotes for bash and zsh. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function zsh({ places, globals }: CompletionTable): string {
  return fill(zshScript, { places: places.map(zshPlace).join('\n'), globals: zshRows(globals) })
}

function zshPlace({ path, commands, flags, arguments: values, fields }: CompletionPlace): string {
  const lists = [
    commands.length > 0 ? `    verbs=(\n${zshRows(commands)}\n    )\n` : '',
    flags.length > 0 ? `    flags=(\n${zshRows(flags)}\n    )\n` : '',
    values.length > 0 ? `    arguments=(${bashList(values)})\n` : '',
    fields.length > 0 ? `    fields=(${bashList(fields)})\n` : '',
  ]
  return `  ${quoted(path)})\n${lists.join('')}    ;;`
}

const zshRows = (rows: readonly CompletionRow[]) => rows.map((row) => `      ${quoted(rowText(row))}`).join('\n')

function fish({ places, globals }: CompletionTable): string {
  return fill(fishScript, {
    places: places.flatMap(fishCases).join('\n'),
    globals: `        ${fishPrint(globals.map(rowText))}`,
    names: fishNames.trimEnd(),
  })
}

function fishCases({ path, commands, flags, arguments: values, fields }: CompletionPlace): string[] {
  const lists = { commands: commands.map(rowText), flags: flags.map(rowText), arguments: values, fields }
  return Object.entries(lists)
    .filter(([, texts]) => texts.length > 0)
    .map(([kind, texts]) => `        case ${fishQuoted(`${kind} ${path}`)}\n            ${fishPrint(texts)}`)
}

function fishPrint(texts: readonly string[]): string {
  return `printf '%s\\n' ${texts.map(fishQuoted).join(' \\\n                ')}`
}

/** Quotes for fish, where single quotes allow escaped quotes and backslashes. */
function fishQuoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`
}

function powershell({ places, globals }: CompletionTable): string {
  return fill(powershellScript, {
    places: places.map(powershellPlace).join('\n'),
    globals: powershellRows(globals, 8),
  })
}

function powershellPlace({ path, commands, flags, arguments: values, fields }: CompletionPlace): string {
  const block = (rows: readonly CompletionRow[]) =>
    rows.length > 0 ? `\n${powershellRows(rows, 16)}\n            ` : ''
  const lists = [
    `            Commands = @(${block(commands)})`,
    `            Flags = @(${block(flags)})`,
    `            Arguments = @(${values.map(powershellQuoted).join(', ')})`,
    `            Fields = @(${fields.map(powershellQuoted).join(', ')})`,
  ]
  return `        ${powershellQuoted(path)} = @{\n${lists.join('\n')}\n        }`
}

function powershellRows(rows: readonly CompletionRow[], indent: number): string {
  return rows.map((row) => ' '.repeat(indent) + powershellQuoted(rowText(row))).join('\n')
}

function powershellQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
