/** Whose a file is. Nothing that another user may have put there is read, written to or waited for. */
import { closeSync, constants, fstatSync, lstatSync, openSync, type Stats } from 'node:fs'
import { errorCode } from './problem'
import { userId } from './self'

/** Tells the user what was found wrong and repaired, a sentence at a time. */
export type Warn = (message: string) => void

type Owned = Pick<Stats, 'uid' | 'mode'>

/** What stands at a path, no link followed; undefined where nothing does. */
export const statusOf = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false })

/** What to tell of what belongs to another user; undefined for one's own. */
export function foreignness({ uid }: Pick<Owned, 'uid'>): string | undefined {
  const user = userId()
  return user !== undefined && uid !== user ? `it belongs to another user (${uid})` : undefined
}

/** Whether others may do anything with it. */
export function isWide({ mode }: Owned): boolean {
  return userId() !== undefined && (mode & 0o077) !== 0
}

/** A file that is open, or why it is not to be. */
export type Opened = { file: number; stats: Stats } | { unfit: string }

/**
 * Opens what must be a regular file: no link is followed, and no pipe waits for its other end. Throws what the system
 * says; what was opened is the caller's to close.
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

/** The same for what must be one's own. */
export function openOwn(path: string, flags: number): Opened {
  const opened = openRegular(path, flags)
  const unfit = 'unfit' in opened ? undefined : foreignness(opened.stats)
  if ('unfit' in opened || unfit === undefined) return opened
  closeSync(opened.file)
  return { unfit }
}

const irregular = 'it is no regular file'

/** What to tell of a folder, a pipe, a socket or a device; undefined for a file. */
export const irregularity = (stats: Pick<Stats, 'isFile'>) => (stats.isFile() ? undefined : irregular)

/** By the code of the failed call: of a folder, and of a pipe that nobody reads or a socket that is to be written to. */
const unfitBy: Record<string, string> = { ELOOP: 'it is a symbolic link', EISDIR: irregular, ENXIO: irregular }

function whyNotOpened(path: string, error: unknown): string | undefined {
  const code = errorCode(error) ?? ''
  if (!['EACCES', 'EPERM'].includes(code)) return unfitBy[code]
  const stats = statusOf(path)
  return stats && foreignness(stats)
}
