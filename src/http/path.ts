/** Paths of requests: what is sent is what was meant, and nothing that a URL parser would read otherwise. */
import { filledPath, parametersOf } from '../catalogue/operation'
import { Problem } from '../errors'
import { addressFamily } from '../rules/address-syntax'
import { isRegionId, parseId } from '../rules/ids'

/** What may stand in a hole; every other hole takes an id. */
const grammars: Readonly<Record<string, (text: string) => boolean>> = {
  regionId: isRegionId,
  address: isAddress,
  range: isAddress,
}

/**
 * Fills the holes of an operation's path: `/volumes/{volumeId}` with 123 is `/volumes/123`. Throws `usage` where a value breaks the grammar of its hole.
 */
export function fillPath(template: string, values: Readonly<Record<string, string | number>>): string {
  for (const name of parametersOf(template)) {
    const text = String(values[name] ?? '')
    const fits = grammars[name] ?? isId
    if (!fits(text)) throw new Problem('usage', `${name}: "${text}" is not valid`)
  }
  return filledPath(template, values)
}

/** The part of a filled path that names an object: `/volumes/12` of `/volumes/12/detach`; undefined where none is named. */
export function objectPath(template: string, path: string): string | undefined {
  const last = template.split('/').findLastIndex((part) => part.startsWith('{'))
  return last < 0
    ? undefined
    : path
        .split('/')
        .slice(0, last + 1)
        .join('/')
}

function isAddress(text: string): boolean {
  return addressFamily(text) !== undefined
}

function isId(text: string): boolean {
  return parseId(text) !== undefined
}

/** RFC 3986, `path-absolute` and what may follow it. */
const plainPath = /^(?:\/(?:[\w\-.~!$&'()*+,;=:@]|%[0-9a-f]{2})*)+$/i

/**
 * Throws `usage` where a path, with its query, is not plain, or names another place than it seems to (`..`, also as
 * `%2e%2e`): a token would go where it does not belong.
 */
export function expectPath(path: string): void {
  const [written = ''] = path.split('?', 1)
  const service = 'http://localhost'
  const url = plainPath.test(written) && !path.includes('#') ? new URL(path, service) : undefined
  if (url?.origin === service && url.pathname === written) return
  throw new Problem('usage', `"${path}" is not a path of the service`, {
    hint: 'Write it relative to the base URL, percent-encoded, such as /volumes?page=2',
  })
}

/** The path and query below the base URL, as they go on the wire; throws as `expectPath` does. */
export function wirePath(baseUrl: string, path: string): string {
  expectPath(path)
  const [written = ''] = path.split('?', 1)
  return written + new URL(baseUrl + path).search
}

/** `?page=2&page_size=100`, or nothing where there are no values. */
export function queryText(values: Readonly<Record<string, string | number | boolean>> = {}): string {
  const pairs = Object.entries(values).map(([key, value]): [string, string] => [key, String(value)])
  if (pairs.length === 0) return ''
  // Numbers of pages need no escape, and what makes one takes 0.4 ms to load.
  const plain = pairs.flat().every((text) => /^[\w.*-]*$/.test(text))
  return `?${plain ? pairs.map((pair) => pair.join('=')).join('&') : new URLSearchParams(pairs)}`
}
