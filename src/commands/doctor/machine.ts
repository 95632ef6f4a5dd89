/** Checks the machine: Node, skyctl's folders, and environment variables. */
import { mkdtempSync, readdirSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { engines, version } from '../../../package.json'
import type { Paths } from '../../config/paths'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import { foreignness, isWide, statusOf } from '../../files/ownership'
import { errorCode } from '../../files/problem'
import { runtime } from '../../files/process-id'
import { unknownVariables } from '../../rules/environment'
import { shellWord } from '../../rules/texts'
import { isOlder } from '../../rules/versions'
import { type Diagnosis, failure, ofProblem, ok, warning } from './diagnosis'

export function lookAtMachine({ account: { local } }: Session): Diagnosis[] {
  return [
    nodeOf(),
    ...foldersOf(local.paths),
    ...unknownVariables(local.env).map((text) => warning('environment', text)),
  ]
}

function nodeOf(): Diagnosis {
  const { node, bun, platform, arch } = runtime()
  const text = `skyctl ${version}, ${bun === undefined ? `Node ${node}` : `bun ${bun}`}, ${platform} ${arch}`
  const least = engines.node.replace('>=', '')
  return isOlder(node, least) ? failure('node', text, `Install Node ${least} or newer`) : ok('node', text)
}

function foldersOf(paths: Paths): Diagnosis[] {
  return (['config', 'state', 'cache'] as const).map((kind) => {
    try {
      const path = reachable(kind, paths)
      return path === undefined ? unreachable(kind, paths) : folderOf(kind, path)
    } catch (error) {
      if (error instanceof Problem) return ofProblem(kind, error)
      const code = errorCode(error)
      if (code === undefined) throw error
      return failure(kind, `the ${kind} folder cannot be read: ${code}`)
    }
  })
}

/**
 * Returns a folder. It is undefined if it cannot exist: the home is unknown, or a parent is not a folder or is somebody
 * else's. skyctl works without it, with a token from the environment. Throws `usage` for an invalid variable.
 */
export function reachable(kind: keyof Paths, paths: Paths): string | undefined {
  try {
    const path = paths[kind]
    statusOf(path)
    return path
  } catch (error) {
    const code = error instanceof Problem ? error.code : errorCode(error)
    if (code === 'local' || code === 'ENOTDIR' || code === 'EACCES') return undefined
    throw error
  }
}

/** Maximum number of entries to check; the first ones are enough. */
const most = 10_000

function folderOf(kind: keyof Paths, path: string): Diagnosis {
  const stats = statusOf(path)
  if (!stats) return isWritable(above(path)) ? ok(kind, `${path} does not exist yet`) : uncreatable(kind, path)
  if (!stats.isDirectory())
    return failure(kind, `${path} is not a folder, or is a link to one`, 'Replace it with a folder')
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).slice(0, most)
  const all = [path, ...names.map((name) => join(path, name))]
  const foreign = all.find((one) => ofAnother(one) !== undefined)
  if (foreign !== undefined) return failure(kind, `${foreign}: ${ofAnother(foreign)}`, 'Replace it with your own')
  // Other users cannot reach files in a private folder.
  const wide = isOpen(path) ? all.filter(isOpen) : []
  if (wide.length > 0) {
    const others = wide.length > 1 ? ` and ${wide.length - 1} more` : ''
    return warning(kind, `${wide[0]}${others}: other users have access to it`, `chmod -R go= ${shellWord(path)}`)
  }
  const damaged = names.find((name) => name.includes('.corrupt-'))
  if (damaged !== undefined) {
    const file = join(path, damaged)
    return warning(kind, `${file} is a damaged file with tokens`, `rm ${shellWord(file)}`)
  }
  return isWritable(path) ? ok(kind, `${path} is private`) : unwritable(kind, path)
}

const variables: Readonly<Record<keyof Paths, string>> = {
  config: 'SKYCTL_CONFIG_DIR',
  file: 'SKYCTL_CONFIG_DIR',
  state: 'SKYCTL_STATE_DIR',
  cache: 'XDG_CACHE_HOME',
}

const unusable = (kind: keyof Paths, why: string) =>
  warning(kind, `${why}: skyctl stores nothing there`, `Set ${variables[kind]} to a writable folder`)

const unwritable = (kind: keyof Paths, path: string) => unusable(kind, `${path} cannot be written`)
const uncreatable = (kind: keyof Paths, path: string) => unusable(kind, `${path} cannot be created`)

function unreachable(kind: keyof Paths, paths: Paths): Diagnosis {
  try {
    return unusable(kind, `${paths[kind]} cannot be entered`)
  } catch {
    const hint = `Set HOME, or ${variables[kind]}, to a writable folder`
    return warning(kind, 'the home folder is unknown: skyctl stores nothing', hint)
  }
}

/** Describes a file of another user; ignores one that vanishes during the check. */
function ofAnother(path: string): string | undefined {
  const stats = statusOf(path)
  return stats && foreignness(stats)
}

function isOpen(path: string): boolean {
  const stats = statusOf(path)
  return stats !== undefined && !stats.isSymbolicLink() && isWide(stats)
}

/** Returns the nearest existing parent folder. */
function above(path: string): string {
  const parent = dirname(path)
  return parent === path || statusOf(parent) ? parent : above(parent)
}

/** Tries it: permissions do not show that a file system such as /proc takes no files. */
function isWritable(folder: string): boolean {
  try {
    rmdirSync(mkdtempSync(join(folder, '.skyctl-')))
    return true
  } catch {
    return false
  }
}
