import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/**
 * Bundles a script over our sources into `folder`, so that a test can start it as a process of its own. Every call has
 * a file of its own: a process would not start well from one that is just being written again.
 */
export async function bundleScript(folder: string, script: string): Promise<string> {
  const outfile = join(mkdtempSync(join(folder, 'script-')), 'script.cjs')
  await build({
    stdin: { contents: script, resolveDir: join(import.meta.dirname, '../../src'), loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile,
    logLevel: 'error',
  })
  return outfile
}
