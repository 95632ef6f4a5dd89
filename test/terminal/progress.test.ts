/** Progress on a terminal, which is erased at the end. */
import { describe, expect } from 'vitest'
import { type FaultServer, openFaultServer, reply, type Script } from '../support/fault-server'
import { completeRecord } from '../support/records'
import { test as base, keys } from '../support/terminal'

/** Starts a service with a volume on each of four pages; `answer()` releases the next page. */
async function openSlowService() {
  const pending = new Map<number, () => void>()
  let answered = 0
  let allowed = 0
  // Requests for pages use several connections, and arrive in any order.
  const release = () => {
    for (let next = pending.get(answered + 1); next && answered < allowed; next = pending.get(answered + 1)) {
      answered += 1
      next()
    }
  }
  const server = await openFaultServer((socket, { path }) => {
    const page = Number(/[?&]page=(\d+)/.exec(path)?.[1] ?? 1)
    const body = path.startsWith('/v4/volumes?')
      ? { data: [completeRecord({ id: page, label: `v${page}` })], page, pages: 4, results: 4 }
      : completeRecord({ id: 7, label: 'data' })
    pending.set(page, () => reply(200, body)(socket, { method: 'GET', path, headers: {}, body: '' }))
    release()
  })
  return {
    env: { SKYCTL_BASE_URL: `http://${server.host}/v4` },
    host: server.host,
    waitForRequests: server.until,
    close: server.close,
    answer() {
      allowed += 1
      release()
    },
  }
}

const test = base.extend<{
  /** Starts a server with this script, until the test ends. */
  faultServer(script: Script): Promise<FaultServer>
  /** Starts a slow service, until the test ends. */
  slowService(): ReturnType<typeof openSlowService>
}>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads which fixtures are wanted from the pattern
  faultServer: async ({}, use) => closing(openFaultServer, use),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  slowService: async ({}, use) => closing(openSlowService, use),
})

/** Lets a test open servers, and closes them afterwards. */
async function closing<Options extends unknown[], Server extends { close(): void }>(
  open: (...options: Options) => Promise<Server>,
  use: (open: (...options: Options) => Promise<Server>) => Promise<void>,
): Promise<void> {
  const servers: Server[] = []
  await use(async (...options) => {
    const server = await open(...options)
    servers.push(server)
    return server
  })
  for (const server of servers) server.close()
}

describe.concurrent('A wait without a progress line', () => {
  const create = 'volumes create --label data --region us-east --wait'
  const created = 'Created volume "data" (3007): 20 GiB in us-east, billed until it is deleted\n'
  const waiting = 'Waiting for volume "data" (3007) to be active: creating\n'

  test.for([
    [create, created + waiting],
    [`${create} --quiet`, ''],
    [`${create} --json`, ''],
    [`${create} -o ndjson`, ''],
    [
      'volumes resize data-1 --size 60 --wait',
      'Resizing volume "data-1" (3001) to 60 GiB\nWaiting for volume "data-1" (3001) to be active: resizing\n',
    ],
    ['volumes wait data-1 --for active', ''],
  ] as const)('prints one status message: %s', async ([line, stderr], { skyctl }) => {
    expect(await skyctl(line)).toMatchObject({ exit: 0, stderr })
  })

  test('prints a status message for "volumes wait", but not with --json', async ({ skyctl, sandbox }) => {
    sandbox.world.volume({ id: 3900, label: 'stuck', status: 'creating', ready_at: null })
    const line = 'volumes wait stuck --for active --wait-timeout 1s'
    const waiting = 'Waiting for volume "stuck" (3900) to be active: creating\n'
    expect((await skyctl(line)).stderr).toMatch(new RegExp(`^${waiting.replaceAll(/[()]/g, '.')}skyctl: `))
    expect(JSON.parse((await skyctl(`${line} --json`)).stderr)).toMatchObject({ error: { exit_code: 10 } })
  })

  test('prints a status message on a dumb terminal', async ({ terminal, clock }) => {
    const one = terminal(create, { env: { TERM: 'dumb' }, columns: 100 })
    await one.until(waiting.trim())
    clock.advance(600_000)
    expect((await one.end).exit).toBe(0)
    expect(one.raw()).not.toContain('\x1b')
  })
})

