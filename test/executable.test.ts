/**
 * The executable from the Node.js that runs these tests; `npm run test:executable` tests the one from Bun completely.
 */
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

interface RunResult {
  exit: number | null
  stdout: string
  stderr: string
}

async function run(argv: readonly string[], env: Record<string, string | undefined>): Promise<RunResult> {
  const [file = '', ...words] = argv
  const child = spawn(file, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { exit: await exit, stdout, stderr }
}

/** Builds an executable from the existing dist/. */
const buildExecutable = (words: readonly string[], env: Record<string, string | undefined> = process.env) =>
  run([process.execPath, join(root, 'build/executable.mjs'), '--no-build', ...words], env)

// The build takes seconds, and more on a busy machine.
const longTimeout = { timeout: 600_000 }

test('an executable from Node.js runs alone, and comes with all licences', longTimeout, async ({ home, env, skip }) => {
  const out = join(home, 'executable')
  const build = await buildExecutable(['--node', '--out', out])
  // Some Node.js binaries cannot be used: several files, signed, or without a licence file.
  skip(build.exit !== 0 && /^(an executable|this Node|no licence)/.test(build.stderr), build.stderr.trim())
  expect(build).toMatchObject({ exit: 0, stderr: '' })
  const [target = ''] = readdirSync(out)
  expect(readdirSync(join(out, target)).sort()).toEqual(['LICENSES', 'skyctl'])
  // Code that was compiled with other options of V8 is ignored without a warning.
  const alone = { ...env, PATH: '', NODE_OPTIONS: '--max-old-space-size=200' }
  const skyctl = (...words: string[]) => run([join(out, target, 'skyctl'), ...words], alone)
  expect(await skyctl('--version')).toEqual({ exit: 0, stdout: `${version}\n`, stderr: '' })
  expect(await skyctl('volumes', 'list', '--quiet')).toEqual({
    exit: 0,
    stderr: '',
    stdout: expect.stringMatching(/^3001$/m),
  })
  expect(await skyctl('__complete', 'bash', 'volumes', 'cre')).toEqual({
    exit: 0,
    stdout: ':words \ncreate\n',
    stderr: '',
  })
  expect(await skyctl('volumes', 'view', 'nothing')).toMatchObject({ exit: 5, stdout: '' })
  const licences = readFileSync(join(out, target, 'LICENSES'), 'utf8')
  expect(licences).toContain(readFileSync(join(root, 'LICENSE'), 'utf8'))
  expect(licences).toMatch(/^undici \d+\.\d+\.\d+ \(MIT\)$/m)
  expect(licences).toContain('Node.js is licensed for use as follows')
})

test('an executable from Bun comes with all licences', ({ skip }) => {
  const folder = dirname(executable ?? '')
  skip(executable === undefined || folder.endsWith('-node'), 'one of bun is made by `npm run test:executable` only')
  const licences = readFileSync(join(folder, 'LICENSES'), 'utf8')
  for (const path of ['LICENSE', 'dist/THIRD-PARTY-LICENSES', 'build/executable/BUN-LICENSES'])
    expect(licences).toContain(readFileSync(join(root, path), 'utf8'))
})

test('a runtime with another hash than the pinned one is rejected', longTimeout, async ({ home }) => {
  const programs = join(home, 'bin')
  mkdirSync(programs)
  // Replaces `npm pack --json --pack-destination FOLDER`.
  writeFileSync(join(programs, 'npm'), `#!/bin/sh\necho evil > bun.tgz\necho '[{"filename": "bun.tgz"}]'\n`)
  chmodSync(join(programs, 'npm'), 0o755)
  const out = join(home, 'executable')
  const { exit, stderr } = await buildExecutable(['--out', out], {
    ...process.env,
    PATH: `${programs}:${process.env.PATH}`,
  })
  expect({ exit, stderr }).toEqual({
    exit: 1,
    stderr: expect.stringMatching(/^@oven\/bun-\S+ is sha512-\S+, and not /),
  })
  expect(existsSync(out)).toBe(false)
})

test('the licences of Bun are those of its pinned version', () => {
  const licences = readFileSync(join(root, 'build/executable/BUN-LICENSES'), 'utf8')
  expect(licences).toMatch(new RegExp(`^bun ${runtimes.version.replaceAll('.', '\\.')} and what is linked into it\n`))
  expect(licences).toContain(`tag bun-v${runtimes.version}`)
  for (const integrity of Object.values(runtimes.integrity)) expect(integrity).toMatch(/^sha512-[\w+/]{86}==$/)
})
