/** The origin of artefacts, as an in-toto statement with SLSA provenance (https://slsa.dev/spec/v1.0/provenance). */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

/** Returns the commit of a checkout without changes; undefined for any other folder. */
export async function cleanCommit() {
  const git = (...words) => run('git', words, { cwd: root }).then(({ stdout }) => stdout.trim())
  try {
    return (await git('status', '--porcelain')) === '' ? await git('rev-parse', 'HEAD') : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the statement. It is not signed: the workflow signs one of its own.
 *
 * @param {{ name: string, data: Buffer }[]} artefacts
 * @param {{ version: string, commit?: string, targets: string[] }} release
 */
export async function provenance(artefacts, { version, commit, targets }) {
  const manifest = `pkg:npm/skyctl@${version}`
  const lockfile = await readFile(join(root, 'package-lock.json'))
  const npm = await run('npm', ['--version'], { shell: process.platform === 'win32' })
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: artefacts.map(({ name, data }) => ({ name, digest: { sha256: sha256(data) } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${manifest}#build/release.mjs`,
        externalParameters: { version, targets },
        internalParameters: { node: process.versions.node, npm: npm.stdout.trim() },
        resolvedDependencies: [
          // A checkout with changes is not a commit.
          ...(commit ? [{ name: 'source', digest: { gitCommit: commit } }] : []),
          { name: 'package-lock.json', digest: { sha256: sha256(lockfile) } },
        ],
      },
      runDetails: { builder: { id: `${manifest}#unsigned` } },
    },
  }
}

export const sha256 = (data) => createHash('sha256').update(data).digest('hex')
