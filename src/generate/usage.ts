/** Usage lines of commands and flags for the reference and the man pages. */
import type { Argument, Flag } from '../engine/command'
import { type CommandNode, withDescendants } from './tree'

/** Formats a usage line: `skyctl volumes view <volume...> [flags]`. */
export function usageOf({ words, children, command }: CommandNode): string {
  const rest = command ? [...(command.arguments ?? []).map(argumentText), '[flags]'] : []
  return ['skyctl', ...words, ...(children.length > 0 ? ['<command>'] : []), ...rest].join(' ')
}

/** Formats an argument: `<volume...>` is required and repeatable, `[region]` is optional. */
function argumentText({ name, many, optional }: Argument): string {
  const text = many ? `${name}...` : name
  return optional ? `[${text}]` : `<${text}>`
}

/** Lists the forms of a flag: `-o, --output <format>`; `--wait` and `--no-wait`. */
export function flagForms({ name, short, aliases = [], value, negative }: Flag): string[] {
  const names = [...(short ? [`-${short}`] : []), `--${name}`, ...aliases.map((alias) => `--${alias}`)]
  const positive = `${names.join(', ')}${value === undefined ? '' : ` <${value}>`}`
  return [...(negative === 'only' ? [] : [positive]), ...(negative ? [`--no-${name}`] : [])]
}

/** Lists shared flags by their heading, such as `Output flags`, without duplicates. */
export function sharedFlags(tree: CommandNode): Map<string, Flag[]> {
  const groups = new Map<string, Flag[]>()
  for (const flag of withDescendants(tree).flatMap(({ command }) => command?.flags ?? [])) {
    if (flag.group === undefined) continue
    const flags = groups.get(flag.group) ?? []
    if (!flags.some(({ name }) => name === flag.name)) groups.set(flag.group, [...flags, flag])
  }
  return groups
}
