/**
 * Bundles src/ and the packages that it imports into dist/, so that an installed skyctl is one package without a tree.
 *
 * Everything is CommonJS: Node 20 starts an ES entry 4 ms later. Our own code is one file, whose modules are evaluated
 * when they are first imported; to compile it whole costs less than to find and read some twenty small files. A package
 * is a file of its own, read when the module that imports it is evaluated.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build as bundle } from 'esbuild'
import { licences } from './licences.mjs'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

/** Packages that nearly every run needs, or of which little is left when the bundler has dropped what we do not use. */
const within = new Set(['commander', 'valibot'])

/** What packages import but we never reach. */
const unreached = [
  // 2 to 5 ms for executable subcommands, which we have none of.
  { importer: /[\\/]commander[\\/]/, path: /^node:child_process$/ },
  // Loads node:http2; a connection speaks HTTP/2 only where `allowH2` is set.
  { importer: /[\\/]undici[\\/]/, path: /[\\/]client-h2\.js$/ },
]

const options = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'cjs',
  outdir: 'dist',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  metafile: true,
  write: false,
  logLevel: 'error',
  // Nothing in CommonJS stands for `import.meta`.
  logOverride: { 'empty-import-meta': 'error' },
}

/** Makes dist/ hold what src/ says, and nothing else. */
export default async function build() {
  const packages = new Map()
  // The names of our functions stay: a trace that --debug shows is read by them.
  const own = await bundle({ ...options, entryPoints: ['src/main.ts'], plugins: [leaveOut, apart(packages)] })
  const foreign = await bundle({
    ...options,
    minifyIdentifiers: true,
    entryPoints: [...packages.keys()].map((name) => ({ in: `packages:${name}`, out: name })),
    plugins: [leaveOut, together(packages)],
  })
  const files = new Map([...own.outputFiles, ...foreign.outputFiles].map(({ path, text }) => [basename(path), text]))
  const inputs = [own, foreign].flatMap(({ metafile }) => Object.keys(metafile.inputs))
  await replace(dist, files.set('THIRD-PARTY-LICENSES', await licences(root, inputs)))
}

const leaveOut = {
  name: 'leave-out',
  setup(build) {
    build.onResolve({ filter: /child_process|client-h2/ }, ({ path, importer }) => {
      const known = unreached.some((each) => each.importer.test(importer) && each.path.test(path))
      return known ? { path, namespace: 'left-out' } : undefined
    })
    build.onLoad({ filter: /.*/, namespace: 'left-out' }, ({ path }) => ({
      contents: `module.exports = () => { throw new Error('${path} is not part of skyctl') }`,
    }))
  },
}

/** Turns what our code imports from a package into a lookup in that package's file, and notes it in `packages`. */
function apart(packages) {
  return {
    name: 'apart',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
        if (kind === 'entry-point' || path.startsWith('node:') || within.has(path)) return undefined
        return importer.includes('node_modules') ? undefined : { path, namespace: 'package' }
      })
      build.onResolve({ filter: /^\.\//, namespace: 'package' }, ({ path }) => ({ path, external: true }))
      build.onLoad({ filter: /.*/, namespace: 'package' }, ({ path }) => {
        const name = fileOf(path)
        packages.set(name, (packages.get(name) ?? new Set()).add(path))
        return { contents: `module.exports = require('./${name}.js')['${path}']` }
      })
    },
  }
}

/** Modules that are taken from a package by their path share a file, and so the code that they have in common. */
function fileOf(path) {
  const [, scope = '', name, inner] = /^(?:@([^/]+)\/)?([^/]+)(\/)?/.exec(path)
  return [scope, name, inner && 'parts'].filter(Boolean).join('-')
}

/** The files that `apart` counts on. */
function together(packages) {
  return {
    name: 'together',
    setup(build) {
      build.onResolve({ filter: /^packages:/ }, ({ path }) => ({ path: path.slice(9), namespace: 'packages' }))
      build.onLoad({ filter: /.*/, namespace: 'packages' }, ({ path: name }) => ({
        contents: [...packages.get(name)]
          .map((path) => `exports['${path}'] = require('${path}')`)
          .sort()
          .join('\n'),
        resolveDir: root,
      }))
    },
  }
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

// What went wrong has been printed by the bundler where it is about the sources.
if (process.argv[1] === import.meta.filename) {
  await build().catch((error) => {
    if (!error.errors) console.error(error)
    process.exitCode = 1
  })
}
