/** Use of the process by a run: its streams, signals, exit code and environment. */
import { EventEmitter } from 'node:events'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, describe, expect, onTestFinished, vi } from 'vitest'
import { main } from '../src/main'
import { faultServer, silence } from './support/fault-server'
import { test as base } from './support/skyctl'

// Mocks the streams: output goes to the fake process, not to the file descriptors of this one.
const direct = vi.hoisted(() => ({ stream: undefined as PassThrough | undefined }))
vi.mock(import('../src/output/lazy-stream'), () => ({
  lazyStream: (_fd, open) => direct.stream ?? open(),
  messageStream: (_fd, open) => direct.stream ?? open(),
  pipeBytesOn: () => 16_384,
}))
// Other test files share the modules of this process, so they are loaded again, and afterwards without the mock.
vi.hoisted(() => vi.resetModules())
afterAll(() => {
  vi.doUnmock('../src/output/lazy-stream')
  vi.resetModules()
})

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGQUIT'

/** A process whose output goes nowhere. */
class FakeProcess extends EventEmitter {
  readonly platform = 'linux'
  readonly execPath = process.execPath
  readonly execArgv: string[] = []
  readonly stdin = Object.assign(new PassThrough().end(), { isTTY: false })
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough()
  readonly getBuiltinModule = process.getBuiltinModule
  exitCode: number | undefined
  readonly argv: string[]

  constructor(
    line: readonly string[],
    readonly env: Record<string, string>,
  ) {
    super()
    this.argv = ['node', 'skyctl', ...line]
  }

  listenerCounts(...signals: Signal[]): number[] {
    return signals.map((signal) => this.listenerCount(signal))
  }

  run(): Promise<void> {
    return main(this as unknown as NodeJS.Process)
  }
}

const test = base.extend<{ fakeProcess(line: string, env?: Record<string, string>): FakeProcess; editor: string }>({
  fakeProcess: async ({ env }, use) =>
    use(
      (line, more = {}) => new FakeProcess([...line.split(' '), '--quiet'], { ...env, PATH: '/usr/bin:/bin', ...more }),
    ),
  /** Runs until a file beside it exists, and changes nothing. */
  editor: async ({ home }, use) => {
    const path = join(home, 'editor')
    writeFileSync(path, `#!/bin/sh\necho > ${path}.runs\nwhile ! test -e ${path}.ends; do sleep 0.02; done\n`)
    chmodSync(path, 0o755)
    await use(path)
  },
})

describe('a process', () => {
  test.for([
    ['volumes update 3001 --add-tag b', 0],
    ['volumes update 9 --label b', 5],
    ['volumes update --no-such-flag', 2],
  ] as const)('ends with the exit code of its command: %s', async ([line, exit], { fakeProcess }) => {
    const child = fakeProcess(line)
    await child.run()
    expect({ exit: child.exitCode, listeners: child.listenerCounts('SIGINT', 'SIGTERM') }).toEqual({
      exit,
      listeners: [0, 0],
    })
    expect([child.stdout.read(), child.stderr.read()].map((text) => text !== null)).toEqual([exit === 0, exit > 0])
  })

  test.for([
    ['volumes list', [], [0]],
    ['volumes view 9', [], [5]],
    ['volumes list', ['WriteWrap'], []],
    ['volumes update 3001 --add-tag b', [], []],
    ['volumes list --debug-file debug.log', [], []],
    ['--context sandbox volumes list', [], [0]],
    ['--context sandbox volumes list', ['TCPServerWrap'], []],
    ['--context sandbox volumes update 3001 --add-tag b', [], []],
    ['context list', [], []],
  ] as const)(
    'exits at once after a read-only command with no pending output: %s, %j: %j',
    async ([line, resources, expected], { fakeProcess, home }) => {
      const codes: number[] = []
      const child = fakeProcess(line.replace('debug.log', join(home, 'debug.log')))
      Object.assign(child, { getActiveResourcesInfo: () => resources, exit: (code: number) => codes.push(code) })
      await child.run()
      expect(codes).toEqual(expected)
      // Bun always returns an empty list.
      Object.assign(child, { versions: { bun: '1.4.5' } })
      await child.run()
      expect(codes).toEqual(expected)
    },
  )

  test('of Bun exits at once if no stream was opened, so that no output is pending', async ({ fakeProcess }) => {
    direct.stream = new PassThrough()
    onTestFinished(() => {
      direct.stream = undefined
    })
    const codes: number[] = []
    const child = Object.assign(fakeProcess('volumes list'), {
      versions: { bun: '1.4.5' },
      getActiveResourcesInfo: () => [],
      exit: (code: number) => codes.push(code),
    })
    await child.run()
    expect([codes, direct.stream.read() !== null]).toEqual([[0], true])
  })

  test.for(['stdin', 'stderr'] as const)(
    'asks no question if only its %s is a terminal',
    async (name, { fakeProcess, world }) => {
      const child = fakeProcess('volumes delete 3002')
      Object.assign(child[name], { isTTY: true })
      await child.run()
      expect(child.exitCode).toBe(2)
      expect(String(child.stderr.read())).toContain('there is no terminal for questions')
      expect(world.requests('DELETE')).toEqual([])
    },
  )

  test('has a home folder for contexts if no variable names another', async ({ fakeProcess, home }) => {
    const { SKYCTL_CONFIG_DIR: _, ...env } = fakeProcess('').env
    const line = ['context', 'use', 'sandbox']
    const child = new FakeProcess(line, { ...env, HOME: home })
    await child.run()
    expect({ exit: child.exitCode, exists: existsSync(join(home, '.config/skyctl/contexts.json')) }).toEqual({
      exit: 0,
      exists: true,
    })
  })

  test.for([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends after %s, and at once after a second one', async ([signal, exit], { fakeProcess }) => {
    const server = await faultServer(silence)
    const child = fakeProcess('volumes update 3001 --label b', { SKYCTL_BASE_URL: `http://${server.host}/v4` })
    const running = child.run()
    await server.until(1)
    expect(child.listenerCounts('SIGINT', 'SIGTERM')).toEqual([1, 1])
    child.emit(signal)
    // No listener is left: a second signal has its default effect.
    expect(child.listenerCounts(signal)).toEqual([0])
    await running
    expect({ exit: child.exitCode, listeners: child.listenerCounts('SIGINT', 'SIGTERM') }).toEqual({
      exit,
      listeners: [0, 0],
    })
  })

  test('leaves Ctrl-C to a child program until that has ended', async ({ fakeProcess, editor, world }) => {
    const { id } = world.network.firewall({ label: 'web' })
    const child = fakeProcess(`firewalls rules edit ${id} --yes`, { VISUAL: editor })
    const running = child.run()
    await expect.poll(() => existsSync(`${editor}.runs`), { timeout: 15_000 }).toBe(true)
    expect(child.listenerCounts('SIGINT', 'SIGQUIT')).toEqual([2, 1])
    child.emit('SIGQUIT')
    child.emit('SIGINT')
    child.emit('SIGINT')
    expect(child.listenerCounts('SIGINT', 'SIGQUIT')).toEqual([1, 1])
    writeFileSync(`${editor}.ends`, '')
    await running
    expect(child.listenerCounts('SIGINT', 'SIGQUIT')).toEqual([0, 0])
  })
})
