/** SIGINT and SIGTERM, also during a change. */
import type { ServerResponse } from 'node:http'
import { describe, expect, onTestFinished } from 'vitest'
import { faultServer, reply, type Script, silence } from '../support/fault-server'
import { lossyProxy } from '../support/lossy-proxy'
import { type ProcessFixtures, type Running, test } from '../support/process'
import { openProxy } from '../support/proxy'
import { completeRecord } from '../support/records'
import type { Fixtures } from '../support/skyctl'

const created = completeRecord({
  id: 3007,
  label: 'data',
  size: 20,
  region: 'us-east',
  status: 'creating',
  created: '2026-06-01T12:00:00',
})
const create = 'volumes create --label data --region us-east --no-validate'
const waits = (request: string) =>
  `skyctl: warning: waiting up to 5 s for the answer to ${request}; a second signal stops at once\n`

const none = reply(200, { data: [], page: 1, pages: 1, results: 0 })

/** Starts a server that answers on `answer()`, but answers label lookups at once, and reads of `existing` volumes. */
async function slowServer(answer: Script = silence, { existing = [] as readonly number[] } = {}) {
  const pending: (() => void)[] = []
  let lookups = 0
  const server = await faultServer((socket, request) => {
    const id = request.method === 'GET' ? existing.find((one) => request.path.endsWith(`/volumes/${one}`)) : undefined
    if (id === undefined && request.headers['x-filter'] === undefined)
      return pending.push(() => answer(socket, request))
    lookups += 1
    return id === undefined ? none(socket, request) : reply(200, { ...created, id })(socket, request)
  })
  return {
    env: { SKYCTL_BASE_URL: `http://${server.host}/v4` },
    /** Resolves when `count` requests wait for their answers, besides the answered label lookups. */
    waitForRequests: (count = 1, lookups = 0) => server.until(count + lookups),
    answer: () => pending.shift()?.(),
    requests: () => server.received.length - lookups,
  }
}

describe.for([
  { signal: 'SIGINT' as const, exit: 130, word: 'interrupted', format: '' },
  { signal: 'SIGTERM' as const, exit: 143, word: 'terminated', format: '--json' },
])('$signal', ({ signal, exit, word, format }) => {
  test('stops a read at once', async ({ start }) => {
    const { env, waitForRequests } = await slowServer()
    const { kill, end } = start('volumes list', { env })
    await waitForRequests()
    kill(signal)
    // Without a message about waiting for an answer.
    expect(await end).toEqual({ exit, signal: null, stdout: '', stderr: `skyctl: ${word}\n` })
  })

  test('is reported as JSON with --json', async ({ start }) => {
    const { env, waitForRequests } = await slowServer()
    const { kill, end } = start('volumes list --json', { env })
    await waitForRequests()
    kill(signal)
    const { stdout, stderr, ...rest } = await end
    expect(rest).toEqual({ exit, signal: null })
    expect(stdout).toBe('')
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: word, exit_code: exit } })
  })

  test(`stops a change before it is sent ${format}`, async ({ sandbox, world, start }) => {
    world.network.firewall({ id: 9100, label: 'sample' })
    const { arrived, env } = await holdRequest(sandbox.baseUrl, { method: 'GET', path: '/networking/firewalls/9100' })
    const { kill, end } = start(`firewalls rules update 9100 --inbound-policy drop --yes ${format}`, { env })
    await arrived
    kill(signal)
    const { stderr, ...ended } = await end
    expect({ ...ended, sent: world.requests('PUT') }).toEqual({ exit, signal: null, stdout: '', sent: [] })
    if (format) expect(JSON.parse(stderr).error).toMatchObject({ code: word, exit_code: exit })
    else expect(stderr).toBe(`skyctl: ${word}\n`)
  })

  test(`stops apply after the current change ${format}`, async ({ sandbox, world, start }) => {
    const { arrived, release, env } = await holdRequest(sandbox.baseUrl, { method: 'POST', path: '/volumes' })
    const stdin = JSON.stringify({ volumes: { first: { region: 'us-east' }, second: { region: 'us-east' } } })
    const { kill, until, end } = start(`apply - --yes --concurrency 1 ${format}`, { env, stdin })
    await arrived
    kill(signal)
    await until('a second signal stops at once')
    release()
    const { exit: ended, stderr } = await end
    expect({ ended, sent: world.requests('POST').map(({ body }) => body) }).toMatchObject({
      ended: exit,
      sent: [{ label: 'first' }],
    })
    const last = stderr.trimEnd().split('\n').at(-1) ?? ''
    if (format) expect(JSON.parse(last).error).toMatchObject({ code: word, exit_code: exit })
    else expect(last).toContain(`skyctl: ${word}`)
  })

  test('does not stop a change that is answered in time', async ({ start }) => {
    const { env, waitForRequests, answer } = await slowServer(reply(200, created))
    const { kill, until, end } = start(create, { env })
    await waitForRequests(1, 1)
    kill(signal)
    await until('a second signal stops at once')
    answer()
    const { stderr, ...rest } = await end
    expect(rest).toMatchObject({ exit: 0, signal: null, stdout: expect.stringContaining('3007') })
    expect(stderr).toBe(
      `${waits('POST /volumes')}Created volume "data" (3007): 20 GiB in us-east, billed until it is deleted\n`,
    )
  })
})

