/** Reads the defaults of a context from flags. */
import { resolve } from 'node:path'
import type { Defaults } from '../config/contexts'
import type { Flags } from '../engine/command'
import { listFlag, textFlag } from '../engine/flag-values'
import type { Session } from '../engine/session'
import { Problem } from '../errors'
import { formatNamed } from '../output/formats'
import { isRegionId } from '../rules/ids'

/** Returns the defaults in flags, to change those of a context; throws `usage` for invalid ones. */
export async function defaultsFrom(flags: Flags, before: Defaults, session: Session): Promise<Defaults> {
  const region = textFlag(flags, 'region')
  if (region && !isRegionId(region)) throw new Problem('usage', `--region: "${region}" is not a region id`)
  const output = textFlag(flags, 'default-output')
  if (output) formatNamed(output, '--default-output')
  const networks = await networksFrom(flags)
  const keepOpen = flags['keep-open'] === false ? [] : await keptOpen(flags, networks ?? before.networks, session)
  return {
    ...(region !== undefined && { region }),
    ...(output !== undefined && { output }),
    ...(keepOpen && { keep_open: keepOpen }),
    ...(networks !== undefined && { networks }),
  }
}

/** Returns the path of a file of networks, as the context is used from any folder; throws `usage` if it is wrong. */
async function networksFrom(flags: Flags): Promise<string | undefined> {
  const path = textFlag(flags, 'networks')
  if (!path) return path
  await (await import('./read-networks-file')).readNetworksFile(path)
  return resolve(path)
}

/** Returns traffic with the addresses of its names: the protection does not change with a file. */
async function keptOpen(
  flags: Flags,
  path: string | undefined,
  session: Session,
): Promise<readonly string[] | undefined> {
  const texts = listFlag(flags, 'keep-open')
  if (!texts || texts.length === 0) return texts
  const { expectKeepOpen } = await import('../account/lockout/read-keep-open')
  const { withAddresses } = await import('./firewalls/network-names')
  const traffic = await Promise.all(
    texts.map((text) => withAddresses(text, '--keep-open', { flags, session, path: path ?? '' })),
  )
  for (const text of traffic) expectKeepOpen(text)
  return traffic
}

/** Merges changed defaults; an empty string or list removes a default. */
export function merged(before: Defaults = {}, changes: Defaults): Defaults {
  return Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value.length > 0))
}
