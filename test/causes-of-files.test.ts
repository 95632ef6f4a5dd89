/**
 * Every flag and argument for a file has the same error code and exit code for the same file: `too_large` for a large
 * file, `local` for a file that must not be replaced, both with exit code 12 and without a change. One command of each
 * flag is also run with text output; `RUNS=1` does so for all.
 */
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env as surroundings } from 'node:process'
import { describe, expect } from 'vitest'
import { commands, samples } from './support/samples'
import { type Fixtures, test } from './support/skyctl'

/** Flags and arguments for a file to read. */
const inputFlags = [
  '--authorized-keys-file',
  '--body',
  '--cases',
  '--file',
  '--ignore',
  '--into',
  '--networks',
  '--resume',
  'FILE',
]
/** Flags for a new file. */
const outputFlags = ['--journal', '--out', '--output-file', '--outputs', '--scratch-file']

interface FileFlag {
  path: string
  /** The flag with dashes, or FILE for an argument. */
  as: string
}

const fileFlags: FileFlag[] = commands.flatMap(({ path, command: { flags, arguments: positionals = [] } }) => [
  ...positionals.flatMap(({ values }) => (values === 'files' ? [{ path, as: 'FILE' }] : [])),
  ...flags.flatMap(({ name, values }) => (values === 'files' ? [{ path, as: `--${name}` }] : [])),
])

test('every flag and argument for a file is in one of the lists', () => {
  expect([...new Set(fileFlags.map(({ as }) => as))].sort()).toEqual([...inputFlags, ...outputFlags].sort())
})

/** Larger than any file may be: a JavaScript string holds 512 MiB. */
const large = 600 * 2 ** 20

/** Lines without the flags that the file replaces. */
const lines: Record<string, string> = {
  'api --body': 'PUT /profile/preferences',
  'apply FILE': '',
  'firewalls test --cases': 'sample',
  'firewalls test --file': '--protocol tcp --port 22 --from 203.0.113.9',
  'plan FILE': '',
  'volumes create --resume': '',
}

const isWrite = ({ method }: { method: string }) => method !== 'GET'

/** First command of each flag, also run with text output; the others share its reader. */
const first = new Set([...inputFlags, ...outputFlags].map((as) => fileFlags.find((one) => one.as === as)))

/** Runs the sample of a command with another file, with JSON and possibly text output. */
async function withFile(one: FileFlag, file: string, fixtures: Fixtures) {
  const { path, as } = one
  const { line: sample = '', stdin = '', arrange } = samples[path] ?? {}
  const line = lines[`${path} ${as}`] ?? sample
  await arrange?.(fixtures)
  const { skyctl, world } = fixtures
  const before = world.requests().filter(isWrite).length
  const words = `${path} ${line.replace(/--(body|file) -/, '')} ${as === 'FILE' ? '' : as} ${file} --yes --retries 0`
  const json = await skyctl(`${words} --json`, { stdin })
  const { error } = JSON.parse(json.stderr.trimEnd().split('\n').at(-1) || '{}')
  if (first.has(one) || surroundings.RUNS !== undefined) {
    const text = await skyctl(words, { stdin })
    expect(text).toMatchObject({ exit: json.exit, stderr: expect.stringContaining(error?.message) })
  }
  return {
    ended: {
      exit: json.exit,
      code: error?.code,
      sent: world.requests().filter(isWrite).length - before,
    },
    message: error?.message,
  }
}

describe('a file that is too large fails with too_large, exit 12:', () => {
  test.for(fileFlags.filter(({ as }) => inputFlags.includes(as)))(
    '$path $as',
    async (one, { skyctl, sandbox, world, env, home, clock }) => {
      const file = join(home, 'large')
      writeFileSync(file, '', { mode: 0o600 })
      truncateSync(file, large)
      const { ended, message } = await withFile(one, file, { skyctl, sandbox, world, env, home, clock })
      expect(ended).toEqual({ exit: 12, code: 'too_large', sent: 0 })
      expect(message).toMatch(/large"? is too large: over \d+ MiB$/)
    },
  )
})

describe('an existing output file fails with local, exit 12, and stays unchanged:', () => {
  test.for(fileFlags.filter(({ as }) => outputFlags.includes(as)))(
    '$path $as',
    async (one, { skyctl, sandbox, world, env, home, clock }) => {
      const file = join(home, 'there.txt')
      writeFileSync(file, 'here already\n', { mode: 0o600 })
      const { ended, message } = await withFile(one, file, { skyctl, sandbox, world, env, home, clock })
      expect(ended).toEqual({ exit: 12, code: 'local', sent: 0 })
      expect(message).toContain(file)
      expect(readFileSync(file, 'utf8')).toBe('here already\n')
    },
  )
})
