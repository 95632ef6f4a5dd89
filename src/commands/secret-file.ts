/** Files for secrets that the service shows once. */
import { accessSync, constants, lstatSync, readFileSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Flag, Flags } from '../engine/command'
import { newFileFlag } from '../engine/flag-values'
import { Problem } from '../errors'
import { temporaryFor } from '../files/temporary'

export const forceFlag: Flag = { name: 'force', description: 'Replace the file where there is one already' }

/**
 * The file that a flag names for a secret; undefined where it names none. Refuses, before the secret is made, what it
 * could not be written to, and what stands there unless `replace` or --force allows to lose it. Throws `local`.
 */
export async function secretFile(flags: Flags, flag: string, { replace = false } = {}): Promise<string | undefined> {
  const path = newFileFlag(flags, flag)
  if (path === undefined) return undefined
  const stands = await checkSecretFile(path)
  if (!stands || replace || flags.force) return path
  throw new Problem('local', `"${path}" exists already`, { hint: 'Name another file, or add --force to replace it' })
}

/** Whether there is such a file; throws `local` where none could be written. */
async function checkSecretFile(path: string): Promise<boolean> {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found && !found.isFile()) throw new Problem('local', `cannot write "${path}": it is no regular file`)
  const folder = dirname(resolve(path))
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new Problem('local', `cannot write "${path}": its folder cannot be written to`, { cause: error })
  }
  return found !== undefined
}

/** Of a file that is written once more to see whether it can be. */
const mostToRewrite = 64 * 1024

/**
 * Proves that a secret can be written, by writing: a full disk, or a file that is mounted by itself, show no earlier.
 * What stands in the file stays. Throws `local`.
 */
export async function proveSecretFile(path: string): Promise<void> {
  const { writePrivately } = await import('../files/write')
  const file = resolve(path)
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found && found.size <= mostToRewrite) return writePrivately(file, readFileSync(file))
  const draft = temporaryFor(file)
  writePrivately(draft, 'x'.repeat(1024))
  rmSync(draft)
}

/** Writes a line that only its owner can read (mode 0600). Throws `local`; the old file is then as it was. */
export async function writeSecret(path: string, secret: string): Promise<void> {
  const { writePrivately } = await import('../files/write')
  writePrivately(resolve(path), `${secret}\n`)
}
