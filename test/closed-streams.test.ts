/**
 * A change is completed if its output cannot be written: the output is dropped, and the exit code reports the failure.
 * Covers every kind of change, with each stream closed at once or after its first text.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env as surroundings } from 'node:process'
import { describe, expect } from 'vitest'
import { cases, changes, play, someBody } from './support/closed-streams'
import { keepCode, linkCode } from './support/compiled-code'
import { type Loss, lossFaults } from './support/lost-output'
import { program } from './support/program'
import { openTestSandbox, type TestSandbox } from './support/sandbox'
import { test as base, type Failing, type Options } from './support/skyctl'
import { temporaryFolder } from './support/temporary-folder'

const closedPipe = (from: number): Failing => ({ code: 'EPIPE', from })
const fullDisk = (from: number): Failing => ({ code: 'ENOSPC', from })

const closings: Readonly<Record<string, NonNullable<Options['fails']>>> = {
  'nobody reads stderr': { stderr: closedPipe(0) },
  'the reader of stderr leaves after the first line': { stderr: closedPipe(1) },
  'nobody reads stdout': { stdout: closedPipe(0) },
  'nobody reads stdout and stderr': { stdout: closedPipe(0), stderr: closedPipe(0) },
  'stderr is a full disk': { stderr: fullDisk(0) },
  'stdout is a full disk': { stdout: fullDisk(0) },
  'stdout is full after the first text': { stdout: fullDisk(1) },
}

const lossOf = (failing?: Failing): Loss['stdout'] => failing && (failing.code === 'ENOSPC' ? 'full' : 'gone')

interface Runs {
  /** Runs a line on a new sandbox, in a new home. */
  runOnFreshSandbox(
    line: string,
    options?: Options,
  ): Promise<{ exit: number; stdout: string; stderr: string; sent: string[] }>
}

const test = base.extend<Runs>({
  runOnFreshSandbox: async ({ skyctl, clock, home }, use) => {
    const sandboxes: TestSandbox[] = []
    await use(async (line, options = {}) => {
      const sandbox = await openTestSandbox({ clock })
      sandboxes.push(sandbox)
      const stateFolder = join(home, String(sandboxes.length))
      const result = await skyctl(line, {
        stdin: someBody,
        ...options,
        env: { SKYCTL_BASE_URL: sandbox.baseUrl, SKYCTL_TOKEN: sandbox.ownerToken, SKYCTL_STATE_DIR: stateFolder },
      })
      const sent = sandbox.world.requests().filter(({ method }) => method !== 'GET')
      return { ...result, sent: sent.map(({ method, path }) => `${method} ${path}`).sort() }
    })
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()))
  },
})

/** Results of runs with all output read, by line, for comparison. */
const completeRuns = new Map<string, Promise<Awaited<ReturnType<Runs['runOnFreshSandbox']>>>>()

/** Each change with three of the closings, in turn; `RUNS=1` tries all. */
const closingSamples = Object.entries(closings).map(([way, fails], at, all) => {
  const isTried = (index: number) => surroundings.RUNS !== undefined || (index + at) % all.length < 3
  return [way, fails, changes.filter((_, index) => isTried(index))] as const
})

describe.for(closingSamples)('if %s,', ([, fails, triedChanges]) => {
  test.for(triedChanges)(
    'a change of %i requests is completed: %s',
    async ([requests, line], { runOnFreshSandbox }) => {
      const completeRun = completeRuns.get(line) ?? runOnFreshSandbox(line)
      completeRuns.set(line, completeRun)
      const complete = await completeRun
      expect(complete).toMatchObject({ exit: 0 })
      expect(complete.sent).toHaveLength(requests)
      const closed = await runOnFreshSandbox(line, { fails })
      // All output may have been written before the failure.
      const stdout = closed.stdout === complete.stdout ? undefined : lossOf(fails.stdout)
      const loss = { stdout, stderr: lossOf(fails.stderr), showsOnce: false }
      expect(lossFaults({ ...complete, savedFiles: [] }, { ...closed, savedFiles: [] }, loss)).toEqual([])
    },
  )
})

describe('a one-time secret that cannot be written to stdout', () => {
  const secretFiles = (home: string) => {
    const folder = join(home, '1', 'unread')
    return readdirSync(folder).map((name) => join(folder, name))
  }

  test.for([
    ['nobody reads it', { stdout: closedPipe(0) }],
    ['the disk is full', { stdout: fullDisk(0) }],
  ] as const)(
    'is stored in a private file, which the last line names: %s',
    async ([, fails], { runOnFreshSandbox, home }) => {
      const { exit, stderr } = await runOnFreshSandbox('tokens create --label ci', { fails })
      expect(exit).toBe(12)
      const [file = ''] = secretFiles(home)
      expect(stderr.trimEnd().split('\n').at(-1)).toContain(
        `the text of token "ci" (13) is in the private file "${file}"`,
      )
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(readFileSync(file, 'utf8')).toMatch(/^facade[0-9a-f]{58}\n$/)
    },
  )

  test('is reported as JSON with the created token', async ({ runOnFreshSandbox }) => {
    const { stderr } = await runOnFreshSandbox(
      'tokens create --label ci --scope volumes:read_only --expiry 30d --json',
      {
        fails: { stdout: closedPipe(0) },
      },
    )
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 'local', retryable: false, created: { kind: 'token', id: 13, label: 'ci' } },
    })
  })

  test('is revoked if it cannot be stored either', async ({ runOnFreshSandbox, home }) => {
    writeFileSync(join(home, '1'), 'no folder')
    const { exit, stderr, sent } = await runOnFreshSandbox('tokens create --label ci', {
      fails: { stdout: closedPipe(0) },
    })
    expect(exit).toBe(12)
    expect(stderr).toContain('token "ci" (13) was created, but its text is lost; it is revoked')
    expect(sent).toEqual(['DELETE /profile/tokens/13', 'POST /profile/tokens'])
  })
})

/** Step through the cases of the built program; bench/closed-streams.mjs tries all. A prime step covers every closing. */
const stride = 79
const caseSamples = cases.filter((_, index) => index % stride === 0)

test.for(caseSamples.map((one) => ({ ...one, command: one.line.line })))(
  'a change is completed if $way: $command $flags',
  async (one) => {
    const cache = temporaryFolder()
    linkCode(cache)
    expect(await play(one, ['env', `XDG_CACHE_HOME=${cache}`, ...program])).toEqual([])
    keepCode(cache)
  },
)
