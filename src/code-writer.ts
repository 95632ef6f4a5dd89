/** Writes what code-cache.ts reads, under the same rules: loaded only where a run has compiled something. */
import { lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Script } from 'node:vm'
import { makeFolder } from './files/folder'
import { sweepFolder, temporaryFor } from './files/temporary'
import { isOnlyWrittenBy } from './files/trust'

interface Place {
  /** The folder that the cache folder stands in; it may not be there. */
  above: string
  /** The cache folder, and those in it down to that of this build; `above` is there. */
  folders(): string[]
  /** The last of them, where it can be trusted. */
  trusted(): string | undefined
  user: number | undefined
}

/**
 * Keeps what V8 made of these files, by their names. A `mark` is made first: whoever else is about to do the same then
 * fails, and so does a disk that is full, before anything is serialised. Throws whatever goes wrong.
 */
export function keepCode(scripts: ReadonlyMap<string, Script>, { place, mark }: { place: Place; mark?: string }): void {
  const folder = place.trusted() ?? made(place)
  if (!folder) return
  if (mark) writeFileSync(join(folder, mark), '', { mode: 0o600, flag: 'wx' })
  write(folder, scripts)
}

/** Makes it where it can be trusted, and then removes what builds have left that are used no more. */
function made({ above, folders, trusted, user }: Place): string | undefined {
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
  for (const [name, script] of scripts) {
    const draft = temporaryFor(join(folder, name))
    const data = script.createCachedData()
    writeFileSync(draft, Buffer.concat([data, data]), { mode: 0o600, flag: 'wx' })
    renameSync(draft, join(folder, name))
  }
  sweepFolder(folder)
}

/** Two versions may be in use side by side. */
const oldAfterMs = 30 * 24 * 3600 * 1000
const buildName = /^[0-9a-f]{16}-v[\w.-]+$/
const fileName = /^([\w-]+\.js(\.\w+){0,2}|\w+\.seen)$/

/** Removes by name what we write, and nothing else. */
function removeOldBuilds(folder: string): void {
  for (const build of readdirSync(folder).filter((name) => buildName.test(name))) {
    const path = join(folder, build)
    const found = lstatSync(path)
    if (found.isDirectory() && Date.now() - found.mtimeMs > oldAfterMs) removeBuild(path)
  }
}

function removeBuild(folder: string): void {
  try {
    for (const file of readdirSync(folder).filter((name) => fileName.test(name))) unlinkSync(join(folder, file))
    rmdirSync(folder)
  } catch {
    // Something else stands in it.
  }
}
