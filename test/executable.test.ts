/** The executable that is made of the Node that runs these tests; `npm run test:executable` tries one of bun whole. */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import runtimes from '../build/executable/runtimes.json'
import { version } from '../package.json'
import { executable } from './support/program'
import { test } from './support/skyctl'

const root = join(import.meta.dirname, '..')

interface Ended {
  exit: number | null
  stdout: string
  stderr: string
}

async function run(argv: readonly string[], env: Record<string, string | undefined>): Promise<Ended> {
  const [file = '', ...words] = argv
  const child = spawn(file, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { exit: await exit, stdout, stderr }
}

/** dist/ is built already. */
const make = (words: readonly string[], env: Record<string, string | undefined> = process.env) =>
  run([process.execPath, join(root, 'build/executable.mjs'), '--no-build', ...words], env)

// The tool that puts it there takes seconds of work, and more where others work too.
const patient = { timeout: 600_000 }

test(
  'One of this Node runs alone, and has the licences of all that is in it beside it',
  patient,
  async ({ home, env, skip }) => {
    const out = join(home, 'executable')
    const made = await make(['--node', '--out', out])
    // A Node that is in several files, or signed, cannot be taken; neither can one whose licence is not to be found.
    skip(made.exit !== 0 && /^(an executable|this Node|no licence)/.test(made.stderr), made.stderr.trim())
    expect(made).toMatchObject({ exit: 0, stderr: '' })
    const [target = ''] = readdirSync(out)
    expect(readdirSync(join(out, target)).sort()).toEqual(['LICENSES', 'skyctl'])
    // Code that was compiled under other options of V8 is left alone, without a word.
    const alone = { ...env, PATH: '', NODE_OPTIONS: '--max-old-space-size=200' }
    const skyctl = (...words: string[]) => run([join(out, target, 'skyctl'), ...words], alone)
    expect(await skyctl('--version')).toEqual({ exit: 0, stdout: `${version}\n`, stderr: '' })
    expect(await skyctl('volumes', 'list', '--quiet')).toEqual({
      exit: 0,
      stderr: '',
      stdout: expect.stringMatching(/^3001$/m),
    })
    expect(await skyctl('volumes', 'view', 'nothing')).toMatchObject({ exit: 5, stdout: '' })
    const licences = readFileSync(join(out, target, 'LICENSES'), 'utf8')
    expect(licences).toContain(readFileSync(join(root, 'LICENSE'), 'utf8'))
    expect(licences).toMatch(/^undici \d+\.\d+\.\d+ \(MIT\)$/m)
    expect(licences).toContain('Node.js is licensed for use as follows')
  },
)

test('One of bun has the licences of all that is in it beside it', ({ skip }) => {
  const folder = dirname(executable ?? '')
  skip(executable === undefined || folder.endsWith('-node'), 'one of bun is made by `npm run test:executable` only')
  const licences = readFileSync(join(folder, 'LICENSES'), 'utf8')
  for (const path of ['LICENSE', 'dist/THIRD-PARTY-LICENSES', 'build/executable/BUN-LICENSES'])
    expect(licences).toContain(readFileSync(join(root, path), 'utf8'))
})

test('A runtime that is not the pinned one is not used', patient, async ({ home }) => {
  const programs = join(home, 'bin')
  mkdirSync(programs)
  // Does what `npm pack --json --pack-destination FOLDER` does, in that folder.
  writeFileSync(join(programs, 'npm'), `#!/bin/sh\necho evil > bun.tgz\necho '[{"filename": "bun.tgz"}]'\n`)
  chmodSync(join(programs, 'npm'), 0o755)
  const out = join(home, 'executable')
  const { exit, stderr } = await make(['--out', out], { ...process.env, PATH: `${programs}:${process.env.PATH}` })
  expect({ exit, stderr }).toEqual({
    exit: 1,
    stderr: expect.stringMatching(/^@oven\/bun-\S+ is sha512-\S+, and not /),
  })
  expect(existsSync(out)).toBe(false)
})

test('The licences that go with bun are those of the version that is pinned', () => {
  const licences = readFileSync(join(root, 'build/executable/BUN-LICENSES'), 'utf8')
  expect(licences).toMatch(new RegExp(`^bun ${runtimes.version.replaceAll('.', '\\.')} and what is linked into it\n`))
  expect(licences).toContain(`tag bun-v${runtimes.version}`)
  for (const integrity of Object.values(runtimes.integrity)) expect(integrity).toMatch(/^sha512-[\w+/]{86}==$/)
})
