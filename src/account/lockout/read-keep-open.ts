/** Reads the traffic that must stay open after a change of a firewall, from options or the context. */
import { Problem } from '../../errors'
import { type KeptOpen, parseKeptOpen } from '../../firewall/keep-open'
import type { Account } from '../account'
import type { ChangeOptions } from '../change-context'

/** Traffic that must be open after a change. */
export interface KeepOpenRequirement extends KeptOpen {
  /** Source of the requirement, for messages. */
  by: string
  /** True if the change only must not block traffic that was open. */
  ifOpen: boolean
}

/** Returns the traffic from options, or from the context; a config that cannot be read has none. */
export async function readKeepOpenRequirements(
  { keepOpen }: Pick<ChangeOptions, 'keepOpen'>,
  { access }: Account,
): Promise<KeepOpenRequirement[]> {
  if (keepOpen) return keepOpen.map((text) => ({ ...expectKeepOpen(text), by: '--keep-open', ifOpen: false }))
  const context = await access.context().catch(() => undefined)
  const by = 'keep-open of the context'
  const { keep_open: stored = [] } = context?.record?.defaults ?? {}
  return stored.map((text) => ({ ...expectKeepOpen(text, by), by, ifOpen: true }))
}

/** Parses traffic; throws `usage` if it is invalid. */
export function expectKeepOpen(text: string, from = '--keep-open'): KeptOpen {
  const parsed = parseKeptOpen(text)
  if (typeof parsed !== 'string') return parsed
  throw new Problem('usage', `${from}: "${text}" names no traffic: ${parsed}`, {
    hint: 'Write it as tcp/22@198.51.100.7',
  })
}
