/** How what a command prints shall look: from the flags, the terminal and the command's own columns. */

import { type Operation, partsOf, type Schema } from '../catalogue/operation'
import { type Column, chooseColumns, unknownField } from '../output/column'
import type { View } from '../output/print'
import type { SortBy } from '../output/sort'
import type { Session } from '../session'
import type { Flags } from './command'
import { listFlag, textFlag } from './flag-values'
import { type Doubt, lookFor } from './unknown-fields'

/** The fields of an answer as `--columns`, `--sort` and `--filter` name them: `label`, `resolvers.ipv4`. */
export function fieldPaths(operation: Operation): string[] {
  const { returns } = operation
  return paths(partsOf(returns).item ?? returns)
}

function paths(schema: Schema): string[] {
  return Object.entries(partsOf(schema).entries ?? {}).flatMap(([key, value]) => {
    const inner = paths(unwrap(value))
    return inner.length === 0 ? [key] : inner.map((path) => `${key}.${path}`)
  })
}

function unwrap(schema: Schema): Schema {
  const { wrapped } = partsOf(schema)
  return wrapped ? unwrap(wrapped) : schema
}

interface Printed {
  /** What may be named, as `fieldPaths` gives it. */
  fields: readonly string[]
  /** The records are read from the service, and may have more fields: one that is not known is looked for in them. */
  more?: true
  columns: readonly Column[]
  /** What `--quiet` prints. */
  key?: string
}

/** Throws `usage` for what cannot be shown, before anything is sent. */
export async function viewOf(
  { columns, key = 'id', ...printed }: Printed,
  flags: Flags,
  session: Session,
): Promise<View> {
  const sort = await sortOf(flags)
  const query = textFlag(flags, 'query')
  if (query !== undefined) (await import('../output/query')).checkQuery(query)
  return {
    format: session.format,
    columns: [...columns],
    ...namedFields(printed, { flags, sort, session }),
    headers: flags.headers !== false,
    raw: flags.raw === true,
    // A format that was asked for by name wins: then --quiet only means no messages.
    ...(session.quiet && !flags.json && flags.output === undefined && { quiet: key }),
    ...(query !== undefined && { query }),
    ...(sort && { sort }),
    terminal: session.stdout.isTTY,
    width: session.stdout.isTTY ? session.stdout.columns : 0,
    color: session.color,
    clean: (text) => session.secrets.inData(text),
    now: session.clock.now(),
  }
}

/** The fields that the flags name: chosen to be printed, or still to be looked for. */
function namedFields(
  { fields, more }: Pick<Printed, 'fields' | 'more'>,
  { flags, sort = [], session }: { flags: Flags; sort: readonly SortBy[] | undefined; session: Session },
): Pick<View, 'chosen' | 'others' | 'seen'> {
  const doubts: Doubt[] = []
  const doubt = (flag: string) => (name: string) => {
    if (!more) throw unknownField(flag, name, fields)
    doubts.push({ flag, name })
  }
  for (const { path } of sort) if (!fields.includes(path)) doubt('--sort')(path)
  const columns = listFlag(flags, 'columns')
  return {
    ...(columns && chooseColumns(columns, fields, doubt('--columns'))),
    ...(doubts.length > 0 && { seen: lookFor(doubts, fields, session) }),
  }
}

/** Undefined where the order stays as it is. */
async function sortOf(flags: Flags): Promise<SortBy[] | undefined> {
  const texts = listFlag(flags, 'sort')
  if (!texts) return undefined
  const { sortBy } = await import('../output/sort')
  return texts.map(sortBy)
}
