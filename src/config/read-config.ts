/** Reads the stored contexts. What changes and repairs them is loaded on demand. */
import { readdirSync } from 'node:fs'
import { checkPrivateFolder } from '../files/folder'
import type { Warn } from '../files/ownership'
import { readPrivately } from '../files/private'
import { type Config, noContexts } from './contexts'
import { contextsIn, ours } from './contexts-file'
import type { Paths } from './paths'

/**
 * Reads the contexts; empty if nothing was stored. Repairs leftovers of killed or damaged writes. Parses the file
 * itself: loading conf would take longer than the whole command (performance.md 4). `warn` gets problems that were fixed.
 */
export async function readConfig({ config: folder, file }: Paths, { warn }: { warn: Warn }): Promise<Config> {
  if (!checkPrivateFolder({ path: folder, ours }, warn)) return noContexts()
  if (readdirSync(folder).some((name) => name.endsWith('.tmp'))) (await import('./change-config')).sweep(file)
  const text = readPrivately(file, warn)
  if (text === undefined) return noContexts()
  return contextsIn(file, text) ?? (await import('./change-config')).recover(file, warn)
}
