/**
 * The regions of a service, so that a mistyped one is refused before anything is sent that changes something.
 * They hardly ever change, so they are kept for completion and for this check; a region that is not among the kept
 * ones is looked up before it is refused.
 */
import { regions } from '../catalogue/regions'
import { keepNames, keptNames, type Name } from '../engine/names'
import { Problem } from '../errors'
import { safe } from '../output/safe'
import { didYouMean } from '../rules/nearest'
import type { Session } from '../session'

/** Reads the ids of all regions from the service, with their labels as notes, and keeps them. */
export async function readRegionNames(session: Session): Promise<Name[]> {
  const client = await session.client({ open: true })
  const names: Name[] = []
  for await (const page of client.pages(regions.list)) {
    for (const { id, label } of page) names.push({ name: id, note: safe(label) })
  }
  await keepNames('regions', names, session)
  return names
}

/** The ids of all regions, from the service. */
export async function readRegions(session: Session): Promise<string[]> {
  return (await readRegionNames(session)).map(({ name }) => name)
}

/** Throws `usage` with near names where the service has no such region. */
export async function checkRegion(region: unknown, session: Session): Promise<void> {
  if (typeof region !== 'string') return
  if ((await keptNames('regions', session))?.includes(region)) return
  expectRegion(region, await readRegions(session))
}

/** Throws `usage` with near names where a region is none of those that the service has. */
export function expectRegion(region: string, known: readonly string[]): void {
  if (known.includes(region)) return
  throw new Problem('usage', `region: "${region}" is not a region`, {
    errors: [{ field: 'region', reason: 'region is not valid' }],
    hint: didYouMean(region, known) ?? 'See skyctl regions list',
  })
}
