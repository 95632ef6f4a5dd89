/** The sources as modules, which Node cannot load itself. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')

/** Everything that these files, named from the root of the repository, export together. */
export async function loadSources(...paths) {
  const folder = await mkdtemp(join(tmpdir(), 'skyctl-sources-'))
  try {
    const outfile = join(folder, 'sources.cjs')
    await build({
      stdin: { contents: paths.map((path) => `export * from './${path}'`).join('\n'), resolveDir: root },
      bundle: true,
      platform: 'node',
      format: 'cjs',
      outfile,
      logLevel: 'error',
    })
    return createRequire(import.meta.url)(outfile)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
