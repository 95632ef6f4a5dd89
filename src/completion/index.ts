/**
 * Answers Tab: `skyctl __complete SHELL WORD…`. The launcher calls it, and loads nothing else of the program. A script in
 * completions/ hands the answer to its shell.
 */
import type { SpawnOptions } from 'node:child_process'
import { closeSync, constants, readFileSync, utimesSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import table from '#completions'
import { configPaths } from '../config/paths'
import { openOwn } from '../files/ownership'
import { homeFolder } from '../platform/system'
import { contextFolder, type Environment, environmentFolder, shownOfToken } from '../rules/environment'
import { tryOrUndefined } from '../rules/try-or-undefined'
import { answer } from './answer-tab'
import type { ReadNames } from './offer'
import type { CursorPosition } from './position'

/** Prints the answer; `program` starts skyctl. Prints nothing if anything fails, since the user is typing a line. */
export function complete(host: NodeJS.Process, program: readonly string[]): void {
  tryOrUndefined(() => {
    const [shell = '', ...words] = host.argv.slice(3)
    const readNames = namesReader(namesHost(host, program))
    print(answer(shell, words, { table, readNames }), host)
  })
}

function namesHost(host: NodeJS.Process, [file = '', ...first]: readonly string[]): NamesHost {
  const { env, platform } = host
  // Most answers need no other process, and loading this takes 3 ms.
  const processes = () => host.getBuiltinModule('node:child_process')
  const options: SpawnOptions = { stdio: 'ignore', detached: true, windowsHide: true }
  return {
    env,
    cache: tryOrUndefined(() => configPaths({ env, platform, homedir: () => homeFolder(host) }).cache),
    ask(words) {
      const { status, stdout } = processes().spawnSync(file, [...first, ...words], {
        stdio: ['ignore', 'pipe', 'ignore'],
        encoding: 'utf8',
        maxBuffer: 2 ** 26,
        windowsHide: true,
      })
      return status === 0 ? stdout : ''
    },
    start(words) {
      const child = processes().spawn(file, [...first, ...words], options)
      child.on('error', () => {})
      child.unref()
    },
  }
}

/** Writes without opening the stream, which takes 2 ms, as far as the shell reads. */
function print(text: string, host: NodeJS.Process): void {
  const bytes = Buffer.from(text)
  let written = 0
  tryOrUndefined(() => {
    while (written < bytes.length) written += writeSync(1, bytes, written)
  })
  // A pipe that never blocks is full.
  if (written < bytes.length) host.stdout.on('error', () => {}).write(bytes.subarray(written))
}

export interface NamesHost {
  env: Environment
  /** Cache folder of skyctl; undefined if there is none. */
  cache: string | undefined
  /** Runs skyctl, and returns its output; an empty text if it fails. */
  ask(words: readonly string[]): string
  /** Starts skyctl in the background. */
  start(words: readonly string[]): void
}

/** Age after which names are read again in the background. */
const freshMs = 5 * 60_000

export function namesReader({ env, cache, ask, start }: NamesHost): ReadNames {
  return (kind, position) => {
    // The address may be half typed, and a token would be sent there.
    if (position.hasBaseUrl && kind !== 'contexts') return ''
    const { context } = position
    const words = ['completion', 'values', kind, ...(context === undefined ? [] : ['--context', context])]
    const path = cache && pathOf(kind, join(cache, 'names'), { env, context })
    const cached = path ? tryOrUndefined(() => readFile(path)) : undefined
    if (path && cached) {
      // The new time keeps other Tabs from reading them, too.
      const isOld = Date.now() - cached.writtenAt > freshMs
      if (isOld && tryOrUndefined(() => touch(path))) start([...words, '--timeout', '30s'])
      return cached.text
    }
    if (kind !== 'rules') return ask([...words, '--timeout', '2s'])
    // Those of many firewalls take longer than anybody waits for Tab.
    if (path) start([...words, '--timeout', '30s'])
    return ''
  }
}

function touch(path: string): true {
  const now = new Date()
  utimesSync(path, now, now)
  return true
}

function readFile(path: string): { text: string; writtenAt: number } | undefined {
  const opened = openOwn(path, constants.O_RDONLY)
  if ('unfit' in opened) return undefined
  try {
    return { text: readFileSync(opened.file, 'utf8'), writtenAt: opened.stats.mtimeMs }
  } finally {
    closeSync(opened.file)
  }
}

type Account = { env: Environment } & Pick<CursorPosition, 'context'>

/** Returns the file in which account/name-cache stores the names of the account; undefined if it stores none. */
function pathOf(kind: string, names: string, { env, context }: Account): string | undefined {
  if (kind === 'contexts') return join(names, '.contexts')
  const folder = folderOf(names, { env, context })
  return folder === undefined ? undefined : join(names, folder, kind)
}

function folderOf(names: string, { env, context }: Account): string | undefined {
  if (context !== undefined) return contextFolder(context)
  const { SKYCTL_CONTEXT: chosen, SKYCTL_BASE_URL: address, SKYCTL_TOKEN: token, SKYCTL_TOKEN_FILE: tokenFile } = env
  if (chosen === 'sandbox') return chosen
  const folder = chosen ? contextFolder(chosen) : currentFolder(names)
  if (tokenFile) return undefined
  return address || token ? environmentFolder(address || folder, token?.slice(0, shownOfToken) || folder) : folder
}

/** Returns the folder of the current context; undefined if none is cached. */
function currentFolder(names: string): string | undefined {
  const name = tryOrUndefined(() => readFile(join(names, '.current')))?.text.trim()
  return name && !/[/\\]/.test(name) ? name : undefined
}
