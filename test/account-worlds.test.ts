/** Random accounts: what is exported from one and applied to another makes them the same (state.md, What shows that it holds). */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Account, accounts, fill } from './support/account-worlds'
import { manualClock } from './support/clock'
import { type Fate, lossyProxy } from './support/lossy'
import { program } from './support/program'
import { runSkyctl, testClock } from './support/run'
import { runs } from './support/runs'
import { environmentOf, openTestSandbox } from './support/sandbox'

const json = (text: string) => JSON.parse(text)

const [command = '', ...words] = program

interface Stage {
  env: Record<string, string>
  sandbox: Awaited<ReturnType<typeof openTestSandbox>>
  skyctl(line: string, options?: { stdin?: string; env?: Record<string, string> }): ReturnType<typeof runSkyctl>
}

/** A sandbox with an account in it; `use` works on it. */
async function withAccount<T>(account: Account, use: (stage: Stage) => Promise<T>): Promise<T> {
  const clock = testClock(manualClock())
  const sandbox = await openTestSandbox({ clock, transitionMs: 0 })
  const home = mkdtempSync(join(tmpdir(), 'skyctl-test-'))
  fill(sandbox.world, account)
  const usual = environmentOf(sandbox, home)
  try {
    return await use({
      env: usual,
      sandbox,
      skyctl: (line, { env, ...options } = {}) => runSkyctl(line, { clock, ...options, env: { ...usual, ...env } }),
    })
  } finally {
    await sandbox.close()
    rmSync(home, { recursive: true, force: true })
  }
}

const exportOf = (account: Account) =>
  withAccount(account, async ({ skyctl }) => (await skyctl('export --json')).stdout)

/** All that the file says, as the account has it now. */
async function expectReached(file: string, { skyctl, sandbox }: Stage): Promise<void> {
  const now = json((await skyctl('export --json')).stdout)
  expect(now).toMatchObject(json(file))
  const { exit, stdout } = await skyctl('plan - --exit-code', { stdin: file })
  expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringMatching(/^Nothing to do; /) })
  const labels = sandbox.world.volumes.all().map(({ label }) => label)
  expect(new Set(labels).size).toBe(labels.length)
}

const usual = 50
/** Of runs as processes, which are killed. */
const usualKills = 5

describe('what is exported from one account and applied to another', () => {
  test('makes it the same in all that a file can set', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(accounts, async ({ before, wanted }) => {
        const file = await exportOf(wanted)
        await withAccount(before, async (stage) => {
          const applied = await stage.skyctl('apply - --yes', { stdin: file })
          expect(applied).toMatchObject({ exit: 0 })
          await expectReached(file, stage)
        })
      }),
      { numRuns: runs(usual) },
    )
  })

  test('does so also where answers and requests are lost, run again until it ends well', {
    timeout: 600_000,
  }, async () => {
    const loss = fc.record({
      method: fc.constantFrom('POST', 'PUT', 'DELETE'),
      fate: fc.constantFrom<Fate>('answer lost', 'request lost', 'unavailable', 'done, then 503'),
    })
    const losses = fc.array(loss, { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(accounts, losses, async ({ before, wanted }, losses) => {
        const file = await exportOf(wanted)
        await withAccount(before, async (stage) => {
          const proxy = await lossyProxy(stage.sandbox.baseUrl)
          for (const { method, fate } of losses) proxy.lose(method, /./, fate)
          const env = { SKYCTL_BASE_URL: proxy.baseUrl }
          const run = () => stage.skyctl('apply - --yes', { stdin: file, env })
          let last = await run()
          for (let more = 0; last.exit !== 0 && more < losses.length; more += 1) last = await run()
          await proxy.close()
          expect(last).toMatchObject({ exit: 0 })
          await expectReached(file, stage)
        })
      }),
      { numRuns: runs(usual) },
    )
  })

  test('does so also where it is killed when a change has left it, and run again', { timeout: 600_000 }, async () => {
    const kill = fc.record({
      method: fc.constantFrom('POST', 'PUT', 'DELETE'),
      after: fc.nat(3),
      fate: fc.constantFrom<Fate>('none', 'request lost'),
    })
    let killed = 0
    await fc.assert(
      fc.asyncProperty(accounts, kill, async ({ before, wanted }, { method, after, fate }) => {
        const file = await exportOf(wanted)
        await withAccount(before, async (stage) => {
          const proxy = await lossyProxy(stage.sandbox.baseUrl)
          for (let passed = 0; passed < after; passed += 1) proxy.pass(method, /./)
          const held = proxy.hold(method, /./, fate)
          const { PATH = '' } = process.env
          const env = { ...stage.env, PATH, SKYCTL_BASE_URL: proxy.baseUrl }
          const child = spawn(command, [...words, 'apply', '-', '--yes'], { env, stdio: ['pipe', 'ignore', 'ignore'] })
          child.stdin.end(file)
          const ended = once(child, 'exit')
          if ((await Promise.race([held.arrived.then(() => 'arrived'), ended])) === 'arrived') {
            killed += 1
            child.kill('SIGKILL')
            held.release()
            await Promise.all([held.gone, ended])
          }
          await proxy.close()
          expect(await stage.skyctl('apply - --yes', { stdin: file })).toMatchObject({ exit: 0 })
          await expectReached(file, stage)
        })
      }),
      { numRuns: runs(usualKills) },
    )
    // Else nothing of this was tried.
    expect(killed).toBeGreaterThan(0)
  })
})
