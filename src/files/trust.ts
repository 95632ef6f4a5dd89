/** Checks whether other users can replace a folder's content. Modes have no meaning on Windows. */
import { lstatSync } from 'node:fs'
import { dirname } from 'node:path'

const writableByOthers = 0o022
const sticky = 0o1000

/**
 * Reports whether only this user and root can write to a folder or replace it. `folder` must be resolved with
 * `realpath`. False if it does not exist; never throws.
 */
export function isOnlyWrittenBy(user: number, folder: string): boolean {
  if (!isKeptBy(user, folder)) return false
  // A parent folder may be shared, like /tmp, if only owners can replace its entries (sticky bit).
  for (let path = dirname(folder); ; path = dirname(path)) {
    if (!isKeptBy(user, path, sticky)) return false
    if (path === dirname(path)) return true
  }
}

/** Reports whether a path is a folder of the user or root, not a link, and not writable by others. */
function isKeptBy(user: number, path: string, allowed = 0): boolean {
  try {
    const stats = lstatSync(path)
    if (!stats.isDirectory() || (stats.uid !== user && stats.uid !== 0)) return false
    return (stats.mode & writableByOthers) === 0 || (stats.mode & allowed) !== 0
  } catch {
    // It does not exist, or cannot be read.
    return false
  }
}
