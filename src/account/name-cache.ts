/**
 * Caches names for shell completion: `names/CONTEXT/KIND` in the cache folder, with a name on each line, and an
 * optional note after a tab. An account from environment variables has a folder instead of a context. `names/.current`
 * names the folder of the current context, and `names/.contexts` has the contexts. Tab reads these files
 * (src/completion).
 */
// Not node:fs/promises: help would load that, which takes 2 ms; this is loaded on first use.

import { existsSync, promises, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { RemoteCredential } from '../config/contexts'
import { ifPossible, Problem } from '../errors'
import { makeFolder } from '../files/folder'
import { readPrivately } from '../files/private'
import { replaceByDraft, sweepFolder } from '../files/temporary'
import { contextFolder, environmentFolder, shownOfToken } from '../rules/environment'
import { escapeText } from '../rules/escape'
import type { Account, User } from './account'
import type { Signed } from './identity'
import type { NameKind } from './resource'

export interface CachedName {
  /** Text to type. */
  name: string
  /** Text that a shell may show beside it. */
  note?: string | undefined
}

/** Returns the cached names; undefined without any, or if they may belong to another account. */
export async function readCachedNames(kind: NameKind, account: Account): Promise<string[] | undefined> {
  const place = await placeOf(kind, account)
  try {
    return place && readLines(place.file)?.map((line) => line.split('\t', 1)[0] ?? '')
  } catch {
    return undefined
  }
}

export const cacheNames = (kind: NameKind, names: readonly CachedName[], account: Account): Promise<void> =>
  write(kind, account, ({ file, current }) => {
    replace(file, account.local.secrets.inData(nameLines(names)))
    if (current) replace(join(account.local.paths.cache, 'names', '.current'), `${current}\n`)
  })

/**
 * Adds names that another command has read. The file keeps its age, or is marked as old if it is new, since there may
 * be more names.
 */
export async function cacheListedNames(kind: NameKind, names: readonly CachedName[], account: Account): Promise<void> {
  if (names.length === 0) return
  await write(kind, account, async ({ file }) => {
    const newParts = new Set(names.flatMap(({ name, note }) => [name, note]))
    const before = await linesOf(file)
    const others = before.lines.filter((line) => !line.split('\t').some((part) => newParts.has(part)))
    replace(file, sortedText([...linesIn(account.local.secrets.inData(nameLines(names))), ...others]))
    await promises.utimes(file, before.seconds, before.seconds)
  })
}

/** Writes the names of a kind. If that fails, they are read again next time. */
async function write(
  kind: NameKind,
  account: Account,
  work: (place: NamesFile) => void | Promise<void>,
): Promise<void> {
  const place = await placeOf(kind, account)
  if (!place) return
  try {
    if (place.shared) await forgetOthers(dirname(place.file), account)
    makeFolder(dirname(place.file))
    await work(place)
  } catch {
    // They are read again next time.
  }
}

/** Reads the lines of a file, and when it was written, in seconds since the epoch. */
async function linesOf(file: string): Promise<{ lines: string[]; seconds: number }> {
  try {
    const { mtimeMs } = await promises.stat(file)
    return { lines: readLines(file) ?? [], seconds: mtimeMs / 1000 }
  } catch {
    return { lines: [], seconds: 0 }
  }
}

/** Reads a file; undefined if it does not exist, or is not a file of the user. */
const readIfPossible = (file: string) => ifPossible(() => readPrivately(file, () => {}))

/** Reads the lines of a file; undefined if it does not exist. Throws if it is not a file of the user. */
function readLines(file: string): string[] | undefined {
  const text = readPrivately(file, () => {})
  return text === undefined ? undefined : linesIn(text)
}

const linesIn = (text: string) => text.split('\n').filter((line) => line !== '')

/** Formats names for the cache and for Tab, sorted by their bytes. */
export function nameLines(names: readonly CachedName[]): string {
  // Names with control or invisible characters cannot be completed.
  const lines = names.map(({ name, note }) => (note ? [name, note] : [name]))
  const whole = lines.filter((parts) => parts.every((part) => part !== '' && escapeText(part) === part))
  return sortedText(whole.map((parts) => parts.join('\t')))
}

function sortedText(lines: readonly string[]): string {
  const bytes = lines.map((line) => Buffer.from(`${line}\n`)).sort(Buffer.compare)
  return Buffer.concat(bytes).toString()
}

/** Deletes all cached names, when contexts change: they may belong to another account. */
export async function dropCachedNames(account: Account): Promise<void> {
  await remove(join(account.local.paths.cache, 'names'))
}

/** Deletes the names of a kind, after objects of it were created, renamed or deleted. */
export async function dropCachedKind(kind: NameKind, account: Account): Promise<void> {
  const place = await placeOf(kind, account)
  // One look, since each of 1,000 deletions does this, and only the first finds a file.
  if (place && existsSync(place.file)) await remove(place.file)
}

/** Marks the names of a kind as old, after some of them may have changed: they are offered until they are read again. */
export async function expireCachedKind(kind: NameKind, account: Account): Promise<void> {
  const place = await placeOf(kind, account)
  if (!place) return
  try {
    await promises.utimes(place.file, 0, 0)
  } catch {
    // None are cached.
  }
}

async function remove(path: string): Promise<void> {
  try {
    await promises.rm(path, { recursive: true, force: true })
  } catch {
    // It will expire.
  }
}

/** Deletes names of another user: a token command may print the token of a different user than before. */
async function forgetOthers(folder: string, account: Account): Promise<void> {
  const { knownUser } = await import('./identity')
  const user = userLine(await knownUser(account))
  const file = join(folder, userFile)
  const before = readIfPossible(file)
  if (before === user) return
  await remove(folder)
  makeFolder(folder)
  replace(file, user)
}

/** Removes the names of another user, as soon as a token command has printed the token of this one. */
export async function forgetNamesOfOthers(as: Signed, account: Account): Promise<void> {
  const place = await placeOf('volumes', account)
  if (!place?.shared) return
  const folder = dirname(place.file)
  const before = readIfPossible(join(folder, userFile))
  if (before === undefined) return
  const { rememberedUser } = await import('./identity')
  if (before !== userLine(await rememberedUser(account, as))) await remove(folder)
}

/** File that names the user of the names in a folder. */
const userFile = '.user'
const userLine = (user: User | undefined) => `${JSON.stringify(user)}\n`

interface NamesFile {
  file: string
  /** True if the folder may have names of another user. */
  shared?: boolean
  /** Name of the folder, if it belongs to the current context. */
  current?: string
}

/**
 * Returns the cache file. Names are cached per context. A token or an address from environment variables means another
 * account, with its own folder; with --base-url nothing is cached.
 */
async function placeOf(kind: NameKind, account: Account): Promise<NamesFile | undefined> {
  try {
    const names = join(account.local.paths.cache, 'names')
    if (kind === 'contexts') return { file: join(names, '.contexts') }
    const credential = await account.access.credential()
    const chosen = credential.context && contextFolder(credential.context.name)
    const folder = credential.sandbox ? chosen : accountFolder(credential, account.local.env, chosen)
    if (folder === undefined) return undefined
    const current = credential.context?.from === 'context' ? chosen : undefined
    const shared = !credential.sandbox && 'command' in credential.secret
    return { file: join(names, folder, kind), shared, ...(current && { current }) }
  } catch {
    return undefined
  }
}

/** Returns the folder of an account; undefined if its address or token is from elsewhere. */
function accountFolder(
  { baseUrlFrom, secret }: RemoteCredential,
  { SKYCTL_BASE_URL: address, SKYCTL_TOKEN: token }: Account['local']['env'],
  chosen: string | undefined,
): string | undefined {
  if (baseUrlFrom === 'flag' || secret instanceof Problem) return undefined
  const place = baseUrlFrom === 'environment' ? address : chosen
  if (secret.from === 'context') return baseUrlFrom === 'context' ? chosen : environmentFolder(place, chosen)
  return environmentFolder(place, token?.slice(0, shownOfToken))
}

function replace(path: string, text: string): void {
  replaceByDraft(path, (draft) => writeFileSync(draft, text, { mode: 0o600 }))
  sweepFolder(dirname(path))
}
