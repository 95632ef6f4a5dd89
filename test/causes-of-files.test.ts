/**
 * Every flag and argument that takes a file ends with one cause and exit code for the same file (interface.md, Errors): what is too
 * large is `too_large`, what must not be replaced is `local`, both exit 12, and nothing is sent that changes anything.
 * One command of each flag is also run for people; `RUNS=1` does so for all.
 */
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env as surroundings } from 'node:process'
import { describe, expect } from 'vitest'
import { commands, samples } from './support/samples'
import { type Fixtures, test } from './support/skyctl'

/** Flags and arguments whose file is read. */
const read = [
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
/** Flags whose file is new. */
const written = ['--journal', '--out', '--output-file', '--outputs', '--scratch-file']

interface TakesFile {
  path: string
  /** Its flag with dashes, or FILE where the file is an argument. */
  as: string
}

const takingFiles: TakesFile[] = commands.flatMap(({ path, command: { flags, arguments: named = [] } }) => [
  ...named.flatMap(({ values }) => (values === 'files' ? [{ path, as: 'FILE' }] : [])),
  ...flags.flatMap(({ name, values }) => (values === 'files' ? [{ path, as: `--${name}` }] : [])),
])

test('no flag and no argument that takes a file is left out', () => {
  expect([...new Set(takingFiles.map(({ as }) => as))].sort()).toEqual([...read, ...written].sort())
})

/** More than any file may have: a string of JavaScript holds 512 MiB. */
const large = 600 * 2 ** 20

/** Lines without the flags that a file takes the place of. */
const lines: Record<string, string> = {
  'api --body': 'PUT /profile/preferences',
  'apply FILE': '',
  'firewalls test --cases': 'sample',
  'firewalls test --file': '--protocol tcp --port 22 --from 203.0.113.9',
  'plan FILE': '',
  'volumes create --resume': '',
}

const isWrite = ({ method }: { method: string }) => method !== 'GET'

/** The first command of each flag, which is run for people, too; the others have the same reader. */
const first = new Set([...read, ...written].map((as) => takingFiles.find((one) => one.as === as)))

/** Runs the sample of a command with another file, with JSON and maybe for people. */
async function withFile(one: TakesFile, file: string, fixtures: Fixtures) {
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
    const people = await skyctl(words, { stdin })
    expect(people).toMatchObject({ exit: json.exit, stderr: expect.stringContaining(error?.message) })
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

describe('A file that is too large is too_large, exit 12:', () => {
  test.for(takingFiles.filter(({ as }) => read.includes(as)))(
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

describe('A file that exists already is local, exit 12, and stays as it is:', () => {
  test.for(takingFiles.filter(({ as }) => written.includes(as)))(
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
