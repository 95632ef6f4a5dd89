/** Checks the machine: Node, and skyctl's folders. */
import { mkdtempSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { engines, version } from '../../../package.json'
import type { Paths } from '../../config/paths'
import { Problem } from '../../errors'
import { errorCode } from '../../files/file-problem'
import { foreignness, isWide, statusOf } from '../../files/ownership'
import { runtime } from '../../files/process-id'
import { shellWord } from '../../rules/texts'
import { isOlder } from '../../rules/versions'
import { type Diagnosis, failure, ofProblem, ok, warning } from './diagnosis'

export const lookAtMachine = (paths: Paths): Diagnosis[] => [
  nodeOf(),
  ...(['config', 'state', 'cache'] as const).map((kind) => folderOf(kind, paths)),
]

function nodeOf(): Diagnosis {
  const { node, bun, platform, arch } = runtime()
  const text = `skyctl ${version}, ${bun === undefined ? `Node ${node}` : `bun ${bun}`}, ${platform} ${arch}`
  const least = engines.node.replace('>=', '')
  return isOlder(node, least) ? failure('node', text, `Install Node ${least} or newer`) : ok('node', text)
}

type FolderKind = 'config' | 'state' | 'cache'

const variables: Readonly<Record<FolderKind, string>> = {
  config: 'SKYCTL_CONFIG_DIR',
  state: 'SKYCTL_STATE_DIR',
  cache: 'XDG_CACHE_HOME',
}

/** Checks a folder. skyctl works without one that cannot exist, with a token from the environment. */
function folderOf(kind: FolderKind, paths: Paths): Diagnosis {
  const unusable = (why: string, fix = `Set ${variables[kind]} to a writable folder`) =>
    warning(kind, `${why}: skyctl stores nothing there`, fix)
  let path: string | undefined
  try {
    path = paths[kind]
    return checkFolder(kind, path, unusable)
  } catch (error) {
    if (error instanceof Problem)
      return error.code === 'local' ? unusable(error.message, error.details.hint) : ofProblem(kind, error)
    const code = errorCode(error)
    if (code === 'ENOTDIR' || code === 'EACCES') return unusable(`${path} cannot be entered`)
    if (code === undefined) throw error
    return failure(kind, `the ${kind} folder cannot be read: ${code}`)
  }
}

/** Checks only the folder itself: each command checks the files that it opens. */
function checkFolder(kind: FolderKind, path: string, unusable: (why: string) => Diagnosis): Diagnosis {
  const stats = statusOf(path)
  if (!stats)
    return isWritable(existingParent(path))
      ? ok(kind, `${path} does not exist yet`)
      : unusable(`${path} cannot be created`)
  if (!stats.isDirectory())
    return failure(kind, `${path} is not a folder, or is a link to one`, 'Replace it with a folder')
  const foreign = foreignness(stats)
  if (foreign !== undefined) return failure(kind, `${path}: ${foreign}`, 'Replace it with your own')
  if (isWide(stats)) return warning(kind, `${path}: other users have access to it`, `chmod -R go= ${shellWord(path)}`)
  return isWritable(path) ? ok(kind, `${path} is private`) : unusable(`${path} cannot be written`)
}

function existingParent(path: string): string {
  const parent = dirname(path)
  return parent === path || statusOf(parent) ? parent : existingParent(parent)
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
