import type { CompletionPlace, CompletionRow, CompletionTable } from '../completions'
import { fill, quoted } from './script'
import script from './skyctl.zsh' with { type: 'text' }

export function zsh({ places, globals }: CompletionTable): string {
  return fill(script, { places: places.map(branch).join('\n'), globals: list(globals) })
}

function branch({ path, commands, flags, arguments: values, fields }: CompletionPlace): string {
  const lists = [
    commands.length > 0 ? `    verbs=(\n${list(commands)}\n    )\n` : '',
    flags.length > 0 ? `    flags=(\n${list(flags)}\n    )\n` : '',
    values.length > 0 ? `    arguments=(${values.map(quoted).join(' ')})\n` : '',
    fields.length > 0 ? `    fields=(${fields.map(quoted).join(' ')})\n` : '',
  ]
  return `  ${quoted(path)})\n${lists.join('')}    ;;`
}

function list(rows: readonly CompletionRow[]): string {
  return rows.map(({ entry, description }) => `      ${quoted(`${entry} ${description}`)}`).join('\n')
}
