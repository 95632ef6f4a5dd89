/** Loads the sources as modules, which Node cannot do itself. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { generatedFiles } from '../build/sources.mjs'

const root = join(import.meta.dirname, '..')

/** Defines `require` for packages that are CommonJS. */
const requiring = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);'

/** Generates the outline from the current commands: a campaign runs the sources, built or not. */
const outline = {
  name: 'outline',
  setup(bundle) {
    bundle.onResolve({ filter: /^#outline$/ }, ({ path }) => ({ path, namespace: 'outline' }))
    bundle.onLoad({ filter: /.*/, namespace: 'outline' }, async () => {
      const { built } = await generatedFiles()
      return { contents: built.get('build/outline.json'), loader: 'json' }
    })
  },
}

/** Returns all exports of these files, relative to the root of the repository. */
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
      plugins: [outline],
      outfile,
      logLevel: 'error',
    })
    return await import(pathToFileURL(outfile))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
