/**
 * A reader that goes away never ends a write (interface.md, Safety): whatever is said is dropped, the work goes on to its
 * end, and the exit code tells of that. Every kind of change, with each stream gone at once or after its first text.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env as surroundings } from 'node:process'
import { describe, expect } from 'vitest'
import { cases, changes, play, someBody } from './support/closed-streams'
import { type Loss, lossFaults } from './support/lost-output'
import { linkCode } from './support/process'
import { program } from './support/program'
import { openTestSandbox, type TestSandbox } from './support/sandbox'
import { test as base, type Failing, type Options } from './support/skyctl'
import { temporaryFolder } from './support/temporary-folder'

const gone = (from: number): Failing => ({ code: 'EPIPE', from })
const full = (from: number): Failing => ({ code: 'ENOSPC', from })

const closings: Readonly<Record<string, NonNullable<Options['fails']>>> = {
  'nobody reads stderr': { stderr: gone(0) },
  'the reader of stderr leaves after the first line': { stderr: gone(1) },
  'nobody reads stdout': { stdout: gone(0) },
  'nobody reads either': { stdout: gone(0), stderr: gone(0) },
  'stderr is a full disk': { stderr: full(0) },
  'stdout is a full disk': { stdout: full(0) },
  'stdout is full after the first text': { stdout: full(1) },
}

const lossOf = (failing?: Failing): Loss['stdout'] => failing && (failing.code === 'ENOSPC' ? 'full' : 'gone')

interface Runs {
  /** Runs a line on a sandbox of its own, in a home of its own. */
  onFresh(line: string, options?: Options): Promise<{ exit: number; stdout: string; stderr: string; sent: string[] }>
}

const test = base.extend<Runs>({
  onFresh: async ({ skyctl, clock, home }, use) => {
    const opened: TestSandbox[] = []
    await use(async (line, options = {}) => {
      const sandbox = await openTestSandbox({ clock })
      opened.push(sandbox)
      const place = join(home, String(opened.length))
      const ended = await skyctl(line, {
        stdin: someBody,
        ...options,
        env: { SKYCTL_BASE_URL: sandbox.baseUrl, SKYCTL_TOKEN: sandbox.ownerToken, SKYCTL_STATE_DIR: place },
      })
      const sent = sandbox.world.requests().filter(({ method }) => method !== 'GET')
      return { ...ended, sent: sent.map(({ method, path }) => `${method} ${path}`).sort() }
    })
    await Promise.all(opened.map((sandbox) => sandbox.close()))
  },
})

/** Runs of which everything is read, by their lines: what the others are compared with. */
const read = new Map<string, Promise<Awaited<ReturnType<Runs['onFresh']>>>>()

/** Each change in three of the ways, in turn; `RUNS=1` tries all. */
const closingsInTurn = Object.entries(closings).map(([way, fails], at, all) => {
  const isTried = (index: number) => surroundings.RUNS !== undefined || (index + at) % all.length < 3
  return [way, fails, changes.filter((_, index) => isTried(index))] as const
})

describe.for(closingsInTurn)('Where %s', ([, fails, tried]) => {
  test.for(tried)('a change of %i requests is made to its end: %s', async ([requests, line], { onFresh }) => {
    const reading = read.get(line) ?? onFresh(line)
    read.set(line, reading)
    const open = await reading
    expect(open).toMatchObject({ exit: 0 })
    expect(open.sent).toHaveLength(requests)
    const closed = await onFresh(line, { fails })
    // What came before the failure may have been all.
    const stdout = closed.stdout === open.stdout ? undefined : lossOf(fails.stdout)
    const loss = { stdout, stderr: lossOf(fails.stderr), showsOnce: false }
    expect(lossFaults({ ...open, kept: [] }, { ...closed, kept: [] }, loss)).toEqual([])
  })
})

describe('What the service shows once, and nobody reads,', () => {
  const unread = (home: string) => {
    const folder = join(home, '1', 'unread')
    return readdirSync(folder).map((name) => join(folder, name))
  }

  test.for([
    ['nobody reads it', { stdout: gone(0) }],
    ['the disk is full', { stdout: full(0) }],
  ] as const)(
    'is kept in a file for its owner, which the last line names: %s',
    async ([, fails], { onFresh, home }) => {
      const { exit, stderr } = await onFresh('tokens create --label ci', { fails })
      expect(exit).toBe(12)
      const [file = ''] = unread(home)
      expect(stderr.trimEnd().split('\n').at(-1)).toContain(
        `the text of token "ci" (13) is in the private file "${file}"`,
      )
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(readFileSync(file, 'utf8')).toMatch(/^facade[0-9a-f]{58}\n$/)
    },
  )

  test('is told as JSON with what was created', async ({ onFresh }) => {
    const { stderr } = await onFresh('tokens create --label ci --scope volumes:read_only --expiry 30d --json', {
      fails: { stdout: gone(0) },
    })
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 'local', retryable: false, created: { kind: 'token', id: 13, label: 'ci' } },
    })
  })

  test('is revoked where it could not be kept either', async ({ onFresh, home }) => {
    writeFileSync(join(home, '1'), 'no folder')
    const { exit, stderr, sent } = await onFresh('tokens create --label ci', { fails: { stdout: gone(0) } })
    expect(exit).toBe(12)
    expect(stderr).toContain('token "ci" (13) was created, but its text is lost; it is revoked')
    expect(sent).toEqual(['DELETE /profile/tokens/13', 'POST /profile/tokens'])
  })
})

/** Of the cases of the built program, one in so many; bench/closed-streams.mjs has all. A prime brings up every way. */
const stride = 79
const chosen = cases.filter((_, index) => index % stride === 0)

test.for(chosen.map((one) => ({ ...one, typed: one.line.line })))(
  'a change is made to its end where $way: $typed $flags',
  async (one) => {
    const cache = temporaryFolder()
    linkCode(cache)
    expect(await play(one, ['env', `XDG_CACHE_HOME=${cache}`, ...program])).toEqual([])
  },
)
