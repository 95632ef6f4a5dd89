/** Files for secrets that the service shows once. */
import { accessSync, closeSync, constants, lstatSync, readFileSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Flag, Flags } from '../engine/command'
import { newFileFlag } from '../engine/flag-values'
import { ifPossible, Problem } from '../errors'
import { openRegular } from '../files/own'
import { fileProblem } from '../files/problem'
import { temporaryFor } from '../files/temporary'
import { withoutMark } from '../files/text'

export const forceFlag: Flag = { name: 'force', description: 'Replace the file where there is one already' }

/**
 * The file that a flag names for a secret; undefined where it names none. Refuses, before the secret is created, a file
 * that could not be written and one that exists. Throws `local`.
 */
export async function secretFile(flags: Flags, flag: string): Promise<string | undefined> {
  const path = writableFile(flags, flag)
  if (path !== undefined) expectReplaceable(path, flags)
  return path
}

/** The same file, whatever it holds. */
export function writableFile(flags: Flags, flag: string): string | undefined {
  const path = newFileFlag(flags, flag)
  if (path !== undefined) checkSecretFile(path)
  return path
}

/** The secret that a new one replaces: a file that holds it may be replaced, too. */
export interface Predecessor {
  /** As messages name it: `token "deploy" (12)`. */
  name: string
  isIn(text: string): boolean
}

/** Throws `local` where a file exists that holds anything but the predecessor, unless --force allows to lose it. */
export function expectReplaceable(path: string, { force }: Flags, predecessor?: Predecessor): void {
  if (!checkSecretFile(path) || force || predecessor?.isIn(startOf(path))) return
  const what = predecessor ? ` and does not hold ${predecessor.name}` : ''
  throw new Problem('local', `"${path}" exists already${what}`, {
    hint: 'Name another file, or add --force to replace it',
  })
}

/** More than a secret takes; a file that cannot be read holds none. */
function startOf(path: string): string {
  return ifPossible(() => readBounded(path)) ?? ''
}

function readBounded(path: string): string {
  try {
    const opened = openRegular(path, constants.O_RDONLY)
    if ('unfit' in opened) return ''
    try {
      return opened.stats.size > mostToRewrite ? '' : withoutMark(readFileSync(opened.file, 'utf8'))
    } finally {
      closeSync(opened.file)
    }
  } catch (error) {
    throw fileProblem('read', path, error)
  }
}

/** Whether there is such a file; throws `local` where none could be written. */
function checkSecretFile(path: string): boolean {
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

/** In bytes, of a file that is read, or written once more to see whether it can be. */
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
