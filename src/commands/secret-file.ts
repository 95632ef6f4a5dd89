/** Writes files for one-time secrets. */
import { accessSync, closeSync, constants, lstatSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Flag, Flags } from '../engine/command'
import { newFileFlag } from '../engine/flag-values'
import { ifPossible, Problem } from '../errors'
import { withoutByteOrderMark } from '../files/byte-order-mark'
import { attempt } from '../files/file-problem'
import { openRegular } from '../files/ownership'
import { temporaryFor } from '../files/temporary'

export const forceFlag: Flag = { name: 'force', description: 'Replace an existing file' }

/**
 * Returns the file for a secret; undefined without the flag. Throws `local`, before the secret is created, if the file
 * is not writable or already exists.
 */
export function secretFile(flags: Flags, flag: string): string | undefined {
  const path = writableFile(flags, flag)
  if (path !== undefined) expectReplaceable(path, flags)
  return path
}

/** Returns the file, whether it exists or not; throws `local` if it is not writable. */
export function writableFile(flags: Flags, flag: string): string | undefined {
  const path = newFileFlag(flags, flag)
  if (path !== undefined) checkSecretFile(path)
  return path
}

/** The secret that a new one replaces; a file with it may be overwritten. */
export interface Predecessor {
  /** Name in messages: `token "deploy" (12)`. */
  name: string
  isIn(text: string): boolean
}

/**
 * Throws `local` if a file exists that does not have the predecessor, unless --force is set. An empty one is what a shell
 * leaves of `> FILE`.
 */
export function expectReplaceable(path: string, { force }: Flags, predecessor?: Predecessor): void {
  if (!checkSecretFile(path) || force) return
  if (predecessor ? predecessor.isIn(earlierText(path)) : statSync(path).size === 0) return
  const what = predecessor ? ` and does not hold ${predecessor.name}` : ''
  throw new Problem('local', `"${path}" already exists${what}`, {
    hint: 'Name another file, or add --force to replace it',
  })
}

/** Returns the text of a file that is written again; empty if it is unreadable, or larger than such a file can be. */
export function earlierText(path: string, most = mostToRewrite): string {
  return ifPossible(() => readBounded(path, most)) ?? ''
}

function readBounded(path: string, most: number): string {
  return attempt('read', path, () => {
    const opened = openRegular(path, constants.O_RDONLY)
    if ('unfit' in opened) return ''
    try {
      return opened.stats.size > most ? '' : withoutByteOrderMark(readFileSync(opened.file, 'utf8'))
    } finally {
      closeSync(opened.file)
    }
  })
}

/** Reports whether the file exists; throws `local` if it could not be written. */
function checkSecretFile(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats && !stats.isFile()) throw new Problem('local', `cannot write "${path}": it is not a regular file`)
  const folder = dirname(resolve(path))
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new Problem('local', `cannot write "${path}": its folder cannot be written to`, { cause: error })
  }
  return stats !== undefined
}

/** Maximum size in bytes of a file to read, or to rewrite as a test. */
const mostToRewrite = 64 * 1024

/**
 * Verifies that a secret can be written, by writing: a full disk or a mounted file cannot be detected otherwise. The
 * content of the file stays. Throws `local`.
 */
export async function proveSecretFile(path: string): Promise<void> {
  const { writePrivately } = await import('../files/write')
  const file = resolve(path)
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (stats && stats.size <= mostToRewrite) return writePrivately(file, readFileSync(file))
  const draft = temporaryFor(file)
  writePrivately(draft, 'x'.repeat(1024))
  rmSync(draft)
}

/** Writes a line that only its owner can read (mode 0600). Throws `local`; then the old file is unchanged. */
export async function writeSecret(path: string, secret: string): Promise<void> {
  const { writePrivately } = await import('../files/write')
  writePrivately(resolve(path), `${secret}\n`)
}
