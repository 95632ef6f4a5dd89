/**
 * Loads the files of dist/ with a V8 code cache from an earlier run. That saves 20 of the 70 ms of a list on Node 20.
 * It can be removed when every supported Node has a cache that saves as much. The end of Node 20, which has none, is
 * not enough: `module.enableCompileCache()` saves 9 ms of the CPU time of a list on Node 22.23 and 21 ms on 24.21. This
 * cache saves 32 and 48 ms.
 *
 * The cache contains code. So skyctl reads it only if nobody but the user can have written it, up to the root of the
 * file system. Build and V8 must be the same that wrote it. skyctl removes only files with its own names. After any
 * error, it compiles the files as if there were no cache. V8 does not check code for damage, and crashes. So each file
 * has the code twice, which takes 0.2 ms to compare (a checksum takes 2 ms, to load zlib).
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync, type Stats } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { configPaths } from '../config/paths'
import { smallHeap, usualHeap } from '../data/memory-limits'
import { isOnlyWrittenBy } from '../files/trust'
import { tryOrUndefined } from '../rules/try-or-undefined'
import { homeFolder } from './system'

/** Hash of the sources: V8 itself only checks that the length of the text is the same. */
declare const BUILD: string

type Require = (path: string) => unknown

/** Exports of code-writer.js. Most runs have nothing to save, and do not load it. */
interface Writer {
  keepCode: typeof import('./code-writer').keepCode
}

interface CodeCache {
  /** `require` within dist/: accepts `./main.js`, or a module of Node. */
  load: Require
  /**
   * Saves files that had to be compiled. After the first run of a kind, saves all loaded files, with their lazily
   * compiled functions. Call it at the end of a run, when V8 knows the called functions.
   */
  keep(): void
}

const before = Buffer.from('(function (exports, require, module) {')
const after = Buffer.from('\n})')
const nothing = Buffer.alloc(0)

/** Creates the cache; `host` is the process. */
export function codeCache(host: NodeJS.Process, require: Require, dist: string): CodeCache {
  const cpuAtStart = cpuOf(host)
  const user = host.geteuid?.()
  const files: Loaded = { folder: trusted(host, user), user, require, scripts: new Map(), compiled: new Map() }
  const modules = new Map<string, { exports: unknown }>()

  function load(path: string): unknown {
    if (!path.startsWith('./')) return require(path)
    const cached = modules.get(path)
    if (cached) return cached.exports
    const module = { exports: {} }
    modules.set(path, module)
    try {
      compile(path, dist, files).runInThisContext()(module.exports, load, module)
    } catch (error) {
      // As Node does: what failed once, for want of open files for instance, is not half there the next time.
      modules.delete(path)
      throw error
    }
    return module.exports
  }

  return {
    load,
    keep() {
      if (cpuOf(host) > longAfter * cpuAtStart) return
      try {
        keepFiles(files, host, () => require(join(dist, 'code-writer.js')) as Writer)
      } catch {
        // They are compiled again next time.
      }
    },
  }
}

/** The files of a run. */
interface Loaded {
  /** Folder of the cache, if it can be trusted. */
  folder: string | undefined
  user: number | undefined
  require: Require
  scripts: Map<string, Script>
  /** Those that the cache did not have. */
  compiled: Map<string, Script>
}

function compile(name: string, dist: string, { folder, user, require, scripts, compiled }: Loaded): Script {
  const filename = join(dist, name)
  const source = readSource(filename)
  const cachedData = folder && readTrusted(join(folder, name), user)
  const compileOnce = () => new Script(source, { filename, ...(cachedData && { cachedData }) })
  let script = compileOnce()
  if (script.cachedDataRejected) script = withUsualHeap(compileOnce, require) ?? script
  scripts.set(name, script)
  if (!cachedData || script.cachedDataRejected) compiled.set(name, script)
  return script
}

/** Compiles with V8's default flags if the heap is kept small: V8 accepts cached code under the same flags only. */
function withUsualHeap(compileOnce: () => Script, require: Require): Script | undefined {
  const { cachedDataVersionTag, setFlagsFromString } = require('node:v8') as typeof import('node:v8')
  const tag = cachedDataVersionTag()
  for (const flag of usualHeap) setFlagsFromString(flag)
  if (cachedDataVersionTag() === tag) return undefined
  try {
    return compileOnce()
  } finally {
    for (const flag of smallHeap) setFlagsFromString(flag)
  }
}

