/** What a run takes from its process, and what it sets there. */
import { EventEmitter } from 'node:events'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, describe, expect, onTestFinished, vi } from 'vitest'
import { main } from '../src/main'
import { faultServer, silence } from './support/fault-server'
import { test as base } from './support/skyctl'

// What it prints is for the streams of the process that stands here, and not for the descriptors of this one.
const direct = vi.hoisted(() => ({ stream: undefined as PassThrough | undefined }))
vi.mock(import('../src/output/lazy-stream'), () => ({
  lazyStream: (_fd, open) => direct.stream ?? open(),
  messageStream: (_fd, open) => direct.stream ?? open(),
  pipeBytesOn: () => 16_384,
}))
// Other files share the modules of this process: what they have loaded is loaded again, and afterwards without the mock.
vi.hoisted(() => vi.resetModules())
afterAll(() => {
  vi.doUnmock('../src/output/lazy-stream')
  vi.resetModules()
})

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGQUIT'

/** A process that prints nowhere. */
class Standing extends EventEmitter {
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

  heard(...signals: Signal[]): number[] {
    return signals.map((signal) => this.listenerCount(signal))
  }

  run(): Promise<void> {
    return main(this as unknown as NodeJS.Process)
  }
}

const test = base.extend<{ standing(line: string, env?: Record<string, string>): Standing; editor: string }>({
  standing: async ({ env }, use) =>
    use((line, more = {}) => new Standing([...line.split(' '), '--quiet'], { ...env, PATH: '/usr/bin:/bin', ...more })),
  /** It runs until the file beside it is there, and changes nothing. */
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
  ] as const)('ends as its command does: %s', async ([line, exit], { standing }) => {
    const one = standing(line)
    await one.run()
    expect({ exit: one.exitCode, heard: one.heard('SIGINT', 'SIGTERM') }).toEqual({ exit, heard: [0, 0] })
    expect([one.stdout.read(), one.stderr.read()].map((text) => text !== null)).toEqual([exit === 0, exit > 0])
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
    'ends at once after %s that only read, with %j left to do: %j',
    async ([line, left, expected], { standing, home }) => {
      const codes: number[] = []
      const one = standing(line.replace('debug.log', join(home, 'debug.log')))
      Object.assign(one, { getActiveResourcesInfo: () => left, exit: (code: number) => codes.push(code) })
      await one.run()
      expect(codes).toEqual(expected)
      // Its list of what is left to do is always empty.
      Object.assign(one, { versions: { bun: '1.4.5' } })
      await one.run()
      expect(codes).toEqual(expected)
    },
  )

  test('of bun ends at once if it has opened no stream, and so has nothing left to write', async ({ standing }) => {
    direct.stream = new PassThrough()
    onTestFinished(() => {
      direct.stream = undefined
    })
    const codes: number[] = []
    const one = Object.assign(standing('volumes list'), {
      versions: { bun: '1.4.5' },
      getActiveResourcesInfo: () => [],
      exit: (code: number) => codes.push(code),
    })
    await one.run()
    expect([codes, direct.stream.read() !== null]).toEqual([[0], true])
  })

  test.for(['stdin', 'stderr'] as const)(
    'is asked nothing where a terminal is its %s alone',
    async (name, { standing, world }) => {
      const one = standing('volumes delete 3002')
      Object.assign(one[name], { isTTY: true })
      await one.run()
      expect(one.exitCode).toBe(2)
      expect(String(one.stderr.read())).toContain('there is no terminal for questions')
      expect(world.requests('DELETE')).toEqual([])
    },
  )

  test('has a home, in which contexts are kept where no variable says otherwise', async ({ standing, home }) => {
    const { SKYCTL_CONFIG_DIR: _, ...env } = standing('').env
    const line = ['context', 'use', 'sandbox']
    const one = new Standing(line, { ...env, HOME: home })
    await one.run()
    expect({ exit: one.exitCode, kept: existsSync(join(home, '.config/skyctl/contexts.json')) }).toEqual({
      exit: 0,
      kept: true,
    })
  })

  test.for([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('is ended by %s, and by a second one at once', async ([signal, exit], { standing }) => {
    const server = await faultServer(silence)
    const one = standing('volumes update 3001 --label b', { SKYCTL_BASE_URL: `http://${server.host}/v4` })
    const running = one.run()
    await server.until(1)
    expect(one.heard('SIGINT', 'SIGTERM')).toEqual([1, 1])
    one.emit(signal)
    // Nobody listens any more: the second one does what it does by itself.
    expect(one.heard(signal)).toEqual([0])
    await running
    expect({ exit: one.exitCode, heard: one.heard('SIGINT', 'SIGTERM') }).toEqual({ exit, heard: [0, 0] })
  })

  test('leaves Ctrl-C to a program that it runs until that has ended', async ({ standing, editor, world }) => {
    const { id } = world.network.firewall({ label: 'web' })
    const one = standing(`firewalls rules edit ${id} --yes`, { VISUAL: editor })
    const running = one.run()
    await expect.poll(() => existsSync(`${editor}.runs`), { timeout: 15_000 }).toBe(true)
    expect(one.heard('SIGINT', 'SIGQUIT')).toEqual([2, 1])
    one.emit('SIGQUIT')
    one.emit('SIGINT')
    one.emit('SIGINT')
    expect(one.heard('SIGINT', 'SIGQUIT')).toEqual([1, 1])
    writeFileSync(`${editor}.ends`, '')
    await running
    expect(one.heard('SIGINT', 'SIGQUIT')).toEqual([0, 0])
  })
})
