/**
 * Writes the code cache that code-cache.ts reads, under the same rules. Loaded only in runs that compiled something.
 */
import { lstatSync, mkdirSync, readdirSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { Script } from 'node:vm'
import { usualHeap } from '../data/memory-limits'
import { makeFolder } from '../files/folder'
import { replaceByDraft, sweepFolder } from '../files/temporary'
import { isOnlyWrittenBy } from '../files/trust'

interface CacheFolders {
  /** Parent of the cache folder; may not exist. */
  above: string
  /** Returns the cache folder and the folders in it, down to the one of this build; requires `above`. */
  folders(): string[]
  /** Returns the last of these folders if it can be trusted. */
  trusted(): string | undefined
  user: number | undefined
}

/**
 * Saves the compiled code of these files, by name. It creates `mark` first. If another process does the same or the
 * disk is full, that fails before anything is serialized. Throws all errors.
 */
export function keepCode(
  scripts: ReadonlyMap<string, Script>,
  { place, mark }: { place: CacheFolders; mark?: string },
): void {
  const folder = place.trusted() ?? createFolder(place)
  if (!folder) return
  if (mark) writeFileSync(join(folder, mark), '', { mode: 0o600, flag: 'wx' })
  write(folder, scripts)
}

/** Creates the folder if it can be trusted, and then removes folders of old builds. */
function createFolder({ above, folders, trusted, user }: CacheFolders): string | undefined {
  makeFolder(above)
  for (const folder of folders()) {
    if (user !== undefined && !isOnlyWrittenBy(user, dirname(folder))) return undefined
    if (!lstatSync(folder, { throwIfNoEntry: false })) mkdirSync(folder, { mode: 0o700 })
  }
  const folder = trusted()
  if (folder) removeOldBuilds(dirname(folder))
  return folder
}

function write(folder: string, scripts: ReadonlyMap<string, Script>): void {
  for (const flag of usualHeap) setFlagsFromString(flag)
  for (const [name, script] of scripts) {
    const data = script.createCachedData()
    replaceByDraft(join(folder, name), (draft) => {
      writeFileSync(draft, Buffer.concat([data, data]), { mode: 0o600, flag: 'wx' })
    })
  }
  sweepFolder(folder)
}

/** Long enough for two versions that are used side by side. */
const oldAfterMs = 30 * 24 * 3600 * 1000
const buildName = /^[0-9a-f]{16}-v[\w.-]+$/
const fileName = /^([\w-]+\.js(\.\w+){0,2}|\w+\.seen)$/

/** Removes only folders and files with names that skyctl writes. */
function removeOldBuilds(folder: string): void {
  for (const build of readdirSync(folder).filter((name) => buildName.test(name))) {
    const path = join(folder, build)
    const stats = lstatSync(path)
    if (stats.isDirectory() && Date.now() - stats.mtimeMs > oldAfterMs) removeBuild(path)
  }
}

function removeBuild(folder: string): void {
  try {
    for (const file of readdirSync(folder).filter((name) => fileName.test(name))) unlinkSync(join(folder, file))
    rmdirSync(folder)
  } catch {
    // The folder has other files.
  }
}
