/** Detects base URLs that are not the API's, if the API answers near them (api.md, Versioning 1). */
import { Problem } from '../errors'
import { isPage } from './pages'
import { version, WrongAddress } from './problems'

/** Maximum time of a probe in milliseconds. */
export const probeTimeoutMs = 5_000

/** Path of a public list. */
export const probePath = '/regions'

export interface VersionProbe {
  baseUrl: string
  /** Results by base URL, shared by all clients of a run. */
  looked: Map<string, Promise<boolean>>
  /** Reads the public list below an address of the same origin, without a token; throws if there is no success. */
  look(address: string): Promise<unknown>
}

/** Returns the error, or `WrongAddress` if the API is not at the base URL, but at another address of its origin. */
export async function detectWrongAddress(error: unknown, { baseUrl, looked, look }: VersionProbe): Promise<unknown> {
  if (!(error instanceof Problem) || tellsNothing.has(error.code)) return error
  const isApi = (address: string) => {
    const probe = looked.get(address) ?? look(address).then(isPage, () => false)
    looked.set(address, probe)
    return probe
  }
  for (const address of candidatesFor(baseUrl)) {
    if (!(await isApi(address))) continue
    // An API beside the base URL does not prove that there is none at the base URL, such as another account's.
    const isProved = address.startsWith(`${baseUrl}/`) || !(await isApi(baseUrl))
    return isProved ? new WrongAddress(baseUrl, { address, cause: error }) : error
  }
  return error
}

/** Codes of failures that say nothing about the address. */
const tellsNothing = new Set<Problem['code']>(['unavailable', 'rate_limited', 'outcome_unknown', 'usage', 'too_large'])

/** Lists the addresses that may have been meant: the path up to its version; else below the base URL, and the origin. */
function candidatesFor(baseUrl: string): string[] {
  const { origin, pathname } = new URL(baseUrl)
  const parts = pathname.split('/').filter(Boolean)
  const last = parts.findLastIndex((part) => /^v\d+$/.test(part))
  const below = `${baseUrl}/${version}`
  const candidates = last < 0 ? [below, `${origin}/${version}`] : [[origin, ...parts.slice(0, last), version].join('/')]
  return [...new Set(candidates)].filter((address) => address !== baseUrl)
}
