/**
 * Makes skyctl one file, with nothing to install where it is used:
 *
 *     npm run executable                                  # for this system, of bun
 *     npm run executable -- --target linux-x64-musl       # for another; several may be named, or --all
 *     npm run executable -- --node                        # of the Node that runs this, where nothing else is allowed
 *     npm run executable -- --bun FILE                    # for this system, of a bun of one's own
 *     npm run executable -- --no-build                    # of dist/ as it is
 *
 * It is made of the very files of the package. Each executable goes to a folder of its own below `executable/`, or where
 * `--out` says, with the licences of all that is in it beside it.
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
const { values: asked } = parseArgs({
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
/** For what is needed on the way. */
const folder = await mkdtemp(join(tmpdir(), 'skyctl-executable-'))
try {
  if (!asked['no-build']) await build()
  if (asked.node) await makeOfNode()
  else await makeOfBun(targetsOf(asked))
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
  const outfile = join(await place(`${own}-node`, await node.licence()), 'skyctl')
  await node.compile(await oneFile('in-node.js'), { dist: join(root, 'dist'), outfile, folder })
  await tell(outfile, own)
}

async function makeOfBun(targets) {
  const unknown = [own, ...targets].find((target) => !bun.targets.includes(target))
  if (unknown) throw new Error(`no bun is known for ${unknown}; there is ${bun.targets.join(', ')}`)
  const source = await oneFile('in-bun.js')
  const compiler = asked.bun ? resolve(asked.bun) : await bun.fetchRuntime(own, await made(join(folder, own)))
  const licences = await readFile(join(import.meta.dirname, 'executable/BUN-LICENSES'), 'utf8')
  const trial = join(folder, 'trial.exe')
  await bun.compile(source, { outfile: trial, compiler, runtime: compiler, target: own })
  const order = await bun.orderOf(trial, await made(join(folder, 'home')))
  for (const target of targets) {
    const runtime = target === own ? compiler : await bun.fetchRuntime(target, await made(join(folder, target)))
    const outfile = join(await place(target, licences), `skyctl${target.startsWith('windows-') ? '.exe' : ''}`)
    await bun.compile(source, { outfile, compiler, runtime, target, order })
    await tell(outfile, target)
  }
}

/** A file of build/executable with all that it requires, as one of CommonJS. */
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

/** A folder in which nothing stands but the licences of what is to stand there. */
async function place(name, ofRuntime) {
  const path = resolve(asked.out, name)
  await rm(path, { recursive: true, force: true })
  await made(path)
  const ours = ['LICENSE', 'dist/THIRD-PARTY-LICENSES'].map((file) => readFile(join(root, file), 'utf8'))
  await writeFile(join(path, 'LICENSES'), [...(await Promise.all(ours)), ofRuntime].join(`\n${'='.repeat(80)}\n\n`))
  return path
}

async function made(path) {
  await mkdir(path, { recursive: true })
  return path
}

/** Starts what can be started here, and says what could not. */
async function tell(outfile, target) {
  const { size } = await stat(outfile)
  const isHere = target.replace(/-baseline$/, '') === own
  const tried = isHere && (await promisify(execFile)(outfile, ['--version'])).stdout.trim()
  const verdict = tried ? `starts here, and is skyctl ${tried}` : 'NOT TRIED: this is another system'
  console.log(`${outfile}: ${(size / 1e6).toFixed(0)} MB; ${verdict}`)
}
