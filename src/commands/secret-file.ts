/** Files for secrets that the service shows once. */
import { accessSync, constants, lstatSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Problem } from '../errors'

/** Refuses, before the secret is made, what it could not be written to. Throws `local`. */
export async function checkSecretFile(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found && !found.isFile()) throw new Problem('local', `cannot write "${path}": it is no regular file`)
  const folder = dirname(resolve(path))
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new Problem('local', `cannot write "${path}": its folder cannot be written to`, { cause: error })
  }
}

/** Writes a line that only its owner can read (mode 0600). Throws `local`; the old file is then as it was. */
export async function writeSecret(path: string, secret: string): Promise<void> {
  const { writePrivately } = await import('../files/write')
  writePrivately(resolve(path), `${secret}\n`)
}
