import { posix, win32 } from 'node:path'
import { Problem } from '../errors'
import type { Environment } from '../rules/environment'

interface PathSources {
  env: Environment
  platform: NodeJS.Platform
  /** `os.homedir`; it may throw, or return any content of HOME. */
  homedir: () => string
}

/** Absolute paths, computed on access. A missing home is an error (`local`) only if it is needed. */
export interface Paths {
  /** Folder of the contexts. */
  readonly config: string
  readonly file: string
  /** Persistent data: the sandbox, backups of rules. */
  readonly state: string
  /** Cache, which can be deleted at any time. */
  readonly cache: string
}

type FolderKind = 'config' | 'state' | 'cache'
type Folders = Record<FolderKind, { variable?: string; below: string; folder: string }>

// `config` and `cache` are those of the package env-paths, used by conf; it has no state folder.
const macos: Folders = {
  config: { below: 'Library/Preferences', folder: 'skyctl' },
  state: { below: 'Library/Application Support', folder: 'skyctl' },
  cache: { below: 'Library/Caches', folder: 'skyctl' },
}
const windows: Folders = {
  config: { variable: 'APPDATA', below: 'AppData/Roaming', folder: 'skyctl/Config' },
  state: { variable: 'LOCALAPPDATA', below: 'AppData/Local', folder: 'skyctl/Data' },
  cache: { variable: 'LOCALAPPDATA', below: 'AppData/Local', folder: 'skyctl/Cache' },
}
const xdg: Folders = {
  config: { variable: 'XDG_CONFIG_HOME', below: '.config', folder: 'skyctl' },
  state: { variable: 'XDG_STATE_HOME', below: '.local/state', folder: 'skyctl' },
  cache: { variable: 'XDG_CACHE_HOME', below: '.cache', folder: 'skyctl' },
}

/**
 * Returns the folders for skyctl's files: SKYCTL_CONFIG_DIR and SKYCTL_STATE_DIR, or else the platform's folders. Files
 * are never stored relative to the current directory. A relative SKYCTL_ folder is an error. A relative XDG folder is
 * ignored (as in its specification), and so is a relative home.
 */
export function configPaths(sources: PathSources): Paths {
  const { join } = sources.platform === 'win32' ? win32 : posix
  let cache: string | undefined
  return {
    get config() {
      return ownFolder(sources, 'SKYCTL_CONFIG_DIR') ?? platformFolder(sources, 'config')
    },
    get file() {
      return join(this.config, 'contexts.json')
    },
    get state() {
      return ownFolder(sources, 'SKYCTL_STATE_DIR') ?? platformFolder(sources, 'state')
    },
    get cache() {
      // Each of 1,000 changes asks for it.
      cache ??= platformFolder(sources, 'cache')
      return cache
    },
  }
}

function ownFolder({ env, platform }: PathSources, variable: string): string | undefined {
  const folder = env[variable]
  if (!folder) return undefined
  const { isAbsolute, normalize } = platform === 'win32' ? win32 : posix
  if (!isAbsolute(folder)) throw new Problem('usage', `${variable} must be an absolute path`)
  return normalize(folder)
}

function platformFolder({ env, platform, homedir }: PathSources, kind: FolderKind): string {
  const { isAbsolute, join } = platform === 'win32' ? win32 : posix
  const folders = platform === 'win32' ? windows : platform === 'darwin' ? macos : xdg
  const { variable, below, folder } = folders[kind]
  const base = variable && env[variable]
  if (base && isAbsolute(base)) return join(base, folder)
  const home = homeOf({ env, platform, homedir })
  if (home && isAbsolute(home)) return join(home, below, folder)
  throw new Problem('local', `no ${kind} folder: the home folder is unknown`, {
    hint: 'Set HOME, or SKYCTL_CONFIG_DIR and SKYCTL_STATE_DIR, to absolute paths',
  })
}

/**
 * Returns the home folder. Without HOME, the user database is queried, which throws for an unknown user. bun, which
 * executables may include, also queries it if HOME is empty; Node does not.
 */
function homeOf({ env, platform, homedir }: PathSources): string | undefined {
  if (env.HOME === '' && platform !== 'win32') return undefined
  try {
    return homedir()
  } catch {
    return undefined
  }
}
