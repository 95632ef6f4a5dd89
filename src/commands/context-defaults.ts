/** Reads the defaults of a context from flags. */
import type { Defaults } from '../config/contexts'
import type { Flags } from '../engine/command'
import { listFlag, textFlag } from '../engine/flag-values'
import { Problem } from '../errors'
import { formatNamed } from '../output/formats'
import { isRegionId } from '../rules/ids'

/** Returns the defaults in flags; throws `usage` for invalid ones. */
export async function defaultsFrom(flags: Flags): Promise<Defaults> {
  const region = textFlag(flags, 'region')
  if (region && !isRegionId(region)) throw new Problem('usage', `--region: "${region}" is not a region id`)
  const output = textFlag(flags, 'default-output')
  if (output) formatNamed(output, '--default-output')
  const kept = flags['keep-open'] === false ? [] : listFlag(flags, 'keep-open')
  if (kept && kept.length > 0) {
    const { parseKeepOpenFlags } = await import('./firewalls/keep-open-flags')
    for (const text of kept) parseKeepOpenFlags(text)
  }
  return {
    ...(region !== undefined && { region }),
    ...(output !== undefined && { output }),
    ...(kept && { keep_open: kept }),
  }
}

/** Merges changed defaults; an empty string or list removes a default. */
export function merged(before: Defaults = {}, changes: Defaults): Defaults {
  return Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value.length > 0))
}
