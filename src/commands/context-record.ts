/** Formats contexts as records, and prints the result of changes to them. */

import type { RequestBody } from '../account/change-context'
import { shownBaseUrl } from '../config/base-url'
import { type ChosenContext, type Config, SANDBOX, type StoredContext as Stored } from '../config/contexts'
import { overrideOfUse } from '../config/override-warnings'
import type { Flags } from '../engine/command'
import { printAnswer } from '../engine/print-answers'
import { viewOf } from '../engine/printing'
import type { Session } from '../engine/session'
import { Problem } from '../errors'
import { columnsFor, type FieldPath } from '../output/column'
import type { View } from '../output/print'
import { isDrawn } from '../output/print'
import { didYouMean } from '../rules/nearest'

/** A context for output: it has the source of the token, never the token. */
interface ContextRecord {
  name: string
  current: boolean
  current_by: 'flag' | 'environment' | 'file' | null
  base_url: string | null
  user: string | null
  token: 'built in' | 'stored' | 'command' | 'none'
  token_command: string | null
  defaults: { region: string | null; output: string | null; keep_open: readonly string[]; networks: string | null }
}

const fields: readonly FieldPath<ContextRecord>[] = [
  'name',
  'current',
  'current_by',
  'base_url',
  'user',
  'token',
  'defaults.region',
  'defaults.output',
  'defaults.keep_open',
  'defaults.networks',
]
const inTables: readonly FieldPath<ContextRecord>[] = ['name', 'current', 'base_url', 'user', 'token']
const columns = columnsFor<ContextRecord>(fields.map((path) => (inTables.includes(path) ? path : { path, wide: true })))
const more: readonly (keyof ContextRecord)[] = ['token_command', 'defaults']
export const shownContext = { fields: [...fields, ...more], columns, key: 'name' }

/** Sources of the current context. */
const deciders = { flag: 'flag', environment: 'environment', context: 'file' } as const

type Choice = { name: string | undefined; from: ChosenContext['from'] } | undefined

function contextRecord(name: string, stored: Stored | undefined, chosen: Choice): ContextRecord {
  const token = stored === undefined ? 'built in' : stored.token ? 'stored' : stored.token_command ? 'command' : 'none'
  const current = chosen?.name === name
  return {
    name,
    current,
    current_by: current ? deciders[chosen.from] : null,
    base_url: stored ? shownBaseUrl(stored.base_url) : null,
    user: stored?.user ?? null,
    token,
    token_command: stored?.token_command ?? null,
    defaults: {
      region: stored?.defaults?.region ?? null,
      output: stored?.defaults?.output ?? null,
      keep_open: stored?.defaults?.keep_open ?? [],
      networks: stored?.defaults?.networks ?? null,
    },
  }
}

export async function recordsOf(session: Session): Promise<ContextRecord[]> {
  const { contexts } = await session.config.read()
  const chosen = await session.account.access.context().catch(() => undefined)
  const names = [...contexts.keys()].sort()
  return [...names, SANDBOX].map((name) => contextRecord(name, contexts.get(name), chosen))
}

/** Output settings of a local change; created before it is made. */
export interface Printing {
  view: View
  session: Session
}

export async function printingOf(flags: Flags, session: Session): Promise<Printing> {
  return { view: await viewOf(shownContext, flags, session), session }
}

/** Prints the changed record for scripts; people get a sentence. */
export async function printChanged(record: RequestBody, { view, session }: Printing): Promise<void> {
  if (!isDrawn(view) || view.quiet !== undefined) await printAnswer(record, { view, session })
}

/** Prints the current record of a context in `config`. */
export function printContext(name: string, config: Config, printing: Printing): Promise<void> {
  const { SKYCTL_CONTEXT: named } = printing.session.env
  const chosen: Choice = named ? { name: named, from: 'environment' } : { name: config.current, from: 'context' }
  return printChanged({ ...contextRecord(name, config.contexts.get(name), chosen) }, printing)
}

/** Reports whether the selected context is now the current one, and what overrides it. */
export async function tellUse(name: string, config: Config, { session }: Printing, before = ''): Promise<void> {
  const decides = session.env.SKYCTL_CONTEXT
  const use = decides && decides !== name ? 'is current when SKYCTL_CONTEXT is not set' : 'is now current'
  await session.ui.status(`${before}${before ? 'context' : 'Context'} "${name}" ${use}`)
  const override = overrideOfUse(name, config.contexts.get(name), session.env)
  if (override !== undefined) await session.ui.warn(override)
}

/** Returns the stored context; throws `context_not_found` with similar names, and `usage` for the sandbox. */
export function stored({ contexts }: Config, name: string): Stored {
  const context = contexts.get(name)
  if (context) return context
  if (name === SANDBOX) throw new Problem('usage', 'the context "sandbox" is built in and cannot be changed')
  const hint = didYouMean(name, [...contexts.keys(), SANDBOX]) ?? 'See skyctl context list'
  throw new Problem('context_not_found', `context "${name}" not found`, { hint })
}
