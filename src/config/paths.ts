import { posix, win32 } from 'node:path'
import { Problem } from '../errors'
import type { Environment } from '../rules/environment'

interface Surroundings {
  env: Environment
  platform: NodeJS.Platform
  /** `os.homedir`; it may throw, and return what the user wrote into HOME. */
  homedir: () => string
}

/** Folders are absolute. Each is worked out when it is read, and only then a missing home is a problem (`local`). */
export interface Paths {
  /** Where the contexts are. */
  readonly config: string
  /** The contexts file in it. */
  readonly file: string
  /** What must last: the sandbox, rules that were replaced. */
  readonly state: string
  /** What may be deleted at any time. */
  readonly cache: string
}

type FolderKind = 'config' | 'state' | 'cache'
type Folders = Record<FolderKind, { variable?: string; below: string; folder: string }>

// `config` and `cache` are those of the package env-paths, which conf uses; it knows no folder for state.
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
 * Where skyctl keeps its files: SKYCTL_CONFIG_DIR and SKYCTL_STATE_DIR, else the platform's folders. Nothing is ever
 * kept below the current directory: a relative SKYCTL_ folder is refused, a relative XDG folder ignored (as its
 * specification wants), a relative home is none.
 */
export function configPaths(surroundings: Surroundings): Paths {
  const { join } = surroundings.platform === 'win32' ? win32 : posix
  return {
    get config() {
      return ownFolder(surroundings, 'SKYCTL_CONFIG_DIR') ?? platformFolder(surroundings, 'config')
    },
    get file() {
      return join(this.config, 'contexts.json')
    },
    get state() {
      return ownFolder(surroundings, 'SKYCTL_STATE_DIR') ?? platformFolder(surroundings, 'state')
    },
    get cache() {
      return platformFolder(surroundings, 'cache')
    },
  }
}

function ownFolder({ env, platform }: Surroundings, variable: string): string | undefined {
  const folder = env[variable]
  if (!folder) return undefined
  const { isAbsolute, normalize } = platform === 'win32' ? win32 : posix
  if (!isAbsolute(folder)) throw new Problem('usage', `${variable} must be an absolute path`)
  return normalize(folder)
}

function platformFolder({ env, platform, homedir }: Surroundings, kind: FolderKind): string {
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
 * Without HOME the system's list of users is asked, and an unknown user makes that throw. Not every runtime takes an
 * empty HOME for what it is: bun, which an executable may have in it, asks the list then too.
 */
function homeOf({ env, platform, homedir }: Surroundings): string | undefined {
  if (env.HOME === '' && platform !== 'win32') return undefined
  try {
    return homedir()
  } catch {
    return undefined
  }
}
