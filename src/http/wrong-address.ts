/** Detects base URLs without the segment of the API's version (api.md, Versioning 1), with one request. */
import { Problem } from '../errors'
import { isPage } from './pages'
import { version, WrongAddress } from './problems'

/** Maximum time for that request in milliseconds. */
export const patienceMs = 5_000

/** Path of a public list, relative to a base URL without the version. */
export const publicList = `/${version}/regions`

export interface VersionProbe {
  baseUrl: string
  /** Results by base URL, shared by all clients of a run. */
  looked: Map<string, Promise<boolean>>
  /** Reads the public list without a token; throws if there is no successful answer. */
  look(): Promise<unknown>
}

/** Returns the error, or `WrongAddress` if the base URL lacks the version and the API is found below it. */
export async function orWrongAddress(error: unknown, looking: VersionProbe): Promise<unknown> {
  const { baseUrl, looked } = looking
  if (!(error instanceof Problem) || tellsNothing.has(error.code) || hasVersion(baseUrl)) return error
  const found = looked.get(baseUrl) ?? looking.look().then(isPage, () => false)
  looked.set(baseUrl, found)
  return (await found) ? new WrongAddress(baseUrl, error) : error
}

/** Codes of failures that say nothing about the address. */
const tellsNothing = new Set<Problem['code']>(['unavailable', 'rate_limited', 'outcome_unknown', 'usage', 'too_large'])

const hasVersion = (baseUrl: string) => new URL(baseUrl).pathname.split('/').includes(version)
