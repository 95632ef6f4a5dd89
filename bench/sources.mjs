/** The sources as modules, which Node cannot load itself. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')

/** For the packages among them that are CommonJS. */
const requiring = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);'

/** Everything that these files, named from the root of the repository, export together. */
export async function loadSources(...paths) {
  const folder = await mkdtemp(join(tmpdir(), 'skyctl-sources-'))
  try {
    const outfile = join(folder, 'sources.mjs')
    await build({
      stdin: { contents: paths.map((path) => `export * from './${path}'`).join('\n'), resolveDir: root },
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner: { js: requiring },
      outfile,
      logLevel: 'error',
    })
    return await import(pathToFileURL(outfile))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
