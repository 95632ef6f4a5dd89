/** The regions that files name: those that the service does not have are mistakes of the files. */
import { keptNames } from '../engine/names'
import { type Failure, Problem } from '../errors'
import { didYouMean } from '../rules/nearest'
import { isRecord } from '../rules/records'
import type { Session } from '../session'
import type { Wanted } from '../state/wanted'
import { readRegions } from './known-regions'

interface Named {
  region: string
  /** `volumes.data.region`. */
  path: string
  place: string
}

/** One failure for each place that names an unknown region. */
export async function unknownRegions(wanted: Wanted, session: Session): Promise<Failure[]> {
  const named = regionsIn(wanted)
  const kept = await keptNames('regions', session)
  if (named.every(({ region }) => kept?.includes(region))) return []
  const known = await readRegions(session)
  return named
    .filter(({ region }) => !known.includes(region))
    .map(({ region, path, place }) => ({
      target: place,
      problem: new Problem('usage', `${path}: "${region}" is not a region. ${nextStep(region, known)}`),
      tried: true,
    }))
}

const nextStep = (region: string, known: readonly string[]) => didYouMean(region, known) ?? 'See: skyctl regions list'

function regionsIn({ entries, settings, regionPlace }: Wanted): Named[] {
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
