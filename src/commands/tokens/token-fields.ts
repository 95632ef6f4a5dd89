/** Reads the fields of a new token from flags and a file. */

import { tokens } from '../../catalogue/tokens'
import { readBody } from '../../engine/body'
import type { Command, CommandGroup, Flag, Flags, Invocation, Root } from '../../engine/command'
import { loadCommands } from '../../engine/command-tree'
import { listFlag } from '../../engine/flag-values'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import { expiryFault, parseExpiry } from '../../rules/expiry'
import { didYouMean } from '../../rules/nearest'
import { leastScopes } from '../../rules/scope-cover'
import { everyScope } from '../../rules/scopes'

export const expiryFlag: Flag = {
  name: 'expiry',
  value: 'time',
  description: 'Expiry: 90d, 2027-01-31T12:00:00 (UTC) or never',
}

export const tokenFlags: readonly Flag[] = [
  {
    name: 'scope',
    aliases: ['scopes'],
    value: 'scope',
    list: 'commas',
    description: 'volumes:read_only, or * for all',
    values: everyScope,
  },
  {
    name: 'scopes-for',
    value: 'command',
    list: 'commas',
    description: 'Scopes that a command needs, such as "volumes create"',
    values: 'commands',
  },
  expiryFlag,
]

/** Returns the body of the request; scopes and expiry are in the API's format. */
export async function readTokenFields(
  { flags, program }: Pick<Invocation, 'flags' | 'program'>,
  session: Session,
): Promise<Record<string, unknown>> {
  const { expiry: written, ...body } = await readBody(tokens.create.body, flags, session)
  const named = listFlag(flags, 'scope')
  const needed = listFlag(flags, 'scopes-for')
  if (named || needed) body.scopes = [...(named ?? []), ...(await scopesFor(needed ?? [], program))].join(' ')
  const expiry = readExpiry(written, flags, session)
  return expiry === undefined ? body : { ...body, expiry }
}

/** Converts an expiry to the API's format; undefined for never. Throws `usage` for an invalid or past time. */
export function readExpiry(input: unknown, flags: Flags, session: Session): unknown {
  if (input === undefined || input === null || input === 'never') return undefined
  const now = session.clock.now()
  const text = String(input)
  const reason = flags.validate === false ? undefined : expiryFault(text, now)
  if (reason === undefined) return parseExpiry(text, now) ?? input
  const message = reason.replace(/^M/, 'm')
  const name = flags.expiry === undefined ? 'expiry' : '--expiry'
  throw new Problem('usage', `${name}: "${text}" ${message}`, { errors: [{ field: 'expiry', reason }] })
}

/** Returns the scopes for commands or whole groups, by name. Throws `usage` for unknown commands. */
async function scopesFor(lines: readonly string[], program: Root): Promise<string[]> {
  const commands: Command[] = []
  for (const line of lines) {
    for (const { path, command } of await commandsAt(await findCommand(line, program))) {
      if (command.requestsDependOn !== undefined) throw unknownScopes(path, command.requestsDependOn)
      commands.push(command)
    }
  }
  const least = leastScopes(commands.flatMap(({ operations = [] }) => operations.flatMap(({ scopes }) => scopes)))
  if (lines.length > 0 && least.length === 0) {
    throw new Problem('usage', `--scopes-for: "${lines.join('", "')}" needs no scope: any token will do`, {
      hint: 'Name a scope with --scope',
    })
  }
  return least.sort()
}

const unknownScopes = (path: string, dependsOn: string) =>
  new Problem('usage', `--scopes-for: the scopes for "${path}" depend on ${dependsOn}`, {
    hint: 'Name them with --scope, such as --scope volumes:read_write',
  })

/** A command or group, and its words without those of the program, of targets and of flags. */
interface Found {
  path: string
  entry: Command | CommandGroup
}

async function commandsAt({ path, entry }: Found): Promise<{ path: string; command: Command }[]> {
  if (!('commands' in entry)) return [{ path, command: entry }]
  const entries = await loadCommands(entry)
  return (await Promise.all(entries.map((one) => commandsAt({ path: `${path} ${one.name}`, entry: one })))).flat()
}

/** Finds the command at the beginning of a line as people type it: `skyctl plan account.yaml --drift`. */
async function findCommand(line: string, program: Root): Promise<Found> {
  const [withoutFlags = ''] = line.trim().split(/\s+-/)
  const [first = '', ...words] = withoutFlags.split(/\s+/).filter((word, index) => index > 0 || word !== program.name)
  let entry: Command | CommandGroup = await pick(first, program.entries, line).load()
  const path = [entry.name]
  for (const word of words) {
    // The next words are targets, if it takes any.
    if (!('commands' in entry) && entry.arguments) break
    entry = pick(word, 'commands' in entry ? await loadCommands(entry) : [], line)
    path.push(entry.name)
  }
  return { path: path.join(' '), entry }
}

function pick<T extends { name: string; aliases?: readonly string[] | undefined }>(
  word: string,
  entries: readonly T[],
  line: string,
): T {
  const entry = entries.find(({ name, aliases }) => name === word || aliases?.includes(word))
  if (entry) return entry
  const hint =
    didYouMean(
      word,
      entries.map(({ name }) => name),
    ) ?? 'Write it as in --scopes-for "volumes create"'
  throw new Problem('usage', `--scopes-for: "${line}" is not a command`, { hint })
}
