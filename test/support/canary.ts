/** A token that stands nowhere else, and a search for it in all that a run wrote. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { World } from './sandbox'
import type { Result } from './skyctl'

/** As the sandbox writes its tokens, with a text that stands nowhere else. */
export const canary = `facade00${'0ddba11c'.repeat(7)}`

/** It is the owner's from now on. */
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
  /** Below the folders for contexts, state and cache: path and content. */
  files: { path: string; text: string }[]
}

export function filesBelow(home: string): Run['files'] {
  return (readdirSync(home, { recursive: true }) as string[])
    .filter((path) => path !== 'secret' && statSync(join(home, path)).isFile())
    .map((path) => ({ path, text: readFileSync(join(home, path), 'utf8') }))
}

/** A text as it may be found: as it is, in a URL, and in base64, wherever in a longer text it begins. */
export function formsOf(secret: string): string[] {
  const inner = [0, 1, 2]
    .map((before) =>
      Buffer.from(' '.repeat(before) + secret)
        .toString('base64')
        .slice(4, -4),
    )
    // Of a short secret too little is left to be found by.
    .filter((text) => text.length > 5)
  const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...inner]
  return [...new Set([...forms, ...inner.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))])]
}

/** Where a secret stands: `stdout`, `stderr`, or the path of a file. */
export function places(secret: string, { stdout, stderr, files }: Run): string[] {
  const written = [{ path: 'stdout', text: stdout }, { path: 'stderr', text: stderr }, ...files]
  return written.filter(({ text }) => formsOf(secret).some((form) => text.includes(form))).map(({ path }) => path)
}
