import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { Problem } from '../errors'
import { errorCode, fileProblem } from './problem'
import { sweepTemporaries, temporaryFor } from './temporary'

/**
 * Replaces a file in one step, readable for its owner only whatever the umask. When it returns, the bytes are on the
 * disk; when it throws (Problem `local`), the old file is as it was and nothing is left beside it. What a killed run has
 * left there is swept.
 */
export function writePrivately(path: string, content: string | Uint8Array): void {
  const bytes = Buffer.from(content)
  const draft = temporaryFor(path)
  try {
    writeDraft(draft, bytes)
    renameSync(draft, path)
    syncFolder(dirname(path))
  } catch (error) {
    removeDraft(draft)
    throw fileProblem('write', path, error)
  }
  if (!bytes.equals(readFileSync(path))) {
    throw new Problem('local', `cannot write ${path}: it does not read back as it was written`)
  }
  sweepTemporaries(path, { onlyOld: true })
}

/** What was not there to be written is not there to be removed, and that it cannot be is not what went wrong. */
function removeDraft(path: string): void {
  try {
    rmSync(path)
  } catch {
    // The next writer sweeps it.
  }
}

function writeDraft(path: string, bytes: Uint8Array): void {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
  const file = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    fchmodSync(file, 0o600)
    writeFileSync(file, bytes)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Makes the names in a folder durable, where the system can: Windows does not open folders. */
export function syncFolder(path: string): void {
  try {
    const folder = openSync(path, 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  } catch (error) {
    if (!['EISDIR', 'EPERM', 'EINVAL', 'EACCES'].includes(errorCode(error) ?? '')) throw error
  }
}
