/** Environment of the process, and skyctl's own variables in it. */

export type Environment = Readonly<Record<string, string | undefined>>

/** Returns the environment for child processes, which must not get the token. */
export function withoutToken({ SKYCTL_TOKEN: _token, ...others }: Environment): Environment {
  return others
}

/**
 * Reports whether a terminal supports UTF-8 according to its locale (POSIX: LC_ALL, then LC_CTYPE, then LANG). Without
 * one it is C, where ASCII is readable in any case; but Windows knows no such variables, and its console shows Unicode.
 */
export function showsUnicode(env: Environment, platform: NodeJS.Platform): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || (platform === 'win32' ? 'UTF-8' : 'C')
  return env.TERM !== 'dumb' && /utf-?8/i.test(locale)
}

interface Variable {
  name: string
  /** Short text for help. */
  description: string
}

/** Variables of skyctl. Help, man page, the matching flags and the check for unknown variables use this table. */
export const variables = [
  { name: 'SKYCTL_TOKEN', description: 'token to use; overrides the context' },
  { name: 'SKYCTL_TOKEN_FILE', description: 'file that holds the token, such as a mounted secret' },
  { name: 'SKYCTL_BASE_URL', description: 'address of the service, up to and including /v4' },
  { name: 'SKYCTL_CONTEXT', description: 'context to use, as --context' },
  { name: 'SKYCTL_OUTPUT', description: 'format to print, as --output' },
  { name: 'SKYCTL_COLOR', description: 'auto, always or never, as --color' },
  { name: 'SKYCTL_YES', description: '1 answers every question with yes, as --yes' },
  { name: 'SKYCTL_TIMEOUT', description: 'time limit of a request, as --timeout' },
  { name: 'SKYCTL_RETRIES', description: 'maximum retries, as --retries' },
  { name: 'SKYCTL_MAX_WAIT', description: 'longest wait that the service may request, as --max-wait' },
  { name: 'SKYCTL_WAIT_TIMEOUT', description: 'time limit of waits, as --wait-timeout' },
  { name: 'SKYCTL_DEBUG_FILE', description: 'file to append requests to, as --debug-file' },
  { name: 'SKYCTL_CONFIG_DIR', description: 'folder of the contexts file' },
  { name: 'SKYCTL_STATE_DIR', description: "folder of the sandbox's world, history and backups" },
  { name: 'SKYCTL_PAGER', description: 'pager of long output on a terminal; empty: none' },
  { name: 'SKYCTL_RELEASES', description: 'address of the latest release, as version --check --from' },
  { name: 'SKYCTL_HISTORY', description: '0 turns the history of changes off' },
  { name: 'SKYCTL_CODE_CACHE', description: '0 turns the cache of compiled code off' },
] as const satisfies readonly Variable[]

export type VariableName = (typeof variables)[number]['name']

/** Returns the variable that supplies the token; undefined if none is set. */
export function tokenVariable(env: Environment): 'SKYCTL_TOKEN' | 'SKYCTL_TOKEN_FILE' | undefined {
  if (env.SKYCTL_TOKEN) return 'SKYCTL_TOKEN'
  return env.SKYCTL_TOKEN_FILE ? 'SKYCTL_TOKEN_FILE' : undefined
}

/** Variables that Kubernetes sets in every pod if a service is named `skyctl`. */
const ofServices = /^SKYCTL_(SERVICE_(HOST|PORT)|PORT)(_|$)/

const prefix = 'SKYCTL_'

/** Resolves to a warning for each variable that has skyctl's prefix but is unknown. */
export async function unknownVariables(env: Environment): Promise<string[]> {
  const names = variables.map(({ name }): string => name)
  const unknown = Object.keys(env).filter((name) => name.startsWith(prefix) && !names.includes(name))
  const warning = async (name: string) =>
    `${name} is not a skyctl variable. ${(await nearVariables(name, names)) ?? 'See skyctl help environment'}`
  return Promise.all(unknown.filter((name) => !ofServices.test(name)).map(warning))
}

/** Suggests similar variables. Names are compared without the common prefix. */
async function nearVariables(name: string, names: readonly string[]): Promise<string | undefined> {
  const { nearest, orList } = await import('./nearest')
  const rest = (one: string) => one.slice(prefix.length)
  const near = nearest(rest(name), names.map(rest)).map((one) => prefix + one)
  return near.length > 0 ? `Did you mean ${orList(near)}?` : undefined
}

/** Returns the folder of a context's cached names, encoded so that it cannot be `..` or one of skyctl's own files. */
export function contextFolder(name: string): string {
  return encodeURIComponent(name).replace(/^\./, '%2E')
}

/** Number of characters that the service itself shows of a token (api.md, Tokens). */
export const shownOfToken = 16

/**
 * Returns the folder of the cached names of an account from the environment: `.env-` and a hash of the address and the
 * user (such as the beginning of a token), which must not be readable there. Tab does not wait for node:crypto.
 */
export function environmentFolder(place: string | undefined, user: string | undefined): string | undefined {
  const text = `${place} ${user}`
  if (!place || !user || !/^[ -~]+$/.test(text)) return undefined
  return `.env-${[...text].reduce((sum, char) => (sum * 257 + char.charCodeAt(0)) % 17_592_186_044_399, 0)}`
}
