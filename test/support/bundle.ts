import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/** By the scripts: to bundle one takes as long as to run it. */
const bundles = new Map<string, Promise<string>>()

/**
 * Bundles a script over our sources into `folder`, so that a test can start it as a process of its own. Every call has
 * a file of its own: a process would not start well from one that is just being written again.
 */
export async function bundleScript(folder: string, script: string): Promise<string> {
  const bundle = bundles.get(script) ?? bundled(script)
  bundles.set(script, bundle)
  const file = join(mkdtempSync(join(folder, 'script-')), 'script.cjs')
  writeFileSync(file, await bundle)
  return file
}

async function bundled(script: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: join(import.meta.dirname, '../../src'), loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
    logLevel: 'error',
  })
  return outputFiles.map(({ text }) => text).join('')
}
