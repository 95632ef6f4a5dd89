/** A token that occurs nowhere else, and a search for it in everything that a run wrote. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { World } from './sandbox'
import type { Result } from './skyctl'

/** A unique token in the format of the sandbox. */
export const canary = `facade00${'0ddba11c'.repeat(7)}`

/** Adds the canary to the owner's tokens. */
export function plantCanary(world: World): void {
  const { created } = world.volume()
  world.tokens.put({
    id: 9999,
    label: 'canary',
    token: canary,
    user: 1,
    app: null,
    scopes: '*',
    created,
    expiry: null,
  })
}

export interface Run extends Result {
  /** Path and content of the files below the folders for contexts, state and cache. */
  files: { path: string; text: string }[]
}

export function filesBelow(home: string): Run['files'] {
  return (readdirSync(home, { recursive: true }) as string[])
    .filter((path) => path !== 'secret' && statSync(join(home, path)).isFile())
    .map((path) => ({ path, text: readFileSync(join(home, path), 'utf8') }))
}

/** Returns a text as it is, as JSON, URL-encoded, and in base64 at any offset of a longer text. */
export function formsOf(secret: string): string[] {
  const inner = [0, 1, 2]
    .map((before) =>
      Buffer.from(' '.repeat(before) + secret)
        .toString('base64')
        .slice(4, -4),
    )
    // Too little remains of a short secret to search for.
    .filter((text) => text.length > 5)
  const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...inner]
  return [...new Set([...forms, ...inner.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))])]
}

/** Returns where a secret occurs: `stdout`, `stderr`, or the path of a file. */
export function places(secret: string, { stdout, stderr, files }: Run): string[] {
  const written = [{ path: 'stdout', text: stdout }, { path: 'stderr', text: stderr }, ...files]
  return written.filter(({ text }) => formsOf(secret).some((form) => text.includes(form))).map(({ path }) => path)
}
