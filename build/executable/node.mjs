/** Builds executables with Node: a copy of the current one, with the program in it (Node's documentation: SEA). */
import { execFile } from 'node:child_process'
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const postject = createRequire(import.meta.url).resolve('postject/dist/cli.js')

/** Marks the place in Node's file that tells whether it contains a program. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/** Returns the reason why this Node cannot be used; undefined if it can. */
export function unfit({ platform, config } = process) {
  // On other systems the file is signed, and would have to be signed again.
  if (platform !== 'linux') return 'an executable of Node is made on Linux only'
  const shared = Object.keys(config.variables).filter(
    (name) => /^node_shared/.test(name) && config.variables[name] === true,
  )
  return shared.length > 0 ? `this Node needs libraries that are not in its file: ${shared.join(', ')}` : undefined
}

/**
 * Puts a launcher and the files of dist/ into a copy of this Node.
 *
 * @param {string} launcher a CommonJS file (in-node.js) that contains everything else
 * @param {{ dist: string, outfile: string, folder: string }} to the output, and a folder for temporary files
 */
export async function compile(launcher, { dist, outfile, folder }) {
  const files = (await readdir(dist)).filter((name) => name.endsWith('.js'))
  await warm(dist, folder)
  const config = join(folder, 'sea.json')
  const blob = join(folder, 'sea.blob')
  const assets = Object.fromEntries(
    files.flatMap((name) => [
      [name, join(dist, name)],
      [`${name}.compiled`, join(folder, `${name}.compiled`)],
    ]),
  )
  const settings = { main: launcher, output: blob, assets, disableExperimentalSEAWarning: true }
  await writeFile(config, JSON.stringify(settings))
  await run(process.execPath, ['--experimental-sea-config', config])
  await copyFile(process.execPath, outfile)
  await run(process.execPath, [postject, outfile, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse])
}

/** Writes V8's compiled code of the files after a list, since scripts run lists most often. */
async function warm(dist, folder) {
  const script = join(import.meta.dirname, 'warm.cjs')
  const line = ['--context', 'sandbox', 'volumes', 'list']
  const env = { SKYCTL_CONFIG_DIR: folder, SKYCTL_STATE_DIR: folder }
  await run(process.execPath, [script, dist, folder, ...line], { env })
}

/** Returns Node's licence, with those of everything that is linked into it. Throws if it is not installed. */
export async function licence() {
  const prefix = join(dirname(process.execPath), '..')
  // Paths in archives of nodejs.org, and in packages of Debian.
  for (const path of ['LICENSE', 'share/doc/nodejs/LICENSE']) {
    const text = await readFile(join(prefix, path), 'utf8').catch(() => '')
    if (text.startsWith('Node.js is licensed for use as follows')) return text
  }
  throw new Error(`no licence of Node is in ${prefix}: what may be passed on with it must be found out by a person`)
}
