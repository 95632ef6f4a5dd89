import type { CompletionPlace, CompletionRow, CompletionTable } from '../completions'
import { fill } from './script'
import script from './skyctl.ps1' with { type: 'text' }

export function powershell({ places, globals }: CompletionTable): string {
  return fill(script, { places: places.map(branch).join('\n'), globals: list(globals, 8) })
}

function branch({ path, commands, flags, arguments: values, fields }: CompletionPlace): string {
  const lists = [
    `            Commands = @(${commands.length > 0 ? `\n${list(commands, 16)}\n            ` : ''})`,
    `            Flags = @(${flags.length > 0 ? `\n${list(flags, 16)}\n            ` : ''})`,
    `            Arguments = @(${values.map(quoted).join(', ')})`,
    `            Fields = @(${fields.map(quoted).join(', ')})`,
  ]
  return `        ${quoted(path)} = @{\n${lists.join('\n')}\n        }`
}

function list(rows: readonly CompletionRow[], indent: number): string {
  return rows.map(({ entry, description }) => `${' '.repeat(indent)}${quoted(`${entry} ${description}`)}`).join('\n')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
