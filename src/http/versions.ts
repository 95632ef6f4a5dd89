/** Addresses that lack the segment of the API's version (api.md, Versioning 1): one request finds out. */
import { Problem } from '../errors'
import { isPage } from './pages'
import { version, WrongAddress } from './problems'

/** How long the API may take to answer at the address that was not asked for, in milliseconds. */
export const patienceMs = 5_000

/** A list that every API has and anybody may read, below an address without the version. */
export const publicList = `/${version}/regions`

export interface Looking {
  baseUrl: string
  /** Whether the API is below each address that was looked at, for all clients of a run. */
  looked: Map<string, Promise<boolean>>
  /** Reads the public list without a token; throws where there is no answer of success. */
  look(): Promise<unknown>
}

/** The error of a request, or `WrongAddress` where the address lacks the version and the API is found with it. */
export async function orWrongAddress(error: unknown, looking: Looking): Promise<unknown> {
  const { baseUrl, looked } = looking
  if (!(error instanceof Problem) || tellsNothing.has(error.code) || hasVersion(baseUrl)) return error
  const found = looked.get(baseUrl) ?? looking.look().then(isPage, () => false)
  looked.set(baseUrl, found)
  return (await found) ? new WrongAddress(baseUrl, error) : error
}

/** Failures that come from any address. */
const tellsNothing = new Set<Problem['code']>(['unavailable', 'rate_limited', 'outcome_unknown', 'usage', 'too_large'])

const hasVersion = (baseUrl: string) => new URL(baseUrl).pathname.split('/').includes(version)
