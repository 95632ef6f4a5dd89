/** Creates the problem of an unknown command, with the most likely commands. */
import type { Command as Parser } from 'commander'
import { Problem } from '../errors'
import { nearest, orList } from '../rules/nearest'
import { pathOf } from './help'
import type { UnknownCommand } from './usage-error'

/** Common words for commands with other names, and the commands: `whoami`, `auth status`. */
export type Words = Readonly<Record<string, readonly string[]>>

export function unknownCommand({ word, group }: UnknownCommand, words: Words): Problem {
  const path = pathOf(group)
  const where = group.parent ? ` for ${path}` : ''
  const lines = meant(word, group, words)
  const hint = lines.length > 0 ? `Did you mean ${orList(lines)}?` : `See ${path} --help, or search: ${searchFor(word)}`
  return new Problem('usage', `unknown command "${word}"${where}`, { hint })
}

const searchFor = (word: string) => (/^[\w-]+$/.test(word) ? `skyctl help find ${word}` : 'skyctl help find WORD')

/** Returns whole commands, best first: those for a common word, or else those with a similar spelling. */
function meant(word: string, group: Parser, words: Words): string[] {
  const path = pathOf(group)
  const known = new Map<string, readonly string[]>()
  for (const [other, lines] of Object.entries(words)) {
    const below = lines.map((line) => `skyctl ${line}`).filter((line) => line.startsWith(`${path} `))
    if (below.length > 0) known.set(other, below)
  }
  const stands = known.get(word.toLowerCase())
  if (stands) return [...stands]
  for (const command of group.createHelp().visibleCommands(group)) {
    for (const name of [command.name(), ...command.aliases()]) known.set(name, [`${path} ${command.name()}`])
  }
  const near = nearest(word, known.keys()).flatMap((name) => known.get(name) ?? [])
  return [...new Set(near)].slice(0, 3)
}
