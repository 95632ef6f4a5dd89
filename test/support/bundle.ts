import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/** Bundles by script: bundling one takes as long as running it. */
const bundles = new Map<string, Promise<string>>()

/**
 * Bundles a script over our sources into `folder`, so that a test can start it as a process. Every call writes a file
 * of its own: a process might not start from one that is being written.
 */
export async function bundleScript(folder: string, script: string): Promise<string> {
  const bundle = bundles.get(script) ?? createBundle(script)
  bundles.set(script, bundle)
  const file = join(mkdtempSync(join(folder, 'script-')), 'script.cjs')
  writeFileSync(file, await bundle)
  return file
}

async function createBundle(script: string): Promise<string> {
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
