/**
 * Bundles src/ and the packages that it imports into dist/, so that an installed skyctl is one package without a tree.
 *
 * The sources are ES modules, and Node 20 starts an ES entry 4 ms later than a CommonJS one; but esbuild splits shared
 * code off into chunks for ES modules only. So it bundles and splits ES modules first, and then turns each file by
 * itself into CommonJS: `import` becomes `require`, `import()` a promise of it.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build as bundle, transform } from 'esbuild'
import { licences } from './licences.mjs'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

// The names of functions stay: they are what a trace shown by --debug is read by.
const common = {
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
}

/** What packages import but we never reach, with the importer that must not load it. */
const unreached = [
  // 2 to 5 ms for executable subcommands, which we have none of.
  { importer: /[\\/]commander[\\/]/, path: /^node:child_process$/ },
  // Loads node:http2; a connection speaks HTTP/2 only where `allowH2` is set.
  { importer: /[\\/]undici[\\/]/, path: /[\\/]client-h2\.js$/ },
]

const leaveOut = {
  name: 'leave-out',
  setup(build) {
    build.onResolve({ filter: /child_process|client-h2/ }, ({ path, importer }) => {
      const known = unreached.some((each) => each.importer.test(importer) && each.path.test(path))
      return known ? { path, namespace: 'left-out' } : undefined
    })
    build.onLoad({ filter: /.*/, namespace: 'left-out' }, ({ path }) => ({
      contents: `module.exports = () => { throw new Error(${JSON.stringify(`${path} is not part of this build`)}) }`,
    }))
  },
}

/** Makes dist/ hold what src/ says, and nothing else. */
export async function build() {
  const { outputFiles, metafile } = await bundle({
    ...common,
    absWorkingDir: root,
    entryPoints: ['src/main.ts'],
    bundle: true,
    splitting: true,
    format: 'esm',
    outdir: 'dist',
    chunkNames: '[name]-[hash]',
    metafile: true,
    write: false,
    plugins: [leaveOut],
    logLevel: 'error',
    // A warning names what would break at run time, such as `import.meta` in what becomes CommonJS.
    logOverride: Object.fromEntries(
      ['empty-import-meta', 'indirect-require', 'unsupported-require-call'].map((id) => [id, 'error']),
    ),
  })
  const files = await Promise.all(outputFiles.map(async ({ path, text }) => [basename(path), await toCommonJs(text)]))
  await replace(dist, new Map([...files, ['THIRD-PARTY-LICENSES', await licences(root, Object.keys(metafile.inputs))]]))
}

async function toCommonJs(text) {
  const { code } = await transform(text, { ...common, format: 'cjs', supported: { 'dynamic-import': false } })
  return code
}

/** A file that did not change is left alone, and the others appear whole: what runs meanwhile is not disturbed. */
async function replace(folder, files) {
  await mkdir(folder, { recursive: true })
  for (const [name, text] of files) {
    const path = join(folder, name)
    if ((await readFile(path, 'utf8').catch(() => undefined)) === text) continue
    const temporary = `${path}.${process.pid}`
    await writeFile(temporary, text)
    await rename(temporary, path)
  }
  const stale = (await readdir(folder)).filter((name) => !files.has(name))
  await Promise.all(stale.map((name) => rm(join(folder, name), { recursive: true, force: true })))
}

if (process.argv[1] === import.meta.filename) await build()
