/**
 * Builds skyctl as one file, with nothing to install where it is used:
 *
 *     npm run executable                                  # for this system, with bun
 *     npm run executable -- --target linux-x64-musl       # for another; repeatable, or --all
 *     npm run executable -- --node                        # with the current Node, where only that is allowed
 *     npm run executable -- --bun FILE                    # for this system, with another bun
 *     npm run executable -- --no-build                    # from dist/ as it is
 *
 * It contains the files of the package. Each executable is in a folder of its own below `executable/` or `--out`, with
 * the licences of everything in it.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { build as bundle } from 'esbuild'
import build from './build.mjs'
import * as bun from './executable/bun.mjs'
import * as node from './executable/node.mjs'

const root = join(import.meta.dirname, '..')
const { values: options } = parseArgs({
  options: {
    node: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    target: { type: 'string', multiple: true },
    bun: { type: 'string' },
    'no-build': { type: 'boolean', default: false },
    out: { type: 'string', default: join(root, 'executable') },
  },
})
const own = bun.ownTarget()
/** Temporary files. */
const folder = await mkdtemp(join(tmpdir(), 'skyctl-executable-'))
try {
  if (!options['no-build']) await build()
  if (options.node) await makeOfNode()
  else await makeOfBun(targetsOf(options))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}

function targetsOf({ all, bun: file, target = [own] }) {
  if (file && (all || target.join() !== own)) throw new Error('--bun is for this system only')
  return all ? bun.targets : target
}

async function makeOfNode() {
  const reason = node.unfit()
  if (reason) throw new Error(reason)
  const outfile = join(await outputFolder(`${own}-node`, await node.licence()), 'skyctl')
  await node.compile(await oneFile('in-node.js'), { dist: join(root, 'dist'), outfile, folder })
  await report(outfile, own)
}

async function makeOfBun(targets) {
  const unknown = [own, ...targets].find((target) => !bun.targets.includes(target))
  if (unknown) throw new Error(`no bun is known for ${unknown}; there is ${bun.targets.join(', ')}`)
  const source = await oneFile('in-bun.js')
  const compiler = options.bun
    ? resolve(options.bun)
    : await bun.fetchRuntime(own, await createFolder(join(folder, own)))
  const licences = await readFile(join(import.meta.dirname, 'executable/BUN-LICENSES'), 'utf8')
  const trial = join(folder, 'trial.exe')
  await bun.compile(source, { outfile: trial, compiler, runtime: compiler, target: own })
  const order = await bun.orderOf(trial, await createFolder(join(folder, 'home')))
  for (const target of targets) {
    const runtime = target === own ? compiler : await bun.fetchRuntime(target, await createFolder(join(folder, target)))
    const outfile = join(await outputFolder(target, licences), `skyctl${target.startsWith('windows-') ? '.exe' : ''}`)
    await bun.compile(source, { outfile, compiler, runtime, target, order })
    await report(outfile, target)
  }
}

/** Bundles a file of build/executable with everything that it requires, as CommonJS. */
async function oneFile(name) {
  const outfile = join(folder, name)
  await bundle({
    entryPoints: [join(root, 'build/executable', name)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: 'error',
  })
  return outfile
}

/** Creates an empty folder with the licences of an executable. */
async function outputFolder(name, ofRuntime) {
  const path = resolve(options.out, name)
  await rm(path, { recursive: true, force: true })
  await createFolder(path)
  const ours = ['LICENSE', 'dist/THIRD-PARTY-LICENSES'].map((file) => readFile(join(root, file), 'utf8'))
  await writeFile(join(path, 'LICENSES'), [...(await Promise.all(ours)), ofRuntime].join(`\n${'='.repeat(80)}\n\n`))
  return path
}

async function createFolder(path) {
  await mkdir(path, { recursive: true })
  return path
}

/** Starts an executable if it is for this system, and prints the result. */
async function report(outfile, target) {
  const { size } = await stat(outfile)
  const isHere = target.replace(/-baseline$/, '') === own
  const tried = isHere && (await promisify(execFile)(outfile, ['--version'])).stdout.trim()
  const verdict = tried ? `starts here, and is skyctl ${tried}` : 'NOT TRIED: this is another system'
  console.log(`${outfile}: ${(size / 1e6).toFixed(0)} MB; ${verdict}`)
}
