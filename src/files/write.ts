import { closeSync, constants, openSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Problem } from '../errors'
import { setMode, syncFile } from './descriptors'
import { attempt, errorCode } from './file-problem'
import { replaceByDraft, sweepTemporaries } from './temporary'

/**
 * Replaces a file atomically, readable by its owner only, regardless of the umask. On return, the data is on disk. On
 * error (Problem `local`), the old file is unchanged and no other file is left. Leftovers of killed processes are
 * removed.
 */
export const writePrivately = (path: string, content: string | Uint8Array): void => replaceFile(path, content, 0o600)

/** Replaces a file in the same way, with the permissions of `mode`. */
export function replaceFile(path: string, content: string | Uint8Array, mode: number): void {
  const bytes = Buffer.from(content)
  attempt('write', path, () => {
    replaceByDraft(path, (draft) => writeDraft(draft, bytes, mode))
    syncFolder(dirname(path))
  })
  if (!bytes.equals(readFileSync(path))) {
    throw new Problem('local', `cannot write ${path}: it does not read back as it was written`)
  }
  sweepTemporaries(path, { onlyOld: true })
}

function writeDraft(path: string, bytes: Uint8Array, mode: number): void {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
  const file = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    setMode({ file, path }, mode)
    writeFileSync(file, bytes)
    syncFile(file)
  } finally {
    closeSync(file)
  }
}

/** Makes a folder's entries durable, if the system supports it: Windows cannot open folders. */
export function syncFolder(path: string): void {
  try {
    const folder = openSync(path, 'r')
    try {
      syncFile(folder)
    } finally {
      closeSync(folder)
    }
  } catch (error) {
    if (!['EISDIR', 'EPERM', 'EINVAL', 'EACCES'].includes(errorCode(error) ?? '')) throw error
  }
}
