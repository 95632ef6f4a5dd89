/** `sandbox start` with each of its flags, in this process, until a signal arrives. */
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { run } from '../../src/main'
import { systemClock } from '../../src/platform/system'
import { program } from '../support/program'
import { test as base } from '../support/skyctl'

interface Volume {
  id: number
  label: string
  status: string
}

/** Answer with a volume, or with a list of volumes. */
interface Answer {
  status: number
  json(): Promise<Volume & { data: Volume[] }>
}

interface Server {
  base_url: string
  token: string
  /** Sends a request with the owner's token. */
  request(path: string, body?: object): Promise<Answer>
  volume(more?: object): Promise<Answer>
  /** Sends SIGINT, and returns the exit code and the output. */
  end(): Promise<{ exit: number; stdout: string; stderr: string }>
}

const test = base.extend<{ start(flags: readonly string[], stdin?: string): Promise<Server> }>({
  start: async ({ home }, use) =>
    use(async (flags, stdin = '') => {
      const [stdout, stderr] = [new PassThrough(), new PassThrough()]
      const output: Record<'out' | 'err', string> = { out: '', err: '' }
      stdout.on('data', (text) => (output.out += text))
      stderr.on('data', (text) => (output.err += text))
      let interrupt = () => {}
      const exit = run({
        argv: ['sandbox', 'start', ...flags],
        env: { SKYCTL_CONFIG_DIR: join(home, 'config'), SKYCTL_STATE_DIR: join(home, 'state') },
        stdin: Object.assign(Readable.from([stdin]), { isTTY: false }),
        stdout,
        stderr,
        platform: 'linux',
        homedir: () => home,
        clock: systemClock,
        random: () => 0.5,
        onSignal(listener) {
          interrupt = () => listener('SIGINT')
          return () => {}
        },
        catchSignals: () => () => {},
        program,
        loadAll() {},
      })
      await Promise.race([once(stdout, 'data'), exit])
      const end = async () => {
        interrupt()
        return { exit: await exit, stdout: output.out, stderr: output.err }
      }
      onTestFinished(async () => void (await end()))
      const [, base_url = '', token = ''] =
        /^export SKYCTL_BASE_URL=(\S+)\nexport SKYCTL_TOKEN=(\w+)\n$/.exec(output.out) ??
        /^\{"base_url":"(.+)","token":"(\w+)"\}\n$/.exec(output.out) ??
        []
      const request: Server['request'] = async (path, body) =>
        fetch(base_url + path, {
          method: body ? 'POST' : 'GET',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
          ...(body && { body: JSON.stringify(body) }),
        }) as Promise<Answer>
      const volume = (more = {}) => request('/volumes', { label: 'mine', region: 'us-east', ...more })
      return { base_url, token, request, volume, end }
    }),
})

