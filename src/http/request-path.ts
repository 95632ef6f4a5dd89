/** Builds and validates request paths, so that a URL parser cannot change their meaning. */
import { filledPath, parametersOf } from '../catalogue/operation'
import { Problem } from '../errors'
import { isRegionId, parseId } from '../rules/ids'

/** Validators of path parameters; every other parameter is an id. */
const grammars: Readonly<Record<string, (text: string) => boolean | Promise<boolean>>> = {
  regionId: isRegionId,
  address: isAddress,
  range: isAddress,
}

/**
 * Fills in the path parameters of an operation: `/volumes/{volumeId}` with 123 is `/volumes/123`. Throws `usage` for an
 * invalid value.
 */
export async function fillPath(template: string, values: Readonly<Record<string, string | number>>): Promise<string> {
  for (const name of parametersOf(template)) {
    const text = String(values[name] ?? '')
    const fits = grammars[name] ?? ((id) => parseId(id) !== undefined)
    if (!(await fits(text))) throw new Problem('usage', `${name}: "${text}" is not valid`)
  }
  return filledPath(template, values)
}

/**
 * Returns the part of a path that names an object: `/volumes/12` of `/volumes/12/detach`; undefined without an object.
 */
export function objectPath(template: string, path: string): string | undefined {
  const last = template.split('/').findLastIndex((part) => part.startsWith('{'))
  return last < 0
    ? undefined
    : path
        .split('/')
        .slice(0, last + 1)
        .join('/')
}

async function isAddress(text: string): Promise<boolean> {
  const { addressFamily } = await import('../rules/address-syntax')
  return addressFamily(text) !== undefined
}

/** RFC 3986, as `path-absolute`, but any segment may be empty. */
const plainPath = /^(?:\/(?:[\w\-.~!$&'()*+,;=:@]|%[0-9a-f]{2})*)+$/i

/**
 * Paths, with their query, that no URL parser would change: nearly all of them. Parsing one takes 30 µs, and compiling the
 * expression above 200.
 */
const harmlessPath = /^(?:\/[\w-]+)+(?:\?[\w.*=&-]+)?$/

/**
 * Throws `usage` if a path with its query is not plain, or names another place than it seems to (`..`, also as
 * `%2e%2e`). The token would go to the wrong place.
 */
export function expectSafePath(path: string): void {
  if (harmlessPath.test(path)) return
  const [written = ''] = path.split('?')
  const service = 'http://localhost'
  const url = plainPath.test(written) && !path.includes('#') ? new URL(path, service) : undefined
  if (url?.origin === service && url.pathname === written) return
  throw new Problem('usage', `"${path}" is not a path of the service`, {
    hint: 'Write it relative to the base URL, percent-encoded, such as /volumes?page=2',
  })
}

/** Returns the path and query below the base URL in wire format; throws as `expectSafePath` does. */
export function wirePath(baseUrl: string, path: string): string {
  if (harmlessPath.test(path)) return path
  expectSafePath(path)
  const [written = '', query] = path.split('?')
  return query === undefined ? written : written + new URL(baseUrl + path).search
}

/** Returns `?page=2&page_size=100`, or an empty string without values. */
export function queryText(values: Readonly<Record<string, string | number | boolean>> = {}): string {
  const pairs = Object.entries(values).map(([key, value]): [string, string] => [key, String(value)])
  if (pairs.length === 0) return ''
  // Page numbers need no escape, and loading URLSearchParams takes 0.4 ms.
  const plain = pairs.flat().every((text) => /^[\w.*-]*$/.test(text))
  return `?${plain ? pairs.map((pair) => pair.join('=')).join('&') : new URLSearchParams(pairs)}`
}
