/** Executables of bun: what npm's registry carries of it, of one version and of known content, and its compiler. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import runtimes from './runtimes.json' with { type: 'json' }

const run = promisify(execFile)

/** `linux-x64`: what bun calls the systems, the package of each and a target of its compiler. */
export const targets = Object.keys(runtimes.integrity)

export const { version } = runtimes

/** The target that runs on this machine. */
export function ownTarget({ platform, arch, report } = process) {
  const system = platform === 'win32' ? 'windows' : platform
  const processor = arch === 'arm64' ? 'aarch64' : arch
  // Node names the version of glibc that it runs on; the other C library of Linux is musl.
  const musl = platform === 'linux' && report.getReport().header.glibcVersionRuntime === undefined
  return `${system}-${processor}${musl ? '-musl' : ''}`
}

/**
 * Compiles a file of CommonJS, in which all is that it needs but for modules of Node.
 *
 * @param {string} source the file
 * @param {{ outfile: string, compiler: string, runtime: string, target: string, order?: string }} to what is written, of
 *   which program (see `fetchRuntime`); the compiler runs here. `order` is the file that `orderOf` made
 */
export async function compile(source, { outfile, compiler, runtime, target, order }) {
  const words = ['build', '--compile', `--target=bun-${target}`, `--compile-executable-path=${runtime}`]
  // JavaScriptCore parses 1.8 MB in 30 ms; with its bytecode beside them a start takes 6 instead of 36.
  // A function is compiled to machine code after so many times the calls that bun takes for enough: of a list of 29 ms that
  // takes 5, and 11 of CPU time. in-bun.js sets it back.
  const fast = ['--bytecode', '--format=cjs', '--compile-jit-policy=30']
  // Else it would take variables, a token among them, and code to run first from files of whatever folder it is in.
  const files = ['dotenv', 'bunfig', 'tsconfig', 'package-json'].map((file) => `--no-compile-autoload-${file}`)
  // It puts the path of the file in: this way the same program makes the same executable.
  const place = { cwd: dirname(source), env: plainEnvironment() }
  const ordered = order === undefined ? [] : [`--bytecode-order=${order}`]
  await run(compiler, [...words, ...fast, ...ordered, ...files, `--outfile=${outfile}`, basename(source)], place)
}

/**
 * Runs an executable of this system for a list, which scripts do more than anything else, and resolves to a file that says
 * which functions it called: what is laid out by it has their bytecode together, 1 of the 30 ms of a list.
 */
export async function orderOf(executable, folder) {
  const order = join(folder, 'order')
  const env = { BUN_BYTECODE_ORDER_OUT: order, SKYCTL_CONFIG_DIR: folder, SKYCTL_STATE_DIR: folder }
  await run(executable, ['--context', 'sandbox', 'volumes', 'list', '--json'], { env })
  return order
}

/** Without what bun itself would be told by. */
function plainEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('BUN_')))
}

/**
 * Puts a target's bun into a folder and resolves to its path. npm asks the registry that it is configured for, and its
 * own cache first. Throws where what came is not what is pinned.
 */
export async function fetchRuntime(target, folder) {
  const name = `@oven/bun-${target}@${version}`
  const words = ['pack', name, '--json', '--prefer-offline', '--pack-destination', folder]
  const { stdout } = await run('npm', words, { cwd: folder, shell: process.platform === 'win32' })
  const archive = join(folder, JSON.parse(stdout)[0].filename)
  verify(await readFile(archive), runtimes.integrity[target], name)
  const file = `package/bin/bun${target.startsWith('windows-') ? '.exe' : ''}`
  await run('tar', ['-xzf', archive, '-C', folder, file])
  return join(folder, file)
}

/** Throws where bytes do not have a digest, which is written as in package-lock.json: `sha512-` and base64. */
export function verify(bytes, integrity, name) {
  const digest = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  if (digest !== integrity) throw new Error(`${name} is ${digest}, and not ${integrity} as build/executable has it`)
}