describe.concurrent('Progress', () => {
  test('names the slow service, and is erased at the end', async ({ terminal, slowService }) => {
    const { env, host, answer } = await slowService()
    const { until, end } = terminal('volumes view 7 -o csv --columns id,label --no-headers', { env })
    expect(await until('Waiting')).toEqual([expect.stringMatching(`^[-\\\\|/] Waiting for ${host}$`)])
    answer()
    expect(await end).toEqual({ exit: 0, screen: ['7,data'] })
  })

  test('counts pages, below the printed rows', async ({ terminal, slowService }) => {
    const { env, answer } = await slowService()
    const { until, end } = terminal('volumes list -o csv --columns id', { env })
    expect(await until('Reading')).toEqual([expect.stringMatching(/^[-\\|/] Reading volumes$/)])
    answer()
    expect(await until('page 1 of 4')).toEqual([
      'id',
      '1',
      expect.stringMatching(/^[-\\|/] Reading volumes: page 1 of 4$/),
    ])
    answer()
    await until('page 2 of 4')
    answer()
    answer()
    expect(await end).toEqual({ exit: 0, screen: ['id', '1', '2', '3', '4'] })
  })

  test('names the resource of a wait, and its status', async ({ terminal, clock }) => {
    const { until, end } = terminal('volumes create --label data --region us-east --wait --no-headers', {
      columns: 100,
    })
    expect(await until('creating')).toEqual([
      'Created volume "data" (3007): 20 GiB in us-east, billed until it is deleted',
      expect.stringMatching(/^[-\\|/] Waiting for volume "data" \(3007\) to be active: creating( \(\ds\))?$/),
    ])
    await until(/be active: creating \(1s\)$/)
    await until(/be active: creating \(2s\)$/)
    clock.advance(600_000)
    expect(await end).toMatchObject({
      exit: 0,
      screen: [
        'Created volume "data" (3007): 20 GiB in us-east, billed until it is deleted',
        '3007  data  active  20  us-east  -  -  -',
      ],
    })
  })

  test.for([40, 80])('is erased on Ctrl-C: %i columns', async (columns, { terminal, slowService }) => {
    const { env } = await slowService()
    const { until, type, end } = terminal('volumes list', { env, columns })
    await until('Reading')
    type(keys.ctrlC)
    expect(await end).toEqual({ exit: 130, screen: ['skyctl: interrupted'] })
  })

  test('is truncated to one line, with the ^C', async ({ terminal }) => {
    const { until, type, end } = terminal('volumes create --label data --region us-east --wait --json', { columns: 40 })
    await until('Waiting for volume "data" (3007) to …')
    type(keys.ctrlC)
    const { screen } = await end
    // Nothing of the progress stays before the object and the error.
    expect(screen.join('')).toMatch(/^\{ +"id": 3007,.*\}\{ +"error":/)
  })

  test.for([
    { name: 'to a dumb terminal', line: 'skyctl volumes list -o csv --columns id', env: { TERM: 'dumb' } },
    { name: 'with --quiet', line: 'skyctl volumes list --quiet', env: {} },
    { name: 'to a pipe', line: 'skyctl volumes list -o csv --columns id 2>&1 | cat', env: {} },
  ])('is not shown $name', async ({ line, env }, { terminal, shellTerminal, slowService }) => {
    const service = await slowService()
    const { end, raw } = shellTerminal(line, { env: { ...service.env, ...env } })
    await service.waitForRequests(1)
    // A later command that shows progress.
    await terminal('volumes list', { env: (await slowService()).env }).until('Reading')
    service.answer()
    await service.waitForRequests(4)
    for (let page = 2; page <= 4; page += 1) service.answer()
    await end
    expect(raw()).not.toMatch(/Reading|\x1b\[[JK]/)
  })
})

describe.concurrent('Several targets', () => {
  test('are counted', async ({ terminal, faultServer }) => {
    const pending: (() => void)[] = []
    const { host, until } = await faultServer((socket, request) => {
      const id = Number(request.path.split('/').at(-1))
      if (request.method === 'GET') reply(200, completeRecord({ id, label: `v${id}` }))(socket, request)
      else pending.push(() => reply(200, '{}')(socket, request))
    })
    const env = { SKYCTL_BASE_URL: `http://${host}/v4`, SKYCTL_HISTORY: '0' }
    const shown = terminal('volumes delete 1 2 --yes --force --concurrency 1', { env })
    const lookups = 2
    for (const count of [1, 2]) {
      await until(lookups + count)
      await shown.until(`Deleting ${count} of 2`)
      pending.shift()?.()
    }
    expect(await shown.end).toEqual({
      exit: 0,
      screen: ['Deleted volume "v1" (1)', 'Deleted volume "v2" (2)', '2 of 2 deleted'],
    })
  })
})

// One at a time: a frame for the old width must not arrive after the window has been resized.
describe('Progress in a resized window', () => {
  test.for([
    [100, [50, 12, 30]],
    [40, [100, 20]],
  ] as const)('is erased: %i columns that become %j', async ([columns, widths], { terminal, clock }) => {
    const line = 'volumes create --label data --region us-east --wait --no-headers --columns id'
    const { until, resize, raw, end } = terminal(line, { columns, isProcess: true })
    await until('Waiting')
    for (const width of widths) {
      const before = raw().length
      resize(width, 24)
      // The second frame after a resize has the new width.
      await until(() => raw().slice(before).split('\x1b[J').length > 4)
    }
    clock.advance(600_000)
    const { screen } = await end
    expect(screen.join('').replaceAll(/\s/g, '')).toBe(
      'Createdvolume"data"(3007):20GiBinus-east,billeduntilitisdeleted3007',
    )
  })
})
