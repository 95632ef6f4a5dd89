/** Looks for a newer version at the address that the user names. */
import { version } from '../../package.json'
import { parseBaseUrl } from '../config/base-url'
import type { Session } from '../engine/session'
import { Problem } from '../errors'
import type { Environment } from '../rules/environment'
import { escapeText } from '../rules/escape'
import { parseVersion } from '../rules/versions'

/** Release that the address of releases names. */
export interface Release {
  version: string
  released: string | null
  url: string | null
}

/** Variable with the address of the latest release. */
export const releasesVariable = 'SKYCTL_RELEASES'

/** Limit of the request; --timeout can lower it. */
const mostMs = 10_000

/** Describes a newer version: `Version 0.2.0 (2026-12-24) is available: https://…`. */
export function describeRelease({ version, released, url }: Release): string {
  const day = released === null ? '' : ` (${released.slice(0, 10)})`
  return escapeText(`Version ${version}${day} is available${url === null ? '' : `: ${url}`}`)
}

/** Returns the address of a flag or the environment. */
export function requiredAddress(from: string | undefined, env: Environment): URL {
  const address = from === undefined ? releasesAddress(env) : parseAddress(from, '--from')
  if (address) return address
  throw new Problem('usage', 'no address of releases is set', {
    hint: `Name it with --from, or in ${releasesVariable}; skyctl has none of its own`,
  })
}

/** Returns the address of releases in the environment; undefined if none is set. */
export function releasesAddress({ [releasesVariable]: text }: Environment): URL | undefined {
  return text ? parseAddress(text, releasesVariable) : undefined
}

function parseAddress(text: string, name: string): URL {
  return new URL(parseBaseUrl(text, name))
}

/** Reads the latest release at an address. Throws `unavailable`, and `not_the_api` for a document without a version. */
export async function latestRelease(
  address: URL,
  { session, timeoutMs = mostMs }: { session: Session; timeoutMs: number | undefined },
): Promise<Release> {
  const { readDocument } = await import('../http/fetch-json')
  const { env, signal } = session
  const options = { env, signal, timeoutMs: Math.min(mostMs, timeoutMs), userAgent: `skyctl/${version}` }
  const field = fieldsOf(await readDocument(address, options))
  const named = parseVersion(field('version') ?? field('tag_name') ?? '')
  if (named === undefined) throw new Problem('not_the_api', `${address.href} names no version of skyctl`)
  return {
    version: named,
    released: field('released') ?? field('published_at') ?? null,
    url: field('url') ?? field('html_url') ?? null,
  }
}

/** Returns a function that looks up texts in a document; others count as missing. */
function fieldsOf(document: unknown): (name: string) => string | undefined {
  return (name) => {
    if (typeof document !== 'object' || document === null || !Object.hasOwn(document, name)) return undefined
    const value: unknown = Reflect.get(document, name)
    return typeof value === 'string' ? value : undefined
  }
}
