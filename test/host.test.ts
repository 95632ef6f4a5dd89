/** Child processes of skyctl: start, output and end, of other programs and of skyctl itself. */
import { getEventListeners } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { Problem } from '../src/errors'
import { openHost } from '../src/platform/host'
import { test } from './support/skyctl'

/** Folders that anybody may read: with a forbidden one, an absent program would count as not executable. */
const PATH = '/usr/local/bin:/usr/bin:/bin'

/** Opens a host with its caught signals: those that skyctl currently leaves to its children. */
function hostOf({ env = {}, script = '' } = {}) {
  const caught = new Set<NodeJS.Signals>()
  const handlers: ((signal: NodeJS.Signals) => void)[] = []
  const host = openHost({
    env: { PATH, ...env },
    program: [process.execPath, '-e', script, '--'],
    catchSignals(signals, handler) {
      handlers.push(handler)
      for (const signal of signals) caught.add(signal)
      return () => {
        for (const signal of signals) caught.delete(signal)
      }
    },
    loadAll() {},
    platform: 'linux' as const,
  })
  /** Calls the signal handlers. */
  const emit = (signal: NodeJS.Signals) => {
    for (const handler of handlers) handler(signal)
  }
  return { ...host, caught, emit }
}

/** A process that ends by itself if nothing else ends it. */
const longRunning = 'exec sleep 20'
const sh = (line: string) => ['/bin/sh', '-c', line]
const aborted = (code: 'interrupted' | 'terminated') => AbortSignal.abort(new Problem(code, code))

describe('a program', () => {
  test.for([
    ['exit 0', 0],
    ['exit 3', 3],
    ['kill -TERM $$', 143],
    ['kill -KILL $$', 137],
  ] as const)('has the exit code that a shell reports: %s', async ([line, exit]) => {
    const { run } = hostOf()
    expect(await run({ words: sh(line) })).toBe(exit)
    expect(await run({ words: [line], shell: true })).toBe(exit)
  })

  /** Reports whether a shell waits. Before the shell is loaded, its process has another name. */
  test('gets the environment without the token', async () => {
    const { run } = hostOf({ env: { WHO: 'ada', SKYCTL_TOKEN: 'secret' } })
    expect(await run({ words: sh('test "$WHO.$SKYCTL_TOKEN" = ada.') })).toBe(0)
  })

  test('receives Ctrl-C while it runs', async () => {
    const { run, caught } = hostOf()
    const running = run({ words: sh('exit 0') })
    expect([...caught]).toEqual(['SIGINT', 'SIGQUIT'])
    await running
    expect([...caught]).toEqual([])
  })

  test('that does not exist is a local error', async () => {
    const { run, caught } = hostOf()
    await expect(run({ words: ['no-such-program'] })).rejects.toMatchObject({
      code: 'local',
      message: '"no-such-program" cannot be run: no such program',
    })
    expect([...caught]).toEqual([])
  })

  test('in the background that does not exist is a local error, and no signal is sent', async () => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
    onTestFinished(() => kill.mockRestore())
    const { run, caught } = hostOf()
    const words = ['no-such-program']
    for (const more of [{}, { signal: aborted('interrupted') }])
      await expect(run({ words, beside: 'hidden', ...more })).rejects.toMatchObject({ code: 'local' })
    expect({ sent: kill.mock.calls, caught: [...caught] }).toEqual({ sent: [], caught: [] })
  })

  test.for([
    [['/'], '"/" cannot be run: it is not executable'],
    [[], '"" cannot be run: '],
    [['a\0b'], 'cannot be run: '],
  ] as const)('that cannot be run has a reason: %o', async ([words, reason]) => {
    const problem = await hostOf()
      .run({ words })
      .catch((error) => error)
    expect(problem).toMatchObject({ code: 'local', message: expect.stringContaining(reason) })
    expect(problem.message).not.toMatch(/undefined|: $|\[object/)
  })

  test('ends with skyctl on SIGTERM, but handles Ctrl-C itself', async () => {
    const { run } = hostOf()
    const stop = new AbortController()
    const running = run({ words: [longRunning], shell: true, signal: stop.signal })
    stop.abort(new Problem('terminated', 'terminated'))
    expect(await running).toBe(143)
    expect(await run({ words: sh(longRunning), signal: aborted('terminated') })).toBe(143)
    expect(await run({ words: sh('exit 4'), signal: aborted('interrupted') })).toBe(4)
  })

  test('leaves no event listener', async () => {
    const { signal } = new AbortController()
    await hostOf().run({ words: sh('exit 0'), signal })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('in the background has no stdin, leaves Ctrl-C to skyctl, and ends with it on any signal', async () => {
    const { run, caught } = hostOf()
    const running = run({ words: ['cat'], beside: 'hidden' })
    expect([...caught]).toEqual(['SIGHUP', 'SIGQUIT'])
    expect(await running).toBe(0)
    expect([...caught]).toEqual([])
    const signal = aborted('interrupted')
    expect(await run({ words: sh(longRunning), beside: 'hidden', signal })).toBe(143)
  })
})

describe.runIf(process.platform !== 'win32')('a signal that ends skyctl', () => {
  test.for(['SIGHUP', 'SIGQUIT'] as const)('kills the background program, then skyctl: %s', async (signal) => {
    const { run, caught, emit } = hostOf()
    const received = new Promise<NodeJS.Signals>((resolve) => process.once(signal, resolve))
    const running = run({ words: sh("trap '' TERM HUP QUIT; sleep 20"), beside: 'hidden' })
    emit(signal)
    // The default action of the signal is restored before it is sent again.
    expect([...caught]).toEqual([])
    expect(await received).toBe(signal)
    expect(await running).toBe(137)
  })
})

describe('another skyctl process', () => {
  test('gets its arguments and its own environment, leads its own process group, and reports its exit', async ({
    home,
  }) => {
    const file = join(home, 'seen')
    // A signal to a group without a leader fails.
    const script = `
      const { pid, argv, env } = process
      process.kill(-pid, 0)
      require('node:fs').writeFileSync(${JSON.stringify(file)}, [...argv.slice(1), env.OURS, env.THEIRS].join())`
    const { detach } = hostOf({ script, env: { THEIRS: 'a' } })
    await new Promise<void>((resolve) => detach(['one', 'two'], { PATH, OURS: 'b' }, resolve))
    expect(readFileSync(file, 'utf8')).toBe('one,two,b,')
  })

  test('that cannot be started counts as one that has exited', async () => {
    const { detach } = openHost({
      env: {},
      program: ['/nowhere'],
      catchSignals: () => () => {},
      loadAll() {},
      platform: 'linux' as const,
    })
    await new Promise<void>((resolve) => detach([], {}, resolve))
  })
})
