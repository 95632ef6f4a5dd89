/** Other programs, and this one once more: how they are started, heard and ended. */
import { getEventListeners } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { Problem } from '../src/errors'
import { openHost } from '../src/host'
import { test } from './support/skyctl'

/** Folders that anybody may enter: one that this user may not makes an absent program a forbidden one. */
const PATH = '/usr/local/bin:/usr/bin:/bin'

/** `caught` are the signals that skyctl leaves to others at the moment. */
function hostOf({ env = {}, script = '', stdin = new PassThrough() } = {}) {
  const caught = new Set<NodeJS.Signals>()
  const handlers: ((signal: NodeJS.Signals) => void)[] = []
  const host = openHost({
    env: { PATH, ...env },
    stdin,
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
  /** Sends a signal to whoever handles signals. */
  const emit = (signal: NodeJS.Signals) => {
    for (const handler of handlers) handler(signal)
  }
  return { ...host, caught, emit }
}

/** It ends by itself where nothing ends it. */
const forLong = 'exec sleep 20'
const sh = (line: string) => ['/bin/sh', '-c', line]
const aborted = (code: 'interrupted' | 'terminated') => AbortSignal.abort(new Problem(code, code))

describe('a program', () => {
  test.for([
    ['exit 0', 0],
    ['exit 3', 3],
    ['kill -TERM $$', 143],
    ['kill -KILL $$', 137],
  ] as const)('tells how it ended, as a shell does: %s', async ([line, exit]) => {
    const { run } = hostOf()
    expect(await run({ words: sh(line) })).toBe(exit)
    expect(await run({ words: [line], shell: true })).toBe(exit)
  })

  /** Reports whether a shell waits. Until it is loaded, its process has another name. */
  const isWaiting = (pid: number) => /^\d+ \(sh\) S /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))

  test.runIf(existsSync('/proc/self/stat')).for([true, false])(
    'that runs beside skyctl begins when whoever would end it knows it, and not before: %s',
    async (isKnown, { home }) => {
      const { run } = hostOf()
      const file = join(home, 'begun')
      let before = true
      const begins = async ({ pid }: { pid: number }) => {
        await vi.waitFor(() => expect(existsSync(file) || isWaiting(pid)).toBe(true), { timeout: 10_000, interval: 5 })
        before = existsSync(file)
        if (!isKnown) throw new Problem('refused', `not ${pid}`)
      }
      const ended = run({ words: [`echo "$$" > ${file}; exit 3`], shell: true, beside: 'unheard', begins })
      if (isKnown) expect(await ended).toBe(3)
      else await expect(ended).rejects.toThrow(/^not \d+$/)
      expect({ before, begun: existsSync(file) }).toEqual({ before: false, begun: isKnown })
    },
  )

  test('is given the environment, but no token', async () => {
    const { run } = hostOf({ env: { WHO: 'ada', SKYCTL_TOKEN: 'secret' } })
    expect(await run({ words: sh('test "$WHO.$SKYCTL_TOKEN" = ada.') })).toBe(0)
  })

  test('is what Ctrl-C means as long as it runs', async () => {
    const { run, caught } = hostOf()
    const running = run({ words: sh('exit 0') })
    expect([...caught]).toEqual(['SIGINT', 'SIGQUIT'])
    await running
    expect([...caught]).toEqual([])
  })

  test('that cannot be run is a failure of this machine', async () => {
    const { run, caught } = hostOf()
    await expect(run({ words: ['no-such-program'] })).rejects.toMatchObject({
      code: 'local',
      message: '"no-such-program" cannot be run: no such program',
    })
    expect([...caught]).toEqual([])
  })

  test('beside skyctl that cannot be run is one too, and nobody else gets its signals', async () => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
    onTestFinished(() => kill.mockRestore())
    const { run, caught } = hostOf()
    const words = ['no-such-program']
    for (const more of [{}, { signal: aborted('interrupted') }])
      await expect(run({ words, beside: 'unheard', ...more })).rejects.toMatchObject({ code: 'local' })
    expect({ sent: kill.mock.calls, caught: [...caught] }).toEqual({ sent: [], caught: [] })
  })

  test.for([
    [['/'], '"/" cannot be run: it is not executable'],
    [[], '"" cannot be run: '],
    [['a\0b'], 'cannot be run: '],
  ] as const)('that is none says why: %o', async ([words, said]) => {
    const problem = await hostOf()
      .run({ words })
      .catch((error) => error)
    expect(problem).toMatchObject({ code: 'local', message: expect.stringContaining(said) })
    expect(problem.message).not.toMatch(/undefined|: $|\[object/)
  })

  test('is ended with skyctl by SIGTERM, and not by Ctrl-C, which it hears itself', async () => {
    const { run } = hostOf()
    const stop = new AbortController()
    const running = run({ words: [forLong], shell: true, signal: stop.signal })
    stop.abort(new Problem('terminated', 'terminated'))
    expect(await running).toBe(143)
    expect(await run({ words: sh(forLong), signal: aborted('terminated') })).toBe(143)
    expect(await run({ words: sh('exit 4'), signal: aborted('interrupted') })).toBe(4)
  })

  test('leaves nothing behind that listens', async () => {
    const { signal } = new AbortController()
    await hostOf().run({ words: sh('exit 0'), signal })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('beside skyctl reads nothing, leaves Ctrl-C to it, and is ended with it by any signal', async () => {
    const { run, caught } = hostOf()
    const running = run({ words: ['cat'], beside: 'unheard' })
    expect([...caught]).toEqual(['SIGHUP', 'SIGQUIT'])
    expect(await running).toBe(0)
    expect([...caught]).toEqual([])
    const signal = aborted('interrupted')
    expect(await run({ words: sh(forLong), beside: 'unheard', signal })).toBe(143)
  })
})

describe.runIf(process.platform !== 'win32')('a signal that ends skyctl', () => {
  test.for(['SIGHUP', 'SIGQUIT'] as const)('kills the background program, then skyctl: %s', async (signal) => {
    const { run, caught, emit } = hostOf()
    const received = new Promise<NodeJS.Signals>((resolve) => process.once(signal, resolve))
    const running = run({ words: sh("trap '' TERM HUP QUIT; sleep 20"), beside: 'unheard' })
    emit(signal)
    // The default action of the signal is restored before it is sent again.
    expect([...caught]).toEqual([])
    expect(await received).toBe(signal)
    expect(await running).toBe(137)
  })
})

describe('skyctl once more', () => {
  type Detached = ReturnType<ReturnType<typeof hostOf>['detach']>
  /** All that it prints. */
  const linesOf = (detached: Detached) =>
    new Promise<string[]>((resolve) => {
      const lines: string[] = []
      detached.onLines(
        (line) => lines.push(line),
        () => resolve(lines),
      )
    })

  test('is given its words and an environment of its own, and leads a group of its own', async () => {
    // What is sent to a group that nobody leads fails.
    const script = `
      const { pid, argv, env } = process
      process.kill(-pid, 0)
      console.log(argv.slice(1).join())
      console.log([env.OURS, env.THEIRS].join())`
    const detached = hostOf({ script, env: { THEIRS: 'a' } }).detach(['one', 'two'], { PATH, OURS: 'b' })
    expect(await linesOf(detached)).toEqual(['one,two', 'b,'])
  })

  test('hears what is sent, and tells lines', async () => {
    const script = `process.stdin.on('data', (text) => { console.log('heard ' + text.toString().trim()); process.exit() })`
    const detached = hostOf({ script }).detach([], { PATH })
    const lines = linesOf(detached)
    detached.send('this')
    expect(await lines).toEqual(['heard this'])
    // What it no longer hears is no failure here.
    detached.send('that')
  })

  test('that cannot be started has nothing to tell, and is no failure here', async () => {
    const failing = vi.fn()
    process.on('uncaughtExceptionMonitor', failing)
    onTestFinished(() => void process.off('uncaughtExceptionMonitor', failing))
    const { detach } = openHost({
      env: {},
      stdin: new PassThrough(),
      program: ['/nowhere'],
      catchSignals: () => () => {},
      loadAll() {},
      platform: 'linux' as const,
    })
    const detached = detach([], {})
    detached.send('this')
    expect(await linesOf(detached)).toEqual([])
    // The failure of its start is heard in a later turn.
    await new Promise(setImmediate)
    expect(failing.mock.calls).toEqual([])
  })

  test('lives on when it is released, and sees the end of its input', async ({ home }) => {
    const seen = join(home, 'seen')
    const script = `process.stdin.resume().on('end', () => require('node:fs').writeFileSync(${JSON.stringify(seen)}, ''))`
    hostOf({ script }).detach([], { PATH }).release()
    await expect.poll(() => existsSync(seen), { timeout: 15_000 }).toBe(true)
  })
})

test('lines of stdin are heard as they come, however they end, until nobody listens', async () => {
  const stdin = new PassThrough()
  const heard: string[] = []
  const { onLines } = hostOf({ stdin })
  const stop = onLines(
    (line) => heard.push(line),
    () => heard.push('the end'),
  )
  stdin.write('one\r')
  stdin.write('\ntwo\nth')
  await expect.poll(() => heard).toEqual(['one', 'two'])
  stop()
  expect(stdin.isPaused()).toBe(true)
  stdin.end('ree\n')
  expect(heard).toEqual(['one', 'two'])
  // Who reads on gets the rest, alone.
  const rest: string[] = []
  await new Promise<void>((resolve) => {
    hostOf({ stdin }).onLines((line) => rest.push(line), resolve)
  })
  expect({ rest, heard }).toEqual({ rest: ['ree'], heard: ['one', 'two'] })

  const more = new PassThrough()
  const ended = new Promise<void>((resolve) => hostOf({ stdin: more }).onLines(() => {}, resolve))
  more.end()
  await ended
})
