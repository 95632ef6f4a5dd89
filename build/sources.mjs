/** Runs src/generate/ on the sources, which Node cannot load itself. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')

/** Leaves out the outline: it is generated, too, from the commands themselves. */
const withoutOutline = {
  name: 'without-outline',
  setup(bundle) {
    bundle.onResolve({ filter: /^#outline$/ }, ({ path }) => ({ path, namespace: 'outline' }))
    bundle.onLoad({ filter: /.*/, namespace: 'outline' }, () => ({ contents: '{}', loader: 'json' }))
  },
}

/** @returns {Promise<{ committed: Map<string, string>, built: Map<string, string>, types: string }>} texts by path from the root */
export async function generatedFiles() {
  const folder = await mkdtemp(join(tmpdir(), 'skyctl-generate-'))
  try {
    const outfile = join(folder, 'files.cjs')
    await build({
      absWorkingDir: root,
      entryPoints: ['src/generate/files.ts'],
      bundle: true,
      platform: 'node',
      format: 'cjs',
      outfile,
      plugins: [withoutOutline],
      logLevel: 'error',
    })
    return await createRequire(import.meta.url)(outfile).generatedFiles()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
