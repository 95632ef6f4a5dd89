import type { CompletionPlace, CompletionRow, CompletionTable } from '../completions'
import names from './names.fish' with { type: 'text' }
import { fill } from './script'
import script from './skyctl.fish' with { type: 'text' }

export function fish({ places, globals }: CompletionTable): string {
  return fill(script, {
    places: places.flatMap(branches).join('\n'),
    globals: `        ${print(globals.map(rowText))}`,
    names: names.trimEnd(),
  })
}

function branches({ path, commands, flags, arguments: values, fields }: CompletionPlace): string[] {
  const lists = { commands: commands.map(rowText), flags: flags.map(rowText), arguments: values, fields }
  return Object.entries(lists)
    .filter(([, texts]) => texts.length > 0)
    .map(([kind, texts]) => `        case ${quoted(`${kind} ${path}`)}\n            ${print(texts)}`)
}

function print(texts: readonly string[]): string {
  return `printf '%s\\n' ${texts.map(quoted).join(' \\\n                ')}`
}

function rowText({ entry, description }: CompletionRow): string {
  return `${entry} ${description}`
}

/** Quotes for fish, where single quotes allow escaped quotes and backslashes. */
function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`
}
