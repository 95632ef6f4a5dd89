/** Whether what stands in a folder can have been put there by another user. Modes mean nothing on Windows. */
import { lstatSync } from 'node:fs'
import { dirname } from 'node:path'

const writableByOthers = 0o022
const sticky = 0o1000

/**
 * Whether nobody but the user, and root, can put anything into a folder, or another in its place. `folder` is as
 * `realpath` gives it; false also where it is not there. Throws nothing.
 */
export function isOnlyWrittenBy(user: number, folder: string): boolean {
  if (!isKeptBy(user, folder)) return false
  // A folder above may be shared, like /tmp, as long as only its owner can replace what stands in it.
  for (let path = dirname(folder); ; path = dirname(path)) {
    if (!isKeptBy(user, path, sticky)) return false
    if (path === dirname(path)) return true
  }
}

/** Whether a path is a folder, and no link, of the user or root, which others cannot write to. */
function isKeptBy(user: number, path: string, allowed = 0): boolean {
  try {
    const found = lstatSync(path)
    if (!found.isDirectory() || (found.uid !== user && found.uid !== 0)) return false
    return (found.mode & writableByOthers) === 0 || (found.mode & allowed) !== 0
  } catch {
    // It is not there, or nobody may look.
    return false
  }
}
