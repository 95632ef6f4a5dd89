/** Counts of requests, and changes to the pages that the service answers, for tests of look-ups in lists. */
import { isRecord } from '../../src/rules/records'
import type { ProxyHooks } from './proxy'
import type { Fixtures } from './skyctl'

export interface Page<T> {
  data: T[]
  results: number
  pages: number
}

/** Counts the requests of each kind: `{ 'GET /volumes': 1, 'DELETE /volumes/ID': 20 }`. */
export function countRequests(world: Fixtures['world']): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { method, path } of world.requests()) {
    const kind = `${method} ${path.replace(/\?.*/, '').replace(/\/\d[^/]*/, '/ID')}`
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  return counts
}

/** Changes the pages that the service answers, and no other answer. */
export const withPages = <T>(change: (page: Page<T>) => Page<T>): ProxyHooks => ({
  change: (body) => (isPage<T>(body) ? change(body) : body),
})

const isPage = <T>(body: unknown): body is Page<T> => isRecord(body) && Array.isArray(body.data)

/** Returns the page without the records that `isLeftOut` selects. */
export function pageWithout<T>(page: Page<T>, isLeftOut: (record: T) => boolean): Page<T> {
  const data = page.data.filter((record) => !isLeftOut(record))
  return { ...page, data, results: page.results - page.data.length + data.length }
}
