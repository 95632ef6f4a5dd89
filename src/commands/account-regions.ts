/** Checks the regions in files before the service would refuse them. */
import { readCachedNames } from '../account/name-cache'
import { Problem, type TargetFailure } from '../errors'
import { didYouMean } from '../rules/nearest'
import { isRecord } from '../rules/records'
import type { Session } from '../session'
import type { DesiredState } from '../state/desired-state'
import { readRegions } from './check-region'

interface Named {
  region: string
  /** Path in the file: `volumes.data.region`. */
  path: string
  place: string
}

/** Returns a failure for each unknown region in the files. */
export async function unknownRegions(wanted: DesiredState, session: Session): Promise<TargetFailure[]> {
  const named = regionsIn(wanted)
  const kept = await readCachedNames('regions', session)
  if (named.every(({ region }) => kept?.includes(region))) return []
  const known = await readRegions(session)
  return named
    .filter(({ region }) => !known.includes(region))
    .map(({ region, path, place }) => ({
      target: place,
      problem: new Problem('not_found', `${path}: "${region}" is not a region. ${nextStep(region, known)}`),
      tried: true,
    }))
}

const nextStep = (region: string, known: readonly string[]) => didYouMean(region, known) ?? 'See: skyctl regions list'

function regionsIn({ entries, settings, regionPlace }: DesiredState): Named[] {
  const { region } = settings.defaults
  const byDefault = region === undefined || regionPlace === undefined ? [] : [region]
  return [
    ...byDefault.map((region) => ({ region, path: 'defaults.region', place: regionPlace ?? '' })),
    ...[...(entries.get('volumes')?.values() ?? [])].flatMap(({ name, value, placeOf }) =>
      isRecord(value) && typeof value.region === 'string'
        ? [{ region: value.region, path: `volumes.${name}.region`, place: placeOf('region') }]
        : [],
    ),
  ]
}
