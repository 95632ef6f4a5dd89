import type { CompletionPlace, CompletionTable } from '../completions'
import names from './names.bash' with { type: 'text' }
import { fill, quoted } from './script'
import script from './skyctl.bash' with { type: 'text' }

export function bash({ places, globals }: CompletionTable): string {
  return fill(script, {
    places: places.map(branch).join('\n'),
    globals: `    ${list(globals.map(({ entry }) => entry))}`,
    names: names.trimEnd(),
  })
}

function branch({ path, commands, flags, arguments: values, fields }: CompletionPlace): string {
  const lists = [
    ['commands', commands.map(({ entry }) => entry)],
    ['flags', flags.map(({ entry }) => entry)],
    ['arguments', values],
    ['fields', fields],
  ] as const
  const filled = lists.filter(([, entries]) => entries.length > 0)
  const lines = filled.map(([name, entries]) => `    ${name}=(${list(entries)})\n`)
  return `  ${quoted(path)})\n${lines.join('')}    ;;`
}

function list(entries: readonly string[]): string {
  return entries.map(quoted).join(' ')
}
