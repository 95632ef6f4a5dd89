/**
 * Names that a shell completes, kept in the cache folder: `names/CONTEXT/KIND`, a name on each line and perhaps, after
 * a tab, a note on it. An account that the environment names has a folder instead of a context. `names/.current` says
 * which folder is that of the context in use, and `names/.contexts` holds the contexts themselves. The completion scripts
 * read these files, so that Tab does not wait for a process.
 */
// Not node:fs/promises, which any help would load, for 2 ms: this is loaded when it is first used.
import { promises } from 'node:fs'
import { dirname, join } from 'node:path'
import { Problem } from '../errors'
import { makeFolder } from '../files/folder'
import { readPrivately } from '../files/private'
import { sweepFolder, temporaryFor } from '../files/temporary'
import { safe } from '../output/safe'
import type { Session } from '../session'
import type { NameKind } from './command'

export interface Name {
  /** What is typed. */
  name: string
  /** What a shell may show beside it. */
  note?: string | undefined
}

/** The kept names; undefined where none are, or where they would not be those of the account in play. */
export async function keptNames(kind: NameKind, session: Session): Promise<string[] | undefined> {
  const place = await placeOf(kind, session)
  if (!place) return undefined
  try {
    return readLines(place.file)?.map((line) => line.split('\t', 1)[0] ?? '')
  } catch {
    return undefined
  }
}

/** Keeps names for the next time. A cache that cannot be written is no failure: it is asked again instead. */
export async function keepNames(kind: NameKind, names: readonly Name[], session: Session): Promise<void> {
  const place = await placeOf(kind, session)
  if (!place) return
  try {
    if (place.shared) await forgetOthers(dirname(place.file), session)
    makeFolder(dirname(place.file))
    await replace(place.file, session.secrets.inData(nameLines(names)))
    if (place.current) await replace(join(session.paths.cache, 'names', '.current'), `${place.current}\n`)
  } catch {
    // See above.
  }
}

/**
 * Adds names that were learnt on the way. The file stays as old as it is, or counts as old where there was none, since
 * there may be more.
 */
export async function learnNames(kind: NameKind, names: readonly Name[], session: Session): Promise<void> {
  const place = names.length === 0 ? undefined : await placeOf(kind, session)
  if (!place) return
  try {
    if (place.shared) await forgetOthers(dirname(place.file), session)
    const known = new Set(names.flatMap(({ name, note }) => [name, note]))
    const before = await linesOf(place.file)
    const others = before.lines.filter((line) => !line.split('\t').some((part) => known.has(part)))
    makeFolder(dirname(place.file))
    await replace(
      place.file,
      sortedText([
        ...session.secrets
          .inData(nameLines(names))
          .split('\n')
          .filter((line) => line !== ''),
        ...others,
      ]),
    )
    await promises.utimes(place.file, before.seconds, before.seconds)
  } catch {
    // As above.
  }
}

/** The lines of a file, and when it was written, in seconds since the epoch. */
async function linesOf(file: string): Promise<{ lines: string[]; seconds: number }> {
  try {
    const { mtimeMs } = await promises.stat(file)
    return { lines: readLines(file) ?? [], seconds: mtimeMs / 1000 }
  } catch {
    return { lines: [], seconds: 0 }
  }
}

/** Undefined where there is none. Throws for what is no file of one's own. */
function readLines(file: string): string[] | undefined {
  return readPrivately(file, () => {})
    ?.split('\n')
    .filter((line) => line !== '')
}

/** The names as they are kept and as the completion scripts read them: sorted by their bytes, so that Tab can search. */
export function nameLines(names: readonly Name[]): string {
  // A name that would do something to the terminal, or that could not be seen, cannot be completed.
  const lines = names.map(({ name, note }) => (note ? [name, note] : [name]))
  const whole = lines.filter((parts) => parts.every((part) => part !== '' && safe(part) === part))
  return sortedText(whole.map((parts) => parts.join('\t')))
}

