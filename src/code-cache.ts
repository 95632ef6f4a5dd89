/**
 * Loads the files of dist/ with what V8 made of them in an earlier run, which saves 20 of the 70 ms of a list on Node
 * 20. It may go when every Node that we support has a cache of its own that saves as much. Node 20 has none, and the end
 * of its life is not enough: of the CPU time of a list `module.enableCompileCache()` saves 9 ms on Node 22.23 and 21 on
 * 24.21, where this saves 32 and 48.
 *
 * What is kept is code. So it is read only where nobody but the user can have written it, up to the root of the file
 * system, and only by the very build and V8 that wrote it; and nothing is removed but what has a name of ours. Whatever
 * goes wrong, the files are compiled as if there were no cache. V8 does not look whether code is damaged, and crashes; so
 * each file holds it twice, which takes 0.2 ms to compare (a checksum: 2, for zlib).
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync, type Stats } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { configPaths } from './config/paths'
import { isOnlyWrittenBy } from './files/trust'
import { homeFolder } from './home'

/** A hash of the sources: V8 itself takes any text of the same length for what it has compiled. */
declare const BUILD: string

type Require = (path: string) => unknown

/** What code-writer.js offers: most runs have nothing to keep, and do not load it. */
interface Writer {
  keepCode: typeof import('./code-writer').keepCode
}

interface CodeCache {
  /** `require` within dist/: takes `./main.js`, or a module of Node. */
  load: Require
  /**
   * Keeps what had to be compiled; and after the first run of a kind all that it loaded, with the functions that those
   * before it had not called. When a run is over, V8 knows which are called.
   */
  keep(): void
}

const before = Buffer.from('(function (exports, require, module) {')
const after = Buffer.from('\n})')
const nothing = Buffer.alloc(0)

/** `host` is the process. */
export function codeCache(host: NodeJS.Process, require: Require, dist: string): CodeCache {
  const cpuAtStart = cpuOf(host)
  const user = host.geteuid?.()
  const folder = trusted(host, user)
  const scripts = new Map<string, Script>()
  const compiled = new Map<string, Script>()
  const modules = new Map<string, { exports: unknown }>()

  function compile(name: string): Script {
    const filename = join(dist, name)
    const source = readSource(filename)
    const cachedData = folder && readTrusted(join(folder, name), user)
    const script = new Script(source, { filename, ...(cachedData && { cachedData }) })
    scripts.set(name, script)
    if (!cachedData || script.cachedDataRejected) compiled.set(name, script)
    return script
  }

  function load(path: string): unknown {
    if (!path.startsWith('./')) return require(path)
    const known = modules.get(path)
    if (known) return known.exports
    const module = { exports: {} }
    modules.set(path, module)
    compile(path).runInThisContext()(module.exports, load, module)
    return module.exports
  }

  return {
    load,
    keep() {
      if (cpuOf(host) > longAfter * cpuAtStart) return
      try {
        const mark = markOf([...scripts.keys(), String(host.exitCode ?? 0)])
        const isFirst = !folder || !lstatSync(join(folder, mark), { throwIfNoEntry: false })
        if (compiled.size === 0 && !isFirst) return
        const { keepCode } = require(join(dist, 'code-writer.js')) as Writer
        const above = dirname(cacheFolder(host))
        const place = { above, folders: () => foldersOf(host), trusted: () => trusted(host, user), user }
        keepCode(isFirst ? scripts : compiled, { place, ...(isFirst && { mark }) })
      } catch {
        // They are compiled again next time.
      }
    },
  }
}

/** Says that a run of this kind was kept: one that loaded these files and ended like this. */
function markOf(kind: readonly string[]): string {
  let hash = 0
  for (const letter of [...kind].sort().join()) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0
  return `${(hash >>> 0).toString(36)}.seen`
}

/**
 * In a run that takes so many times what Node takes to start, V8 forgets what was not called for a while: mostly what a
 * start calls. So nothing of it is kept.
 */
const longAfter = 20

function cpuOf(host: NodeJS.Process): number {
  const { user, system } = host.cpuUsage()
  return user + system
}

/** The cache folder, with links above it followed, and those in it down to that of this build and V8. */
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

/** The folder of this build; undefined where it is not there, and where another user could have put files into it. */
function trusted(host: NodeJS.Process, user: number | undefined): string | undefined {
  return possible(() => {
    const folder = foldersOf(host).at(-1) ?? ''
    const found = lstatSync(folder)
    if (!found.isDirectory() || !isPrivate(found, user)) return undefined
    return user === undefined || isOnlyWrittenBy(user, folder) ? folder : undefined
  })
}

function readTrusted(path: string, user: number | undefined): Buffer | undefined {
  return possible(() => {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stats = fstatSync(file)
      return isPrivate(stats, user) ? undoubled(readBetween(file, { size: stats.size })) : undefined
    } finally {
      closeSync(file)
    }
  })
}

/** Undefined where it throws. */
function possible<T>(act: () => T): T | undefined {
  let result: T | undefined
  try {
    result = act()
  } catch {
    // Then it is done without.
  }
  return result
}

/** As a function that takes what a module is given. */
function readSource(path: string): string {
  const file = openSync(path, constants.O_RDONLY)
  try {
    // What the build writes is ASCII: no other decoding is as fast. Texts that are put together would be copied again.
    return readBetween(file, { size: fstatSync(file).size, before, after }).toString('latin1')
  } finally {
    closeSync(file)
  }
}

/** What files are read into, one after the other: memory that was not used yet takes longer than to read. */
let room = Buffer.allocUnsafeSlow(2 ** 19)

interface Wanted {
  size: number
  before?: Buffer
  after?: Buffer
}

/** So many bytes of a file, between two texts; good until the next call. Throws where it has less. */
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

function undoubled(twice: Buffer): Buffer | undefined {
  const once = twice.subarray(0, twice.length / 2)
  return once.equals(twice.subarray(once.length)) ? once : undefined
}

/** Windows has no modes, and closes the folders of a user to others. */
function isPrivate({ uid, mode }: Stats, user: number | undefined): boolean {
  return user === undefined || (uid === user && (mode & 0o077) === 0)
}
