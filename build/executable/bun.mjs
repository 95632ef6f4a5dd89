/** Builds executables with bun: a fixed version from npm's registry, with verified content, and its compiler. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import runtimes from './runtimes.json' with { type: 'json' }

const run = promisify(execFile)

/** Targets of bun's compiler, such as `linux-x64`, each with a package of its own. */
export const targets = Object.keys(runtimes.integrity)

export const { version } = runtimes

/** The target that runs on this machine. */
export function ownTarget({ platform, arch, report } = process) {
  const system = platform === 'win32' ? 'windows' : platform
  const processor = arch === 'arm64' ? 'aarch64' : arch
  // Node has the version of the glibc that it runs on; the other C library of Linux is musl.
  const musl = platform === 'linux' && report.getReport().header.glibcVersionRuntime === undefined
  return `${system}-${processor}${musl ? '-musl' : ''}`
}

/**
 * Compiles a CommonJS file that contains everything but modules of Node.
 *
 * @param {string} source the file
 * @param {{ outfile: string, compiler: string, runtime: string, target: string, order?: string }} to the output, and
 * the
 *   program that it is built from (see `fetchRuntime`); the compiler runs here. `order` is the file of `orderOf`
 */
export async function compile(source, { outfile, compiler, runtime, target, order }) {
  const words = ['build', '--compile', `--target=bun-${target}`, `--compile-executable-path=${runtime}`]
  // JavaScriptCore parses 1.8 MB in 30 ms; with its bytecode, a start takes 6 instead of 36. bun compiles a function to
  // machine code after a number of calls, which is multiplied by 30 here: that saves 5 of the 29 ms of a list, and 11
  // of CPU time. in-bun.js restores the default.
  const fast = ['--bytecode', '--format=cjs', '--compile-jit-policy=30']
  // Otherwise it would read variables, possibly a token, and code to run first from files of the current folder.
  const files = ['dotenv', 'bunfig', 'tsconfig', 'package-json'].map((file) => `--no-compile-autoload-${file}`)
  // The compiler stores the path of the file: this way, the same program gives the same executable.
  const place = { cwd: dirname(source), env: plainEnvironment() }
  const ordered = order === undefined ? [] : [`--bytecode-order=${order}`]
  await run(compiler, [...words, ...fast, ...ordered, ...files, `--outfile=${outfile}`, basename(source)], place)
}

/**
 * Runs a list with an executable of this system, since scripts run lists most often, and resolves to a file with the
 * functions that it called. With this file, their bytecode is stored together: 1 of the 30 ms of a list.
 */
export async function orderOf(executable, folder) {
  const order = join(folder, 'order')
  const env = { BUN_BYTECODE_ORDER_OUT: order, SKYCTL_CONFIG_DIR: folder, SKYCTL_STATE_DIR: folder }
  await run(executable, ['--context', 'sandbox', 'volumes', 'list', '--json'], { env })
  return order
}

/** Returns the environment without the variables of bun. */
function plainEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('BUN_')))
}

/**
 * Downloads a target's bun to a folder, and resolves to its path. npm uses its configured registry, and its own cache
 * first. Throws if the content is not the pinned one.
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

/** Throws if bytes do not have a digest, in the form of package-lock.json: `sha512-` and base64. */
export function verify(bytes, integrity, name) {
  const digest = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  if (digest !== integrity) throw new Error(`${name} is ${digest}, and not ${integrity} as build/executable has it`)
}
