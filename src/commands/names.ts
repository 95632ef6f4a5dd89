/**
 * Names that a shell completes, kept in the cache folder: `names/CONTEXT/KIND`, a line each, and in `names/current`
 * which folder is that of the context in use. The completion scripts read these files themselves, so that Tab does
 * not wait for a process.
 */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../context'
import { Problem } from '../errors'

export type Kind = 'volumes' | 'regions' | 'contexts'

/** The kept names; undefined where none are, or where they would not be those of the account in play. */
export async function keptNames(kind: Kind, context: Context): Promise<string[] | undefined> {
  const folder = await folderOf(context)
  if (!folder) return undefined
  try {
    return (await readFile(join(folder.path, kind), 'utf8')).split('\n').filter((line) => line !== '')
  } catch {
    return undefined
  }
}

/** Keeps names for the next time. A cache that cannot be written is no failure: it is asked again instead. */
export async function keepNames(kind: Kind, names: readonly string[], context: Context): Promise<void> {
  const folder = await folderOf(context)
  if (!folder) return
  try {
    await mkdir(folder.path, { recursive: true, mode: 0o700 })
    // A name with a line break or an escape in it cannot be completed.
    const lines = names.filter((name) => !/[\x00-\x1f\x7f]/.test(name))
    await replace(join(folder.path, kind), lines.map((line) => `${line}\n`).join(''))
    if (folder.current) await replace(join(folder.path, '..', 'current'), `${folder.name}\n`)
  } catch {
    // See above.
  }
}

/** For when contexts change: what is kept may be of another account. */
export async function forgetNames(context: Context): Promise<void> {
  try {
    await rm(join(context.paths.cache, 'names'), { recursive: true, force: true })
  } catch {
    // See above.
  }
}

/** Names are kept per context; with a token or an address from elsewhere they are of no known context. */
async function folderOf(context: Context): Promise<{ path: string; name: string; current: boolean } | undefined> {
  try {
    const credential = await context.credential()
    const chosen = credential.context
    if (!chosen) return undefined
    if (!credential.sandbox) {
      const { secret, baseUrlFrom } = credential
      if (baseUrlFrom !== 'context' || secret instanceof Problem || secret.from !== 'context') return undefined
    }
    const name = encodeURIComponent(chosen.name)
    return { path: join(context.paths.cache, 'names', name), name, current: chosen.from === 'context' }
  } catch {
    return undefined
  }
}

async function replace(path: string, text: string): Promise<void> {
  const draft = `${path}.${Math.random().toString(36).slice(2)}`
  await writeFile(draft, text, { mode: 0o600 })
  await rename(draft, path)
}
