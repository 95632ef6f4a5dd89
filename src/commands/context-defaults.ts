/** The defaults of a context, as flags change them. */
import type { Defaults } from '../config/contexts'
import type { Flags } from '../engine/command'
import { listFlag, textFlag } from '../engine/flag-values'
import { Problem } from '../errors'
import { formatNamed } from '../output/formats'
import { isRegionId } from '../rules/ids'

/** Throws `usage` for what makes no sense. */
export async function defaultsFrom(flags: Flags): Promise<Defaults> {
  const region = textFlag(flags, 'region')
  if (region && !isRegionId(region)) throw new Problem('usage', `--region: "${region}" is not a region id`)
  const output = textFlag(flags, 'default-output')
  if (output) formatNamed(output, '--default-output')
  const kept = flags['keep-open'] === false ? [] : listFlag(flags, 'keep-open')
  if (kept && kept.length > 0) {
    const { parsedKeptOpen } = await import('./firewalls/kept-open')
    for (const text of kept) parsedKeptOpen(text)
  }
  return {
    ...(region !== undefined && { region }),
    ...(output !== undefined && { output }),
    ...(kept && { keep_open: kept }),
  }
}

/** An empty text or list takes a default away. */
export function merged(before: Defaults = {}, changes: Defaults): Defaults {
  return Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value.length > 0))
}
