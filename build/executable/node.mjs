/** Executables of Node: a copy of the one that runs this, with the program in it (Node's documentation: SEA). */
import { execFile } from 'node:child_process'
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const postject = createRequire(import.meta.url).resolve('postject/dist/cli.js')

/** What in the file of Node says whether there is something in it to run. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/** Why this Node cannot be taken; undefined where it can. */
export function unfit({ platform, config } = process) {
  // Elsewhere the file is signed, and would have to be again.
  if (platform !== 'linux') return 'an executable of Node is made on Linux only'
  const shared = Object.keys(config.variables).filter(
    (name) => /^node_shared/.test(name) && config.variables[name] === true,
  )
  return shared.length > 0 ? `this Node needs libraries that are not in its file: ${shared.join(', ')}` : undefined
}

/**
 * Puts a launcher and the files of dist/ into a copy of this Node.
 *
 * @param {string} launcher a file of CommonJS (in-node.js), in which all is that it needs but for those
 * @param {{ dist: string, outfile: string, folder: string }} to what is written; a folder for what is needed on the way
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

/** What V8 makes of the files when they list, which scripts do more than anything else. */
async function warm(dist, folder) {
  const script = join(import.meta.dirname, 'warm.cjs')
  const line = ['--context', 'sandbox', 'volumes', 'list']
  const env = { SKYCTL_CONFIG_DIR: folder, SKYCTL_STATE_DIR: folder }
  await run(process.execPath, [script, dist, folder, ...line], { env })
}

/** Node's licence, with those of all that is linked into it. Throws where it was not installed with it. */
export async function licence() {
  const prefix = join(dirname(process.execPath), '..')
  // Where archives of nodejs.org have it, and where packages of Debian do.
  for (const path of ['LICENSE', 'share/doc/nodejs/LICENSE']) {
    const text = await readFile(join(prefix, path), 'utf8').catch(() => '')
    if (text.startsWith('Node.js is licensed for use as follows')) return text
  }
  throw new Error(`no licence of Node is in ${prefix}: what may be passed on with it must be found out by a person`)
}
