/** Checks the ownership of files. Files of other users are never read, written or waited for. */
import { closeSync, constants, fstatSync, lstatSync, openSync, type Stats } from 'node:fs'
import process from 'node:process'
import { errorCode } from './file-problem'

/** Reports a fixed problem to the user, one sentence at a time. */
export type Warn = (message: string) => void

type Owned = Pick<Stats, 'uid' | 'mode'>

/** Returns a path's status without following links; undefined if nothing exists. */
export const statusOf = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false })

/** Returns the user id of this process; undefined on Windows, where files have no mode and no numeric owner. */
const userId = () => process.geteuid?.()

/** Returns the reason why a file is foreign: it belongs to another user. Undefined for own files. */
export function foreignness({ uid }: Pick<Owned, 'uid'>): string | undefined {
  const user = userId()
  return user !== undefined && uid !== user ? `it belongs to another user (${uid})` : undefined
}

/** Reports whether other users have any permission on it. */
export function isWide({ mode }: Owned): boolean {
  return userId() !== undefined && (mode & 0o077) !== 0
}

/** Open file, or the reason why it must not be opened. */
export type Opened = { file: number; stats: Stats } | { unfit: string }

/**
 * Opens a regular file without following links or waiting on pipes. Throws system errors. The caller must close the
 * file.
 */
export function openRegular(path: string, flags: number): Opened {
  const { O_NOFOLLOW, O_NONBLOCK } = constants
  let file: number
  try {
    file = openSync(path, flags | O_NOFOLLOW | O_NONBLOCK, 0o600)
  } catch (error) {
    const unfit = whyNotOpened(path, error)
    if (unfit === undefined) throw error
    return { unfit }
  }
  const stats = fstatSync(file)
  const unfit = irregularity(stats)
  if (unfit === undefined) return { file, stats }
  closeSync(file)
  return { unfit }
}

/** Opens a regular file that must belong to this user. */
export function openOwn(path: string, flags: number): Opened {
  const opened = openRegular(path, flags)
  const unfit = 'unfit' in opened ? undefined : foreignness(opened.stats)
  if ('unfit' in opened || unfit === undefined) return opened
  closeSync(opened.file)
  return { unfit }
}

const irregular = 'it is not a regular file'

/** Returns the reason why a path is not a regular file; undefined for regular files. */
export const irregularity = (stats: Pick<Stats, 'isFile'>) => (stats.isFile() ? undefined : irregular)

/** Reasons by error code: links, folders, and pipes without a reader or sockets opened for writing. */
const unfitBy: Record<string, string> = { ELOOP: 'it is a symbolic link', EISDIR: irregular, ENXIO: irregular }

function whyNotOpened(path: string, error: unknown): string | undefined {
  const code = errorCode(error) ?? ''
  if (!['EACCES', 'EPERM'].includes(code)) return unfitBy[code]
  const stats = statusOf(path)
  return stats && foreignness(stats)
}