function keepFiles({ folder, user, scripts, compiled }: Loaded, host: NodeJS.Process, loadWriter: () => Writer): void {
  const mark = markOf([...scripts.keys(), String(host.exitCode ?? 0)])
  const isFirst = !folder || !lstatSync(join(folder, mark), { throwIfNoEntry: false })
  if (compiled.size === 0 && !isFirst) return
  const above = dirname(cacheFolder(host))
  const place = { above, folders: () => foldersOf(host), trusted: () => trusted(host, user), user }
  loadWriter().keepCode(isFirst ? scripts : compiled, { place, ...(isFirst && { mark }) })
}

/** Name of the marker file for a kind of run: the loaded files and the exit code. */
function markOf(kind: readonly string[]): string {
  let hash = 0
  for (const letter of [...kind].sort().join()) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0
  return `${(hash >>> 0).toString(36)}.seen`
}

/**
 * Maximum CPU time of a run that is saved, as a multiple of Node's start. In longer runs V8 discards functions that
 * were not called for a while, mostly those of the start.
 */
const longAfter = 20

function cpuOf(host: NodeJS.Process): number {
  const { user, system } = host.cpuUsage()
  return user + system
}

/**
 * Returns the cache folder, with links above it resolved, and the folders in it, down to the one for this build and V8.
 */
function foldersOf(host: NodeJS.Process): string[] {
  const { version, arch } = host
  const cache = cacheFolder(host)
  const root = join(realpathSync.native(dirname(cache)), basename(cache))
  const all = join(root, 'code')
  return [root, all, join(all, `${BUILD}-${version}-${arch}`)]
}

function cacheFolder(host: NodeJS.Process): string {
  const { env, platform } = host
  return configPaths({ env, platform, homedir: () => homeFolder(host) }).cache
}

/** Returns the folder of this build; undefined if it does not exist, or if another user could have written to it. */
function trusted(host: NodeJS.Process, user: number | undefined): string | undefined {
  return tryOrUndefined(() => {
    const folder = foldersOf(host).at(-1) ?? ''
    const stats = lstatSync(folder)
    if (!stats.isDirectory() || !isPrivate(stats, user)) return undefined
    return user === undefined || isOnlyWrittenBy(user, folder) ? folder : undefined
  })
}

function readTrusted(path: string, user: number | undefined): Buffer | undefined {
  return tryOrUndefined(() => {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stats = fstatSync(file)
      return isPrivate(stats, user) ? readDoubled(file, stats.size / 2) : undefined
    } finally {
      closeSync(file)
    }
  })
}

/** Reads a module's source, wrapped in a function with the parameters of a module. */
function readSource(path: string): string {
  const file = openSync(path, 'r')
  try {
    // The build writes ASCII, and latin1 decodes fastest. Concatenating strings would copy the source again.
    return readBetween(file, { size: fstatSync(file).size, before, after }).toString('latin1')
  } finally {
    closeSync(file)
  }
}

/** Buffer that all files are read into, one after the other: allocating memory takes longer than reading. */
let room = Buffer.allocUnsafeSlow(2 ** 18)
/** Part of a second copy: to read all of it takes more memory. */
const piece = Buffer.allocUnsafeSlow(2 ** 16)

/** Reads data of this size that the file has twice; undefined if the copies differ. */
function readDoubled(file: number, size: number): Buffer | undefined {
  const once = readBetween(file, { size })
  for (let at = 0; at < size; ) {
    const read = readSync(file, piece)
    if (read === 0 || !piece.subarray(0, read).equals(once.subarray(at, at + read))) return undefined
    at += read
  }
  return once
}

interface Wanted {
  size: number
  before?: Buffer
  after?: Buffer
}

/**
 * Reads this number of bytes of a file, between two texts. The result is valid until the next call. Throws for a
 * shorter file.
 */
function readBetween(file: number, { size, before = nothing, after = nothing }: Wanted): Buffer {
  const end = before.length + size
  if (room.length < end + after.length) room = Buffer.allocUnsafeSlow(end + after.length)
  room.set(before)
  for (let at = before.length; at < end; ) {
    const read = readSync(file, room, at, end - at, null)
    if (read === 0) throw new Error('The file is shorter than it was')
    at += read
  }
  room.set(after, end)
  return room.subarray(0, end + after.length)
}

/** Windows has no modes, and protects a user's folders from others. */
function isPrivate({ uid, mode }: Stats, user: number | undefined): boolean {
  return user === undefined || (uid === user && (mode & 0o077) === 0)
}
