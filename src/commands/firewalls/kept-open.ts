/** What must be open after a change of a firewall: as flags say, or the context. */
import type { Flags } from '../../engine/command'
import { listFlag } from '../../engine/flag-values'
import { Problem } from '../../errors'
import { type KeptOpen, parseKeptOpen } from '../../firewall/keep-open'
import type { Session } from '../../session'

/** What must be open after a change. */
export interface Kept extends KeptOpen {
  /** Who wants it, for messages. */
  by: string
  /** It is enough that the change does not close it. */
  ifOpen: boolean
}

/** Those of the flags, else those of the context; contexts that cannot be read have none. */
export async function keptOpen(flags: Flags, session: Session): Promise<Kept[]> {
  const typed = listFlag(flags, 'keep-open')
  if (typed) return typed.map((text) => ({ ...parsedKeptOpen(text), by: '--keep-open', ifOpen: false }))
  const { keep_open: kept = [] } = await session.defaults().catch((): { keep_open?: readonly string[] } => ({}))
  const by = 'keep-open of the context'
  return kept.map((text) => ({ ...parsedKeptOpen(text, by), by, ifOpen: true }))
}

/** Throws `usage` for what names no traffic. */
export function parsedKeptOpen(text: string, from = '--keep-open'): KeptOpen {
  const kept = parseKeptOpen(text)
  if (typeof kept !== 'string') return kept
  throw new Problem('usage', `${from}: "${text}" names no traffic: ${kept}`, {
    hint: 'Write it as tcp/22@198.51.100.7',
  })
}