describe('a started sandbox', () => {
  test('prints what to export and how to stop it, and stops with exit code 0', async ({ start }) => {
    const { base_url, token, request, end } = await start([])
    expect(token).toMatch(/^[0-9a-f]{64}$/)
    expect(await (await request('/profile')).json()).toMatchObject({ username: 'owner' })
    expect(await end()).toEqual({
      exit: 0,
      stdout: `export SKYCTL_BASE_URL=${base_url}\nexport SKYCTL_TOKEN=${token}\n`,
      stderr: 'The sandbox is running. Stop it with Ctrl-C.\n',
    })
    await expect(request('/profile')).rejects.toThrow()
  })

  test('prints only one line of JSON with --json', async ({ start }) => {
    const { base_url, token, end } = await start(['--json'])
    expect(await end()).toEqual({ exit: 0, stdout: `${JSON.stringify({ base_url, token })}\n`, stderr: '' })
  })

  test('listens on the port of --port', async ({ start }) => {
    const { base_url, end } = await start([])
    await end()
    const { port } = new URL(base_url)
    expect((await start(['--port', port])).base_url).toBe(base_url)
  })

  test('fails for the paths and counts of --fail, and then works', async ({ start }) => {
    const { request } = await start(['--fail', '503:2:/volumes,429:1:/regions'])
    const statuses = async (path: string) => {
      const all: number[] = []
      for (let count = 0; count < 3; count += 1) all.push((await request(path)).status)
      return all
    }
    expect(await statuses('/profile')).toEqual([200, 200, 200])
    expect(await statuses('/volumes')).toEqual([503, 503, 200])
    expect(await statuses('/regions')).toEqual([429, 200, 200])
  })

  test('fails more than nine times if --fail requests it', async ({ start }) => {
    const { request } = await start(['--fail', '503:12'])
    const statuses: number[] = []
    for (let count = 0; count < 13; count += 1) statuses.push((await request('/profile')).status)
    expect(statuses).toEqual([...Array.from({ length: 12 }, () => 503), 200])
  })

  test('drops the answer to any write if --drop-answer has no path', async ({ start }) => {
    const { volume } = await start(['--drop-answer', '1'])
    await expect(volume()).rejects.toThrow()
    expect((await volume({ label: 'other' })).status).toBe(200)
  })

  test('enforces rate limits only with --rate-limit', async ({ start }) => {
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

  test('delays each answer by --latency', async ({ start }) => {
    const { request } = await start(['--latency', '300'])
    const began = performance.now()
    expect((await request('/regions')).status).toBe(200)
    expect(performance.now() - began).toBeGreaterThan(290)
  })

  test('has a running clock without --stop-clock', async ({ start }) => {
    const [moving, still] = [await start(['--transition', '1']), await start(['--transition', '1', '--stop-clock'])]
    const status = async ({ request }: Server, { id }: Volume) =>
      (await (await request(`/volumes/${id}`)).json()).status
    const [one, other] = [await (await moving.volume()).json(), await (await still.volume()).json()]
    await vi.waitFor(async () => expect(await status(moving, one)).toBe('active'))
    expect(await status(still, other)).toBe('creating')
  })

  test('makes the change and drops its answer with --drop-answer', async ({ start }) => {
    const { request, volume } = await start(['--drop-answer', '1:/volumes'])
    await expect(volume()).rejects.toThrow()
    expect((await (await request('/volumes')).json()).data).toContainEqual(expect.objectContaining({ label: 'mine' }))
    expect((await volume({ label: 'other' })).status).toBe(200)
  })

  test('has the time of --clock, which stays the same with --stop-clock', async ({ start }) => {
    const { volume } = await start(['--clock', '2026-01-31T12:00:00', '--stop-clock', '--transition', '600000'])
    expect(await (await volume()).json()).toMatchObject({ created: '2026-01-31T12:00:00', status: 'creating' })
  })

  test('completes transitions at once with --transition 0', async ({ start }) => {
    const { request, volume } = await start(['--transition', '0', '--stop-clock'])
    const { id } = await (await volume()).json()
    expect(await (await request(`/volumes/${id}`)).json()).toMatchObject({ status: 'active' })
  })

  test('refuses unknown keys with --strict', async ({ start }) => {
    const [plain, strict] = [await start([]), await start(['--strict'])]
    expect([(await plain.volume({ colour: 'red' })).status, (await strict.volume({ colour: 'red' })).status]).toEqual([
      200, 400,
    ])
  })

  test('keeps its world in the file of --state, and loses it with --memory', async ({ start, home }) => {
    const labels = async ({ request }: Server) =>
      (await (await request('/volumes')).json()).data.map(({ label }) => label)
    const file = join(home, 'world.json')
    for (const [flags, isKept] of [
      [['--state', file], true],
      [['--memory'], false],
    ] as const) {
      const first = await start(flags)
      await first.volume()
      await first.end()
      expect([flags, (await labels(await start(flags))).includes('mine')]).toEqual([flags, isKept])
      expect(existsSync(file)).toBe(true)
    }
    expect(readFileSync(file, 'utf8')).toContain('mine')
  })

  test('starts with the world of --seed instead of the built-in one', async ({ start, skyctl }) => {
    const { stdout } = await skyctl('sandbox world --json', { env: { SKYCTL_CONTEXT: 'sandbox' } })
    const world = { ...JSON.parse(stdout), volumes: [] }
    const { request } = await start(['--seed', '-'], JSON.stringify(world))
    expect((await (await request('/volumes')).json()).data).toEqual([])
    expect((await (await (await start([])).request('/volumes')).json()).data).not.toEqual([])
  })
})
