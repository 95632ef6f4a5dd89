/** Reads the traffic that must stay open after a change of a firewall, from flags or the context. */
import type { Flags } from '../../engine/command'
import { listFlag } from '../../engine/flag-values'
import { Problem } from '../../errors'
import { type KeptOpen, parseKeptOpen } from '../../firewall/keep-open'
import type { Session } from '../../session'
import { withAddresses } from './network-names'

/** Traffic that must be open after a change. */
export interface KeepOpenRequirement extends KeptOpen {
  /** Source of the requirement, for messages. */
  by: string
  /** True if the change only must not block traffic that was open. */
  ifOpen: boolean
}

/** Returns the traffic from flags, or from the context; a config that cannot be read has none. */
export async function keepOpenRequirements(flags: Flags, session: Session): Promise<KeepOpenRequirement[]> {
  const texts = listFlag(flags, 'keep-open')
  if (texts) return Promise.all(texts.map((text) => flagRequirement(text, flags, session)))
  const { keep_open: stored = [] } = await session.config
    .defaults()
    .catch((): { keep_open?: readonly string[] } => ({}))
  const by = 'keep-open of the context'
  return stored.map((text) => ({ ...parseKeepOpenFlags(text, by), by, ifOpen: true }))
}

async function flagRequirement(text: string, flags: Flags, session: Session): Promise<KeepOpenRequirement> {
  const by = '--keep-open'
  const addressed = await withAddresses(text, by, { flags, session })
  return { ...parseKeepOpenFlags(addressed), text, by, ifOpen: false }
}

/** Parses traffic; throws `usage` if it is invalid. */
export function parseKeepOpenFlags(text: string, from = '--keep-open'): KeptOpen {
  const parsed = parseKeptOpen(text)
  if (typeof parsed !== 'string') return parsed
  throw new Problem('usage', `${from}: "${text}" names no traffic: ${parsed}`, {
    hint: 'Write it as tcp/22@198.51.100.7',
  })
}
