import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { foreignness, statusOf } from './own'

/** A name that nobody else chooses: 64 random bits. */
export function randomMark(): string {
  // The global is loaded when it is first used; importing node:crypto would cost every command its load time.
  return Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString('hex')
}

/** The path of something that stands beside `path` for a moment only. */
export function temporaryFor(path: string, mark = randomMark()): string {
  return `${path}.${mark}.tmp`
}

const isTemporary = (name: string) => /\.[0-9a-f]{16}\.tmp$/.test(name)

/** What killed processes left beside `path`, and what living ones are still using. */
export function temporariesOf(path: string): string[] {
  return temporariesIn(dirname(path)).filter((entry) => basename(entry).startsWith(`${basename(path)}.`))
}

function temporariesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter(isTemporary)
    .map((entry) => join(folder, entry))
}

/** What is older is nobody's any more: a file is written in a moment. */
const oldAfterMs = 3_600_000

/**
 * Removes what killed processes left beside `path`: all of it where the caller holds the lock under which that is
 * written, else what is old. What another user owns stays.
 */
export function sweepTemporaries(path: string, { onlyOld = false } = {}): void {
  for (const left of temporariesOf(path)) sweep(left, onlyOld)
}

/** The same for what is old in a folder that is ours. */
export function sweepFolder(folder: string): void {
  for (const left of temporariesIn(folder)) sweep(left, true)
}

function sweep(path: string, onlyOld: boolean): void {
  const found = statusOf(path)
  if (!found || foreignness(found) !== undefined) return
  if (!onlyOld || Date.now() - found.mtimeMs > oldAfterMs) rmSync(path, { recursive: true, force: true })
}
