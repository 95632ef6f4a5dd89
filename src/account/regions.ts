/**
 * Checks region IDs. Regions hardly ever change, so they are cached for completion and for this check; an uncached
 * region is looked up before it is rejected.
 */

import { regions } from '../catalogue/regions'
import { Problem } from '../errors'
import { escapeText } from '../rules/escape'
import type { Account } from './account'
import { type CachedName, cacheNames, readCachedNames } from './name-cache'
import { readAll } from './resource'

export async function readRegionNames(account: Account): Promise<CachedName[]> {
  const client = await account.client({ isPublic: true })
  const names = (await readAll(client, regions.list)).map(({ id, label }) => ({ name: id, note: escapeText(label) }))
  await cacheNames('regions', names, account)
  return names
}

/** Reads the ids of all regions from the service. */
export async function readRegions(account: Account): Promise<string[]> {
  return (await readRegionNames(account)).map(({ name }) => name)
}

/** Throws `not_found` with similar names for an unknown region. */
export async function checkRegion(region: unknown, account: Account): Promise<void> {
  if (typeof region !== 'string' || (await isCached(region, account))) return
  await expectRegion(region, await readRegions(account))
}

/** Returns a warning about a region in a filter that does not exist, with similar names. */
export async function unknownRegion(region: string, account: Account): Promise<string | undefined> {
  if (await isCached(region, account)) return undefined
  const allRegions = await readRegions(account)
  return allRegions.includes(region)
    ? undefined
    : `--filter: "${region}" is no known region. ${await proposal(region, allRegions)}`
}

async function isCached(region: string, account: Account): Promise<boolean> {
  return (await readCachedNames('regions', account))?.includes(region) === true
}

async function proposal(region: string, allRegions: readonly string[]): Promise<string> {
  const { didYouMean } = await import('../rules/nearest')
  return didYouMean(region, allRegions) ?? 'See skyctl regions list'
}

/** Throws `not_found` with similar names if a region is not in the list. */
export async function expectRegion(region: string, allRegions: readonly string[]): Promise<void> {
  if (allRegions.includes(region)) return
  throw new Problem('not_found', `region: "${region}" is not a region`, {
    errors: [{ field: 'region', reason: 'region is not valid' }],
    hint: await proposal(region, allRegions),
  })
}