function sortedText(lines: readonly string[]): string {
  const bytes = lines.map((line) => Buffer.from(`${line}\n`)).sort(Buffer.compare)
  return Buffer.concat(bytes).toString()
}

/** For when contexts change: what is kept may be of another account. */
export async function forgetNames(session: Session): Promise<void> {
  await remove(join(session.paths.cache, 'names'))
}

/** For when objects of a kind were made, named anew or deleted. */
export async function forgetKind(kind: NameKind, session: Session): Promise<void> {
  const place = await placeOf(kind, session)
  if (place) await remove(place.file)
}

async function remove(path: string): Promise<void> {
  try {
    await promises.rm(path, { recursive: true, force: true })
  } catch {
    // What cannot be removed grows old by itself.
  }
}

/** A command may print the token of another user than before: the names in a folder are those of one. */
async function forgetOthers(folder: string, session: Session): Promise<void> {
  const { knownUser } = await import('./identity')
  const user = `${JSON.stringify(await knownUser(session))}\n`
  const file = join(folder, '.user')
  const before = await promises.readFile(file, 'utf8').catch(() => undefined)
  if (before === user) return
  await remove(folder)
  makeFolder(folder)
  await replace(file, user)
}

interface Place {
  file: string
  /** Another user may have been there. */
  shared?: boolean
  /** The name of the folder, where it is that of the context in use. */
  current?: string
}

/**
 * Names are kept per context. A token or an address of the environment means another account, which has a folder of
 * its own; with those of a flag nothing is kept.
 */
async function placeOf(kind: NameKind, session: Session): Promise<Place | undefined> {
  try {
    const names = join(session.paths.cache, 'names')
    if (kind === 'contexts') return { file: join(names, '.contexts') }
    const credential = await session.credential()
    const chosen = credential.context && folderName(credential.context.name)
    const folder = credential.sandbox ? chosen : accountFolder(credential, session.env, chosen)
    if (folder === undefined) return undefined
    const current = credential.context?.from === 'context' ? chosen : undefined
    const shared = !credential.sandbox && 'command' in credential.secret
    return { file: join(names, folder, kind), shared, ...(current && { current }) }
  } catch {
    return undefined
  }
}

type Account = Extract<Awaited<ReturnType<Session['credential']>>, { sandbox: false }>

/** Where the names of an account are; undefined where its address or its token comes from elsewhere. */
function accountFolder(
  { baseUrlFrom, secret }: Account,
  { SKYCTL_BASE_URL: address, SKYCTL_TOKEN: token }: Session['env'],
  chosen: string | undefined,
): string | undefined {
  if (baseUrlFrom === 'flag' || secret instanceof Problem) return undefined
  const place = baseUrlFrom === 'environment' ? address : chosen
  if (secret.from === 'context') return baseUrlFrom === 'context' ? chosen : environmentFolder(place, chosen)
  return environmentFolder(place, token?.slice(0, shownOfToken))
}

/** What the service itself shows of a token (api.md, Tokens). */
const shownOfToken = 16

/**
 * `.env-` and a number that stands for an address and a user, such as the beginning of a token, which are not to be
 * read there. The scripts reckon it, too, without a process: it must need no more than integers below 2^53.
 */
export function environmentFolder(place: string | undefined, user: string | undefined): string | undefined {
  const text = `${place} ${user}`
  if (!place || !user || !/^[ -~]+$/.test(text)) return undefined
  return `.env-${[...text].reduce((sum, char) => (sum * 257 + char.charCodeAt(0)) % 17_592_186_044_399, 0)}`
}

/** No context is called `..`, nor like one of our own files. */
function folderName(name: string): string {
  return encodeURIComponent(name).replace(/^\./, '%2E')
}

async function replace(path: string, text: string): Promise<void> {
  const draft = temporaryFor(path)
  await promises.writeFile(draft, text, { mode: 0o600 })
  await promises.rename(draft, path)
  sweepFolder(dirname(path))
}
