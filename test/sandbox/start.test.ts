/** `sandbox start` in this process: what it takes is what it is then, for as long as no signal has come. */
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { run } from '../../src/main'
import { systemClock } from '../../src/system-clock'
import { program } from '../support/program'
import { test as base } from '../support/skyctl'

interface Volume {
  id: number
  label: string
  status: string
}

/** `json` is what the volumes of a list, or one of them, are read as. */
interface Answer {
  status: number
  json(): Promise<Volume & { data: Volume[] }>
}

interface Server {
  base_url: string
  token: string
  /** Asks it as its owner. */
  ask(path: string, body?: object): Promise<Answer>
  volume(more?: object): Promise<Answer>
  /** Sends the signal, and returns how it ended. */
  end(): Promise<{ exit: number; stdout: string; stderr: string }>
}

const test = base.extend<{ start(words: readonly string[], stdin?: string): Promise<Server> }>({
  start: async ({ home }, use) =>
    use(async (words, stdin = '') => {
      const [stdout, stderr] = [new PassThrough(), new PassThrough()]
      const said: Record<'out' | 'err', string> = { out: '', err: '' }
      stdout.on('data', (text) => (said.out += text))
      stderr.on('data', (text) => (said.err += text))
      let interrupt = () => {}
      const exit = run({
        argv: ['sandbox', 'start', ...words],
        env: { SKYCTL_CONFIG_DIR: join(home, 'config'), SKYCTL_STATE_DIR: join(home, 'state') },
        stdin: Object.assign(Readable.from([stdin]), { isTTY: false }),
        stdout,
        stderr,
        platform: 'linux',
        homedir: () => home,
        clock: systemClock,
        random: () => 0.5,
        onSignal(heard) {
          interrupt = () => heard('SIGINT')
          return () => {}
        },
        catchSignals: () => () => {},
        program,
        loadAll() {},
      })
      await Promise.race([once(stdout, 'data'), exit])
      const end = async () => {
        interrupt()
        return { exit: await exit, stdout: said.out, stderr: said.err }
      }
      onTestFinished(async () => void (await end()))
      const [, base_url = '', token = ''] =
        /^export SKYCTL_BASE_URL=(\S+)\nexport SKYCTL_TOKEN=(\w+)\n$/.exec(said.out) ??
        /^\{"base_url":"(.+)","token":"(\w+)"\}\n$/.exec(said.out) ??
        []
      const ask: Server['ask'] = async (path, body) =>
        fetch(base_url + path, {
          method: body ? 'POST' : 'GET',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
          ...(body && { body: JSON.stringify(body) }),
        }) as Promise<Answer>
      const volume = (more = {}) => ask('/volumes', { label: 'mine', region: 'us-east', ...more })
      return { base_url, token, ask, volume, end }
    }),
})

