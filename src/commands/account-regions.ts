/** Reads the regions for a plan, and checks the default region of the files. */
import { readCachedNames } from '../account/name-cache'
import { readRegions } from '../account/regions'
import { Problem, type TargetFailure } from '../errors'
import { isRecord } from '../rules/records'
import type { Session } from '../session'
import type { DesiredState } from '../state/desired-state'
import { regionFault } from '../state/kinds/volumes'

/** Returns the IDs of all regions. Cached IDs are enough if they include all that the files name. */
export async function regionsFor(wanted: DesiredState, session: Session): Promise<readonly string[]> {
  const cached = (await readCachedNames('regions', session.account)) ?? []
  return regionsIn(wanted).every((region) => cached.includes(region)) ? cached : readRegions(session.account)
}

function regionsIn({ entries, settings, regionPlace }: DesiredState): string[] {
  const volumes = [...(entries.get('volumes')?.values() ?? [])].map(({ value }) => isRecord(value) && value.region)
  const byDefault = regionPlace === undefined ? [] : [settings.defaults.region]
  return [...byDefault, ...volumes].filter((region) => typeof region === 'string')
}

/** Returns the failure of a default region that does not exist. */
export function unknownDefault({ settings, regionPlace }: DesiredState, known: readonly string[]): TargetFailure[] {
  const { region } = settings.defaults
  const fault = region === undefined ? undefined : regionFault(region, known)
  if (regionPlace === undefined || fault === undefined) return []
  return [{ target: regionPlace, problem: new Problem('not_found', `defaults.region: ${fault}`), tried: true }]
}
