/**
 * Names that a shell completes, kept in the cache folder: `names/CONTEXT/KIND`, a name on each line and perhaps, after
 * a tab, a note on it. `names/.current` says which folder is that of the context in use, and `names/.contexts` holds
 * the contexts themselves. The completion scripts read these files, so that Tab does not wait for a process.
 */
// Not node:fs/promises, which any help would load, for 2 ms: this is loaded when it is first used.
import { promises } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Context } from '../context'
import { Problem } from '../errors'
import type { Kind } from './command'

export interface Name {
  /** What is typed. */
  name: string
  /** What a shell may show beside it. */
  note?: string
}

/** The kept names; undefined where none are, or where they would not be those of the account in play. */
export async function keptNames(kind: Kind, context: Context): Promise<string[] | undefined> {
  const place = await placeOf(kind, context)
  if (!place) return undefined
  try {
    const lines = (await promises.readFile(place.file, 'utf8')).split('\n').filter((line) => line !== '')
    return lines.map((line) => line.split('\t', 1)[0] ?? '')
  } catch {
    return undefined
  }
}

/** Keeps names for the next time. A cache that cannot be written is no failure: it is asked again instead. */
export async function keepNames(kind: Kind, names: readonly Name[], context: Context): Promise<void> {
  const place = await placeOf(kind, context)
  if (!place) return
  try {
    await promises.mkdir(dirname(place.file), { recursive: true, mode: 0o700 })
    await replace(place.file, nameLines(names))
    if (place.current) await replace(join(context.paths.cache, 'names', '.current'), `${place.current}\n`)
  } catch {
    // See above.
  }
}

/** The names as they are kept and as the completion scripts read them. */
export function nameLines(names: readonly Name[]): string {
  // A name with a line break or an escape in it cannot be completed.
  const lines = names.map(({ name, note }) => [name, ...(note ? [note] : [])])
  const whole = lines.filter((parts) => parts.every((part) => !/[\x00-\x1f\x7f]/.test(part)))
  return whole.map((parts) => `${parts.join('\t')}\n`).join('')
}

/** For when contexts change: what is kept may be of another account. */
export async function forgetNames(context: Context): Promise<void> {
  await remove(join(context.paths.cache, 'names'))
}

/** For when objects of a kind were made, named anew or deleted. */
export async function forgetKind(kind: Kind, context: Context): Promise<void> {
  const place = await placeOf(kind, context)
  if (place) await remove(place.file)
}

async function remove(path: string): Promise<void> {
  try {
    await promises.rm(path, { recursive: true, force: true })
  } catch {
    // What cannot be removed grows old by itself.
  }
}

interface Place {
  file: string
  /** The name of the folder, where it is that of the context in use. */
  current?: string
}

/** Names are kept per context; with a token or an address from elsewhere they are of no known context. */
async function placeOf(kind: Kind, context: Context): Promise<Place | undefined> {
  try {
    const names = join(context.paths.cache, 'names')
    if (kind === 'contexts') return { file: join(names, '.contexts') }
    const credential = await context.credential()
    const chosen = credential.context
    if (!chosen) return undefined
    if (!credential.sandbox) {
      const { secret, baseUrlFrom } = credential
      if (baseUrlFrom !== 'context' || secret instanceof Problem || secret.from !== 'context') return undefined
    }
    const folder = folderName(chosen.name)
    return { file: join(names, folder, kind), ...(chosen.from === 'context' && { current: folder }) }
  } catch {
    return undefined
  }
}

/** No context is called `..`, nor like one of our own files. */
function folderName(name: string): string {
  return encodeURIComponent(name).replace(/^\./, '%2E')
}

async function replace(path: string, text: string): Promise<void> {
  const draft = `${path}.${Math.random().toString(36).slice(2)}`
  await promises.writeFile(draft, text, { mode: 0o600 })
  await promises.rename(draft, path)
}
