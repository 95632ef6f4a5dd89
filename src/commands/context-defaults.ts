/** Reads the defaults of a context from flags. */
import { resolve } from 'node:path'
import type { Defaults } from '../config/contexts'
import type { Flags } from '../engine/command'
import { listFlag, textFlag } from '../engine/flag-values'
import { Problem } from '../errors'
import { formatNamed } from '../output/formats'
import { isRegionId } from '../rules/ids'
import type { Session } from '../session'

/** Returns the defaults in flags, to change those of a context; throws `usage` for invalid ones. */
export async function defaultsFrom(flags: Flags, before: Defaults, session: Session): Promise<Defaults> {
  const region = textFlag(flags, 'region')
  if (region && !isRegionId(region)) throw new Problem('usage', `--region: "${region}" is not a region id`)
  const output = textFlag(flags, 'default-output')
  if (output) formatNamed(output, '--default-output')
  const networks = await networksFrom(flags)
  const kept = flags['keep-open'] === false ? [] : await keptOpen(flags, networks ?? before.networks, session)
  return {
    ...(region !== undefined && { region }),
    ...(output !== undefined && { output }),
    ...(kept && { keep_open: kept }),
    ...(networks !== undefined && { networks }),
  }
}

/** Returns the path of a file of networks, as the context is used from any folder; throws `usage` if it is wrong. */
async function networksFrom(flags: Flags): Promise<string | undefined> {
  const typed = textFlag(flags, 'networks')
  if (!typed) return typed
  await (await import('./networks-file')).readNetworks(typed)
  return resolve(typed)
}

/** Returns traffic with the addresses of its names: the protection does not change with a file. */
async function keptOpen(
  flags: Flags,
  path: string | undefined,
  session: Session,
): Promise<readonly string[] | undefined> {
  const typed = listFlag(flags, 'keep-open')
  if (!typed || typed.length === 0) return typed
  const { parseKeepOpenFlags } = await import('./firewalls/keep-open-flags')
  const { withAddresses } = await import('./firewalls/network-names')
  const kept = await Promise.all(
    typed.map((text) => withAddresses(text, '--keep-open', { flags, session, path: path ?? '' })),
  )
  for (const text of kept) parseKeepOpenFlags(text)
  return kept
}

/** Merges changed defaults; an empty string or list removes a default. */
export function merged(before: Defaults = {}, changes: Defaults): Defaults {
  return Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value.length > 0))
}
