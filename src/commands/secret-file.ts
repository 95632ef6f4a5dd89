/** Files for secrets that the service shows once. */
import { accessSync, constants, lstatSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Flag, Flags } from '../engine/command'
import { textFlag } from '../engine/flag-values'
import { Problem } from '../errors'

export const forceFlag: Flag = { name: 'force', description: 'Replace the file where there is one already' }

/**
 * The file that a flag names for a secret; undefined where it names none. Refuses, before the secret is made, what it
 * could not be written to, and what stands there unless `replace` or --force allows to lose it. Throws `local`.
 */
export async function secretFile(flags: Flags, flag: string, { replace = false } = {}): Promise<string | undefined> {
  const path = textFlag(flags, flag)
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

/** Writes a line that only its owner can read (mode 0600). Throws `local`; the old file is then as it was. */
export async function writeSecret(path: string, secret: string): Promise<void> {
  const { writePrivately } = await import('../files/write')
  writePrivately(resolve(path), `${secret}\n`)
}
