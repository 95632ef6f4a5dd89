import { readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { foreignness, statusOf } from './ownership'

/** Returns a unique name of 64 random bits. */
export function randomMark(): string {
  // The global loads on first use; importing node:crypto would delay every command. Node draws the bytes of 128 at once; to
  // draw 8 bytes takes 0.1 ms. Both ends are random, and the middle has a version.
  const uuid = crypto.randomUUID()
  return uuid.slice(0, 8) + uuid.slice(-8)
}

/** Returns the path of a short-lived file next to `path`. */
export function temporaryFor(path: string, mark = randomMark()): string {
  return `${path}.${mark}.tmp`
}

/** Replaces a file by a draft that `write` creates. On error, neither file is left changed: the draft is removed. */
export function replaceByDraft(path: string, write: (draft: string) => void): void {
  const draft = temporaryFor(path)
  try {
    write(draft)
    renameSync(draft, path)
  } catch (error) {
    removeDraft(draft)
    throw error
  }
}

/** Removes a draft. Errors are ignored: the draft may never have been created, and the write error matters more. */
function removeDraft(path: string): void {
  try {
    rmSync(path)
  } catch {
    // The next writer removes it.
  }
}

const isTemporary = (name: string) => /\.[0-9a-f]{16}\.tmp$/.test(name)

/** Lists temporary files next to `path`, of killed and running processes. */
export function temporariesOf(path: string): string[] {
  return temporariesIn(dirname(path)).filter((entry) => basename(entry).startsWith(`${basename(path)}.`))
}

function temporariesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter(isTemporary)
    .map((entry) => join(folder, entry))
}

/** Age from which a temporary file is abandoned: writing takes moments. */
const oldAfterMs = 3_600_000

/**
 * Removes temporary files that killed processes left next to `path`. A caller that holds their lock removes all of
 * them; otherwise only old ones are removed. Other users' files are left unchanged.
 */
export function sweepTemporaries(path: string, { onlyOld = false } = {}): void {
  for (const left of temporariesOf(path)) sweep(left, onlyOld)
}

/** Removes old temporary files from one of skyctl's folders. */
export function sweepFolder(folder: string): void {
  for (const left of temporariesIn(folder)) sweep(left, true)
}

function sweep(path: string, onlyOld: boolean): void {
  const stats = statusOf(path)
  if (!stats || foreignness(stats) !== undefined) return
  if (!onlyOld || Date.now() - stats.mtimeMs > oldAfterMs) rmSync(path, { recursive: true, force: true })
}
