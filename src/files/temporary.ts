import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** A name that nobody else chooses: 64 random bits. */
export function randomMark(): string {
  // The global is loaded when it is first used; importing node:crypto would cost every command its load time.
  return Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString('hex')
}

/** The path of something that stands beside `path` for a moment only. */
export function temporaryFor(path: string, mark = randomMark()): string {
  return `${path}.${mark}.tmp`
}

/** What killed processes left beside `path`, and what living ones are still using. */
export function temporariesOf(path: string): string[] {
  const folder = dirname(path)
  const name = basename(path)
  return readdirSync(folder)
    .filter((entry) => entry.startsWith(`${name}.`) && /\.[0-9a-f]{16}\.tmp$/.test(entry))
    .map((entry) => join(folder, entry))
}

/** Removes what killed processes left beside `path`. The caller holds the lock under which `path` is written. */
export function sweepTemporaries(path: string): void {
  for (const left of temporariesOf(path)) rmSync(left, { recursive: true, force: true })
}
