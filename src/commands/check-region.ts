/**
 * Checks region ids before a change is sent. Regions hardly ever change, so they are cached for completion and for this
 * check; an uncached region is looked up before it is rejected.
 */

import { type CachedName, cacheNames, readCachedNames } from '../account/name-cache'
import { regions } from '../catalogue/regions'
import { Problem } from '../errors'
import { escapeText } from '../rules/escape'
import { didYouMean } from '../rules/nearest'
import type { Session } from '../session'

/** Reads all regions, with their labels as notes, and caches them. */
export async function readRegionNames(session: Session): Promise<CachedName[]> {
  const client = await session.account.client({ isPublic: true })
  const names: CachedName[] = []
  for await (const page of client.pages(regions.list)) {
    for (const { id, label } of page) names.push({ name: id, note: escapeText(label) })
  }
  await cacheNames('regions', names, session.account)
  return names
}

/** Reads the ids of all regions from the service. */
export async function readRegions(session: Session): Promise<string[]> {
  return (await readRegionNames(session)).map(({ name }) => name)
}

/** Throws `not_found` with similar names for an unknown region. */
export async function checkRegion(region: unknown, session: Session): Promise<void> {
  if (typeof region !== 'string') return
  if ((await readCachedNames('regions', session.account))?.includes(region)) return
  expectRegion(region, await readRegions(session))
}

/** Throws `not_found` with similar names if a region is not in the list. */
export function expectRegion(region: string, known: readonly string[]): void {
  if (known.includes(region)) return
  throw new Problem('not_found', `region: "${region}" is not a region`, {
    errors: [{ field: 'region', reason: 'region is not valid' }],
    hint: didYouMean(region, known) ?? 'See skyctl regions list',
  })
}