describe('a sandbox that was started', () => {
  test('tells a person what to export and how to stop it, and is stopped with success', async ({ start }) => {
    const { base_url, token, ask, end } = await start([])
    expect(token).toMatch(/^[0-9a-f]{64}$/)
    expect(await (await ask('/profile')).json()).toMatchObject({ username: 'owner' })
    expect(await end()).toEqual({
      exit: 0,
      stdout: `export SKYCTL_BASE_URL=${base_url}\nexport SKYCTL_TOKEN=${token}\n`,
      stderr: 'The sandbox is running. Stop it with Ctrl-C.\n',
    })
    await expect(ask('/profile')).rejects.toThrow()
  })

  test('tells a program in one line, and nothing besides', async ({ start }) => {
    const { base_url, token, end } = await start(['--json'])
    expect(await end()).toEqual({ exit: 0, stdout: `${JSON.stringify({ base_url, token })}\n`, stderr: '' })
  })

  test('listens on the port that is given', async ({ start }) => {
    const { base_url, end } = await start([])
    await end()
    const { port } = new URL(base_url)
    expect((await start(['--port', port])).base_url).toBe(base_url)
  })

  test('fails as often and where --fail says, and works then', async ({ start }) => {
    const { ask } = await start(['--fail', '503:2:/volumes,429:1:/regions'])
    const statuses = async (path: string) => {
      const all: number[] = []
      for (let count = 0; count < 3; count += 1) all.push((await ask(path)).status)
      return all
    }
    expect(await statuses('/profile')).toEqual([200, 200, 200])
    expect(await statuses('/volumes')).toEqual([503, 503, 200])
    expect(await statuses('/regions')).toEqual([429, 200, 200])
  })

  test('fails more than nine times where that is asked for', async ({ start }) => {
    const { ask } = await start(['--fail', '503:12'])
    const statuses: number[] = []
    for (let count = 0; count < 13; count += 1) statuses.push((await ask('/profile')).status)
    expect(statuses).toEqual([...Array.from({ length: 12 }, () => 503), 200])
  })

  test('loses the answer to any write where --drop-answer names no path', async ({ start }) => {
    const { volume } = await start(['--drop-answer', '1'])
    await expect(volume()).rejects.toThrow()
    expect((await volume({ label: 'other' })).status).toBe(200)
  })

  test('limits how often it is asked with --rate-limit alone', async ({ start }) => {
    for (const [flags, last] of [
      [['--rate-limit'], 429],
      [[], 200],
    ] as const) {
      const { volume } = await start(flags)
      const statuses: number[] = []
      for (let count = 0; count < 26; count += 1) statuses.push((await volume({ label: `v-${count}` })).status)
      expect([statuses.slice(0, 25).every((status) => status === 200), statuses.at(-1)]).toEqual([true, last])
    }
  })

  test('holds each answer back as long as --latency says', async ({ start }) => {
    const { ask } = await start(['--latency', '300'])
    const began = performance.now()
    expect((await ask('/regions')).status).toBe(200)
    expect(performance.now() - began).toBeGreaterThan(290)
  })

  test('goes on in time where nothing stops its clock', async ({ start }) => {
    const [moving, still] = [await start(['--transition', '1']), await start(['--transition', '1', '--stop-clock'])]
    const status = async ({ ask }: Server, { id }: Volume) => (await (await ask(`/volumes/${id}`)).json()).status
    const [one, other] = [await (await moving.volume()).json(), await (await still.volume()).json()]
    await vi.waitFor(async () => expect(await status(moving, one)).toBe('active'))
    expect(await status(still, other)).toBe('creating')
  })

  test('does what it was asked and loses the answer, as --drop-answer says', async ({ start }) => {
    const { ask, volume } = await start(['--drop-answer', '1:/volumes'])
    await expect(volume()).rejects.toThrow()
    expect((await (await ask('/volumes')).json()).data).toContainEqual(expect.objectContaining({ label: 'mine' }))
    expect((await volume({ label: 'other' })).status).toBe(200)
  })

  test('has the time of --clock, which stands still with --stop-clock', async ({ start }) => {
    const { volume } = await start(['--clock', '2026-01-31T12:00:00', '--stop-clock', '--transition', '600000'])
    expect(await (await volume()).json()).toMatchObject({ created: '2026-01-31T12:00:00', status: 'creating' })
  })

  test('has done at once what takes no time with --transition 0', async ({ start }) => {
    const { ask, volume } = await start(['--transition', '0', '--stop-clock'])
    const { id } = await (await volume()).json()
    expect(await (await ask(`/volumes/${id}`)).json()).toMatchObject({ status: 'active' })
  })

  test('refuses with --strict what the document does not name', async ({ start }) => {
    const [plain, strict] = [await start([]), await start(['--strict'])]
    expect([(await plain.volume({ colour: 'red' })).status, (await strict.volume({ colour: 'red' })).status]).toEqual([
      200, 400,
    ])
  })

  test('keeps its world in memory, or in the file of --state from one start to the next', async ({ start, home }) => {
    const labels = async ({ ask }: Server) => (await (await ask('/volumes')).json()).data.map(({ label }) => label)
    const file = join(home, 'world.ndjson')
    for (const [flags, kept] of [
      [['--state', file], true],
      [['--memory'], false],
    ] as const) {
      const first = await start(flags)
      await first.volume()
      await first.end()
      expect([flags, (await labels(await start(flags))).includes('mine')]).toEqual([flags, kept])
      expect(existsSync(file)).toBe(true)
    }
    expect(readFileSync(file, 'utf8')).toContain('mine')
  })

  test('begins with the world of --seed, and with no other', async ({ start, skyctl }) => {
    const { stdout } = await skyctl('sandbox world --json', { env: { SKYCTL_CONTEXT: 'sandbox' } })
    const world = { ...JSON.parse(stdout), volumes: [] }
    const { ask } = await start(['--seed', '-'], JSON.stringify(world))
    expect((await (await ask('/volumes')).json()).data).toEqual([])
    expect((await (await (await start([])).ask('/volumes')).json()).data).not.toEqual([])
  })
})
