/** How commands and flags are written for people, in the reference and the man page. */
import type { Argument, Flag } from '../engine/command'
import { type Node, withDescendants } from './tree'

/** `skyctl volumes view <volume...> [flags]` */
export function usageOf({ words, children, command }: Node): string {
  const rest = command ? [...(command.arguments ?? []).map(argumentText), '[flags]'] : []
  return ['skyctl', ...words, ...(children.length > 0 ? ['<command>'] : []), ...rest].join(' ')
}

/** `<volume...>`: required and many; `[region]`: optional. */
function argumentText({ name, many, optional }: Argument): string {
  const text = many ? `${name}...` : name
  return optional ? `[${text}]` : `<${text}>`
}

/** Each way to write a flag: `-o, --output <format>`; `--wait` and `--no-wait`. */
export function flagForms({ name, short, aliases = [], value, negative }: Flag): string[] {
  const names = [...(short ? [`-${short}`] : []), `--${name}`, ...aliases.map((alias) => `--${alias}`)]
  const positive = `${names.join(', ')}${value === undefined ? '' : ` <${value}>`}`
  return [...(negative === 'only' ? [] : [positive]), ...(negative ? [`--no-${name}`] : [])]
}

/** The flags of a heading that commands share, each once: `Output flags`. */
export function sharedFlags(tree: Node): Map<string, Flag[]> {
  const groups = new Map<string, Flag[]>()
  for (const flag of withDescendants(tree).flatMap(({ command }) => command?.flags ?? [])) {
    if (flag.group === undefined) continue
    const flags = groups.get(flag.group) ?? []
    if (!flags.some(({ name }) => name === flag.name)) groups.set(flag.group, [...flags, flag])
  }
  return groups
}
