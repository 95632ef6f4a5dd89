/** Which operation a request is for. */
import type { Served } from './handler'

/** By the first word of their paths. They are loaded when one is asked for, since each takes a millisecond or two. */
const areas = new Map<string | undefined, () => Promise<{ served: readonly Served[] }>>([
  ['account', () => import('./areas/account')],
  ['networking', () => import('./areas/networking')],
  ['profile', () => import('./areas/profile')],
  ['regions', () => import('./areas/regions')],
  ['volumes', () => import('./areas/volumes')],
])

interface Route {
  /** Undefined where none of the path has this method. */
  served: Served | undefined
  /** What stands in the holes of the path. */
  parameters: ReadonlyMap<string, string>
  /** The methods that the path has. */
  allowed: readonly string[]
}

/** The words of a path, unescaped; a slash at its end adds none. */
export function wordsOf(path: string): string[] {
  return path
    .replace(/^\/|(?<!^)\/$/g, '')
    .split('/')
    .map(unescaped)
}

/** What is escaped wrongly names nothing; it stays as it is. */
function unescaped(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}

/** Undefined where there is no such path. */
export async function findRoute(method: string, words: readonly string[]): Promise<Route | undefined> {
  const { served = [] } = (await areas.get(words[0])?.()) ?? {}
  const fitting = served.flatMap((one) => {
    const parameters = parametersOf(wordsOf(one.operation.path), words)
    return parameters ? [{ served: one, parameters }] : []
  })
  // `/regions/availability` is no region.
  const fewest = Math.min(...fitting.map(({ parameters }) => parameters.size))
  const meant = fitting.filter(({ parameters }) => parameters.size === fewest)
  if (meant.length === 0) return undefined
  const found = meant.find(({ served }) => served.operation.method === method)
  const allowed = meant.map(({ served }) => served.operation.method)
  return { served: found?.served, parameters: found?.parameters ?? new Map(), allowed }
}

/** What stands in the holes of a pattern; undefined where it does not fit. */
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
