/** Finds the operation for a request. */
import type { Served } from './handler'

/** Operations by the first segment of their path. They are loaded on demand, because each takes 1 or 2 ms. */
const handlers = new Map<string | undefined, () => Promise<{ served: readonly Served[] }>>([
  ['account', () => import('./handlers/account')],
  ['networking', () => import('./handlers/networking/index')],
  ['profile', () => import('./handlers/profile/index')],
  ['regions', () => import('./handlers/regions')],
  ['volumes', () => import('./handlers/volumes')],
])

interface Route {
  /** Operation and path parameters by name; undefined if the path has no such method. */
  match: { served: Served; parameters: ReadonlyMap<string, string> } | undefined
  /** Methods that the path supports. */
  allowed: readonly string[]
}

/** Splits a path into decoded segments, ignoring a trailing slash. */
export function wordsOf(path: string): string[] {
  return path
    .replace(/^\/|(?<!^)\/$/g, '')
    .split('/')
    .map(unescaped)
}

/** Decodes a segment; an invalid escape stays as it is and matches nothing. */
function unescaped(word: string): string {
  if (!word.includes('%')) return word
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}

/** Finds the route; undefined if the path does not exist. */
export async function findRoute(method: string, words: readonly string[]): Promise<Route | undefined> {
  const { served = [] } = (await handlers.get(words[0])?.()) ?? {}
  const fitting = served.flatMap((one) => {
    const parameters = parametersOf(patternOf(one), words)
    return parameters ? [{ served: one, parameters }] : []
  })
  // The pattern with the fewest parameters wins: `/regions/availability` is not a region.
  const fewest = Math.min(...fitting.map(({ parameters }) => parameters.size))
  const matches = fitting.filter(({ parameters }) => parameters.size === fewest)
  if (matches.length === 0) return undefined
  const match = matches.find(({ served }) => served.operation.method === method)
  const allowed = matches.map(({ served }) => served.operation.method)
  return { match, allowed }
}

/** Segments of the paths of operations; splitting those of a group takes longer than a match. */
const patterns = new Map<Served, readonly string[]>()

function patternOf(served: Served): readonly string[] {
  const pattern = patterns.get(served) ?? wordsOf(served.operation.path)
  patterns.set(served, pattern)
  return pattern
}

/** Matches a path against a pattern and returns its parameters; undefined if it does not match. */
function parametersOf(pattern: readonly string[], words: readonly string[]): Map<string, string> | undefined {
  if (pattern.length !== words.length) return undefined
  const parameters = new Map<string, string>()
  for (const [index, expected] of pattern.entries()) {
    const word = words[index] ?? ''
    const [, name] = /^\{(\w+)\}$/.exec(expected) ?? []
    if (name === undefined ? expected !== word : word === '') return undefined
    if (name !== undefined) parameters.set(name, word)
  }
  return parameters
}