describe('SIGTERM during the request of a change', () => {
  const rules = { inbound: [], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' }

  test.for([
    {
      line: 'firewalls rules update sample --file - --yes',
      request: { method: 'PUT', path: '/networking/firewalls/9100/rules' },
      stdin: JSON.stringify(rules),
      message: 'terminated, after the rules of firewall "sample" (9100) were changed',
    },
    {
      line: 'profile preferences edit --yes',
      request: { method: 'PUT', path: '/profile/preferences' },
      message: 'terminated, after the preferences were changed',
    },
  ])('reports the change: $line', async (row, { sandbox, world, start }) => {
    const { line, request, stdin = '', message } = row
    world.network.firewall({ id: 9100, label: 'sample' })
    world.profile.preferences.put({ id: 1, user: 1, app: null, text: '{"theme":"dark"}' })
    const { arrived, release, env } = await holdRequest(sandbox.baseUrl, request)
    const { kill, until, end } = start(`${line} --json`, { env: { ...env, EDITOR: 'sed -i s/dark/light/' }, stdin })
    await arrived
    kill('SIGTERM')
    await until('a second signal stops at once')
    release()
    const { exit, stdout, stderr } = await end
    expect({ exit, stdout }).toEqual({ exit: 143, stdout: '' })
    const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')
    expect(error).toMatchObject({ retryable: false, message: expect.stringContaining(message) })
  })

  test('does not prevent the output of a new token', async ({ sandbox, world, start }) => {
    const { arrived, release, env } = await holdRequest(sandbox.baseUrl, { method: 'POST', path: '/profile/tokens' })
    const { kill, until, end } = start('tokens create --label ci --json', { env })
    await arrived
    kill('SIGTERM')
    await until('a second signal stops at once')
    release()
    const { exit, stdout } = await end
    expect({ exit, token: JSON.parse(stdout).token }).toEqual({ exit: 0, token: world.tokens.all().at(-1)?.token })
  })
})

/** Starts a proxy that holds one request until it is released. */
async function holdRequest(baseUrl: string, { method, path }: { method: string; path: string }) {
  const proxy = await lossyProxy(baseUrl)
  onTestFinished(() => proxy.close())
  return { ...proxy.hold(method, path), env: { SKYCTL_BASE_URL: proxy.baseUrl } }
}

test('A change without an answer is reported 5 s after a signal', async ({ start }) => {
  const slow = await slowServer()
  const unanswered = [start(create, slow), start('volumes delete 3001 --yes --force', slow)]
  await slow.waitForRequests(2, 1)
  const before = performance.now()
  for (const { kill } of unanswered) kill('SIGINT')
  const message = (request: string) =>
    `skyctl: interrupted: ${request} was sent, but its answer did not arrive in time. Check the current state before you try again\n`
  expect(await Promise.all(unanswered.map(({ end }) => end))).toEqual([
    // A creation must not be repeated, so its result is unknown; a deletion can be repeated.
    { exit: 11, signal: null, stdout: '', stderr: waits('POST /volumes') + message('POST /volumes') },
    { exit: 130, signal: null, stdout: '', stderr: waits('DELETE /volumes/3001') + message('DELETE /volumes/3001') },
  ])
  expect(performance.now() - before).toBeGreaterThanOrEqual(4900)
})

describe('An interrupt after a lost answer', () => {
  /** Interrupts a change of a volume in the pause before it is sent again. */
  async function interruptPause(
    line: string,
    method: string,
    { start, sandbox }: Pick<ProcessFixtures & Fixtures, 'start' | 'sandbox'>,
  ) {
    const proxy = await lossyProxy(sandbox.baseUrl)
    onTestFinished(() => proxy.close())
    const reply = (outgoing: ServerResponse) => void outgoing.writeHead(503, { 'retry-after': '30' }).end()
    proxy.lose(method, '/volumes/3001', { done: true, reply })
    const { kill, until, end } = start(`${line} --yes -v`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await until('attempt 2 of')
    kill('SIGINT')
    const { exit, stderr } = await end
    return { exit, last: stderr.trimEnd().split('\n').at(-1) }
  }

  test.for([
    ['volumes update 3001 --label other', 'PUT'],
    ['volumes delete 3001 --force', 'DELETE'],
  ] as const)(
    'in the pause before a retry says that the request was sent: %s',
    async ([line, method], { start, sandbox }) => {
      const { exit, last } = await interruptPause(line, method, { start, sandbox })
      expect({ exit, last }).toEqual({
        exit: 130,
        last: `skyctl: interrupted: ${method} /volumes/3001 was sent, but its answer did not arrive in time. Check the current state before you try again`,
      })
      const { stdout } = await start('history list --json').end
      expect(JSON.parse(stdout)).toMatchObject([{ outcome: 'unknown', next: 'skyctl volumes view 3001' }])
    },
  )

  test('while an addition is checked says that it was sent', async ({ start, sandbox }) => {
    const proxy = await lossyProxy(sandbox.baseUrl)
    onTestFinished(() => proxy.close())
    const written = proxy.hold('PUT', '/volumes/3001', 'answer lost')
    const line = 'volumes update 3001 --add-tag new --retries 0 --yes'
    const { kill, end } = start(line, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await written.arrived
    const checked = proxy.hold('GET', '/volumes/3001')
    written.release()
    await checked.arrived
    kill('SIGINT')
    const { exit, stderr } = await end
    expect({ exit, stderr }).toEqual({
      exit: 11,
      stderr: expect.stringMatching(
        /PUT \/volumes\/3001 was sent, but its answer was lost: .*; the check failed: interrupted/,
      ),
    })
  })
})

test('A second signal ends the process at once', async ({ start }) => {
  const { env, waitForRequests } = await slowServer()
  const { kill, until, end } = start(create, { env })
  await waitForRequests(1, 1)
  kill('SIGINT')
  await until('a second signal stops at once')
  kill('SIGINT')
  expect(await end).toMatchObject({ exit: null, signal: 'SIGINT' })
})

describe('A signal between a change and its answer', () => {
  const rules = JSON.stringify({ inbound: [], inbound_policy: 'DROP', outbound: [], outbound_policy: 'DROP' })

  test.for([
    {
      line: 'firewalls rules update web --file - --yes',
      stdin: rules,
      change: 'the rules of firewall "web" (4001) were changed',
    },
    { line: 'volumes create --label late --region us-east --if-absent', change: 'volume "late" (3007) was created' },
  ])('reports the change: $line', async ({ line, stdin, change }, { start, sandbox }) => {
    let stop = async () => {}
    const { baseUrl, close } = await openProxy(sandbox.baseUrl, {
      after: async ({ method }) => {
        if (method !== 'GET') await stop()
      },
    })
    const { kill, until, end } = start(line, { env: { SKYCTL_BASE_URL: baseUrl }, ...(stdin && { stdin }) })
    stop = async () => {
      kill('SIGTERM')
      await until('a second signal stops at once')
    }
    const { exit, stderr } = await end
    expect({ exit, last: stderr.trimEnd().split('\n').at(-1) }).toEqual({
      exit: 143,
      last: `skyctl: terminated, after ${change}`,
    })
    await close()
  })

  test('reports the created resource in JSON', async ({ start, sandbox }) => {
    let stop = async () => {}
    const { baseUrl, close } = await openProxy(sandbox.baseUrl, {
      after: async ({ method }) => {
        if (method === 'POST') await stop()
      },
    })
    const line = 'volumes create --label late --region us-east --if-absent --json'
    const { kill, until, end } = start(line, { env: { SKYCTL_BASE_URL: baseUrl } })
    stop = async () => {
      kill('SIGTERM')
      await until('a second signal stops at once')
    }
    const { exit, stderr } = await end
    expect(exit).toBe(143)
    expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      error: {
        code: 'terminated',
        retryable: false,
        created: { kind: 'volume', id: 3007, label: 'late' },
      },
    })
    await close()
  })
})

test('An interrupt leaves the remaining targets unchanged', async ({ start }) => {
  const { env, waitForRequests, answer, requests } = await slowServer(reply(200, {}), { existing: [3001, 3002, 3003] })
  const { kill, until, end } = start('volumes delete 3001 3002 3003 --yes --force --concurrency 1', { env })
  await waitForRequests(1, 3)
  kill('SIGINT')
  await until('a second signal')
  answer()
  expect(await end).toMatchObject({
    exit: 130,
    stderr: `${waits('DELETE /volumes/3001')}Deleted volume "data" (3001)\nskyctl: interrupted: 1 of 3 deleted\n`,
  })
  expect(requests()).toBe(1)
})

describe.for([
  { signal: 'SIGINT' as const, exit: 130, code: 'interrupted' },
  { signal: 'SIGTERM' as const, exit: 143, code: 'terminated' },
])('$signal during a command with several targets', ({ signal, exit, code }) => {
  const line = 'volumes delete 3001 3002 3003 --yes --force --concurrency 2'

  async function interruptedRun(start: (line: string, options: object) => Running, format: string) {
    const { env, waitForRequests, answer } = await slowServer(reply(200, {}), { existing: [3001, 3002, 3003] })
    const { kill, until, end } = start(`${line} ${format}`, { env })
    await waitForRequests(2, 3)
    kill(signal)
    await until('a second signal')
    answer()
    answer()
    return end
  }
  const records = [
    { id: 3001, label: 'data', ok: true },
    { id: 3002, label: 'data', ok: true },
    { id: 3003, label: 'data', ok: false, error: expect.objectContaining({ code }) },
  ]

  test('leaves one complete JSON document', async ({ start }) => {
    const ended = await interruptedRun(start, '--json')
    expect({ exit: ended.exit, stdout: JSON.parse(ended.stdout) }).toEqual({ exit, stdout: records })
    expect(JSON.parse(ended.stderr.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ error: { code } })
  })

  test('ends with the number of finished targets', async ({ start }) => {
    const { stderr } = await interruptedRun(start, '')
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(`skyctl: ${code}: 2 of 3 deleted`)
  })

  test('leaves complete lines of NDJSON', async ({ start }) => {
    const ended = await interruptedRun(start, '-o ndjson')
    const lines = ended.stdout.trimEnd().split('\n')
    expect({ exit: ended.exit, records: lines.map((text) => JSON.parse(text)) }).toEqual({ exit, records })
  })
})

test('After a signal, each target has a record: finished or interrupted', async ({ start }) => {
  const first = reply(200, created)
  const { host, until: waitForRequests } = await faultServer([first, silence])
  const env = { SKYCTL_BASE_URL: `http://${host}/v4` }
  const { kill, end } = start('volumes view 3007 3008 3009 --json --concurrency 1', { env })
  await waitForRequests(2)
  kill('SIGINT')
  const { exit, stdout } = await end
  const interrupted = { label: null, ok: false, error: expect.objectContaining({ code: 'interrupted' }) }
  expect({ exit, stdout: JSON.parse(stdout) }).toEqual({
    exit: 130,
    stdout: [
      { ...created, ok: true },
      { id: 3008, ...interrupted },
      { id: 3009, ...interrupted },
    ],
  })
})

describe('A signal during --wait', () => {
  const hint = 'Continue waiting: skyctl volumes wait 3007 --for active'

  test('reports that the volume exists, and how to continue waiting', async ({ start }) => {
    const { until, kill, end } = start('volumes create --label data --region us-east --wait')
    await until('Waiting for')
    kill('SIGINT')
    const { stderr, ...rest } = await end
    expect(rest).toEqual({ exit: 130, signal: null, stdout: '' })
    expect(stderr.split('\n')).toEqual([
      'Created volume "data" (3007): 20 GiB in us-east, billed until it is deleted',
      'Waiting for volume "data" (3007) to be active: creating',
      expect.stringMatching(/^skyctl: interrupted while waiting for volume .*3007\)? to be active/),
      '',
    ])
    expect(stderr).toContain(hint)
  })

  test('reports in JSON how to continue waiting', async ({ start, world }) => {
    const { kill, end } = start('volumes create --label data --region us-east --wait --json')
    await expect.poll(() => world.requests().some(({ path }) => path.endsWith('/volumes/3007')), patient).toBe(true)
    kill('SIGTERM')
    const { stdout, stderr, exit } = await end
    expect(exit).toBe(143)
    expect(JSON.parse(stdout)).toMatchObject({ id: 3007, label: 'data', status: 'creating' })
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'terminated', hint } })
  })
})

/** Starting a process may take a while. */
const patient = { timeout: 15_000, interval: 20 }
