/** What SIGINT and SIGTERM stop, and what is said of a change that was on its way. */
import { describe, expect, onTestFinished } from 'vitest'
import { between } from '../support/between'
import { faultServer, reply, type Script, silence } from '../support/fault-server'
import { lossyProxy } from '../support/lossy'
import { type Running, test } from '../support/process'
import { whole } from '../support/records'

const created = whole({
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

/** A server that answers when it is told to; whether a label is taken it tells at once. */
async function slowServer(answer: Script = silence) {
  const held: (() => void)[] = []
  let looks = 0
  const server = await faultServer((socket, heard) => {
    if (heard.headers['x-filter'] === undefined) return held.push(() => answer(socket, heard))
    looks += 1
    return none(socket, heard)
  })
  return {
    env: { SKYCTL_BASE_URL: `http://${server.host}/v4` },
    /** Until so many requests wait for their answers; `looked` are answered before. */
    heard: (count = 1, looked = 0) => server.until(count + looked),
    answer: () => held.shift()?.(),
    requests: () => server.heard.length - looks,
  }
}

describe.for([
  { signal: 'SIGINT' as const, exit: 130, word: 'interrupted', format: '' },
  { signal: 'SIGTERM' as const, exit: 143, word: 'terminated', format: '--json' },
])('$signal', ({ signal, exit, word, format }) => {
  test('stops a read at once', async ({ start }) => {
    const { env, heard } = await slowServer()
    const { kill, end } = start('volumes list', { env })
    await heard()
    kill(signal)
    // What waits for an answer says so first.
    expect(await end).toEqual({ exit, signal: null, stdout: '', stderr: `skyctl: ${word}\n` })
  })

  test('is told as JSON where JSON was asked for', async ({ start }) => {
    const { env, heard } = await slowServer()
    const { kill, end } = start('volumes list --json', { env })
    await heard()
    kill(signal)
    const { stdout, stderr, ...rest } = await end
    expect(rest).toEqual({ exit, signal: null })
    expect(stdout).toBe('')
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: word, exit_code: exit } })
  })

  test(`stops a change before it is sent ${format}`, async ({ sandbox, world, start }) => {
    world.network.firewall({ id: 9100, label: 'sample' })
    const { arrived, env } = await held(sandbox.baseUrl, { method: 'GET', path: '/networking/firewalls/9100' })
    const { kill, end } = start(`firewalls rules update 9100 --inbound-policy drop --yes ${format}`, { env })
    await arrived
    kill(signal)
    const { stderr, ...ended } = await end
    expect({ ...ended, sent: world.requests('PUT') }).toEqual({ exit, signal: null, stdout: '', sent: [] })
    if (format) expect(JSON.parse(stderr).error).toMatchObject({ code: word, exit_code: exit })
    else expect(stderr).toBe(`skyctl: ${word}\n`)
  })

  test(`stops apply after the change on its way ${format}`, async ({ sandbox, world, start }) => {
    const { arrived, release, env } = await held(sandbox.baseUrl, { method: 'POST', path: '/volumes' })
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

  test('lets a change that is answered in time end well', async ({ start }) => {
    const { env, heard, answer } = await slowServer(reply(200, created))
    const { kill, until, end } = start(create, { env })
    await heard(1, 1)
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

describe('SIGTERM after a change was answered', () => {
  const rules = { inbound: [], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' }

  test.for([
    {
      line: 'firewalls rules update sample --file - --yes',
      request: { method: 'PUT', path: '/networking/firewalls/9100/rules' },
      stdin: JSON.stringify(rules),
      said: 'terminated, after the rules of firewall "sample" (9100) were changed',
    },
    {
      line: 'profile preferences edit --yes',
      request: { method: 'PUT', path: '/profile/preferences' },
      said: 'terminated, after the preferences were changed',
    },
  ])('says what was done before it could be seen: $line', async (row, { sandbox, world, start }) => {
    const { line, request, stdin = '', said } = row
    world.network.firewall({ id: 9100, label: 'sample' })
    world.profile.preferences.put({ id: 1, user: 1, app: null, text: '{"theme":"dark"}' })
    const { arrived, release, env } = await held(sandbox.baseUrl, request)
    const { kill, until, end } = start(`${line} --json`, { env: { ...env, EDITOR: 'sed -i s/dark/light/' }, stdin })
    await arrived
    kill('SIGTERM')
    await until('a second signal stops at once')
    release()
    const { exit, stdout, stderr } = await end
    expect({ exit, stdout }).toEqual({ exit: 143, stdout: '' })
    const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')
    expect(error).toMatchObject({ retryable: false, message: expect.stringContaining(said) })
  })

  test('shows a token that was made, and ends well', async ({ sandbox, world, start }) => {
    const { arrived, release, env } = await held(sandbox.baseUrl, { method: 'POST', path: '/profile/tokens' })
    const { kill, until, end } = start('tokens create --label ci --json', { env })
    await arrived
    kill('SIGTERM')
    await until('a second signal stops at once')
    release()
    const { exit, stdout } = await end
    expect({ exit, token: JSON.parse(stdout).token }).toEqual({ exit: 0, token: world.tokens.all().at(-1)?.token })
  })
})

/** A way to a service on which one request waits until it is released. */
async function held(baseUrl: string, { method, path }: { method: string; path: string }) {
  const proxy = await lossyProxy(baseUrl)
  onTestFinished(() => proxy.close())
  return { ...proxy.hold(method, path), env: { SKYCTL_BASE_URL: proxy.baseUrl } }
}

test('A change whose answer does not come is told to be unknown, after 5 s', async ({ start }) => {
  const slow = await slowServer()
  const lost = [start(create, slow), start('volumes delete 3001 --yes --force', slow)]
  await slow.heard(2, 1)
  const before = performance.now()
  for (const { kill } of lost) kill('SIGINT')
  const told = (request: string) =>
    `skyctl: interrupted: ${request} was sent, but its answer did not arrive in time. Check the current state before you try again\n`
  expect(await Promise.all(lost.map(({ end }) => end))).toEqual([
    // What must not be sent again is unknown; a deletion is not.
    { exit: 11, signal: null, stdout: '', stderr: waits('POST /volumes') + told('POST /volumes') },
    { exit: 130, signal: null, stdout: '', stderr: waits('DELETE /volumes/3001') + told('DELETE /volumes/3001') },
  ])
  expect(performance.now() - before).toBeGreaterThanOrEqual(4900)
})

test('A second signal ends the process at once', async ({ start }) => {
  const { env, heard } = await slowServer()
  const { kill, until, end } = start(create, { env })
  await heard(1, 1)
  kill('SIGINT')
  await until('a second signal stops at once')
  kill('SIGINT')
  expect(await end).toMatchObject({ exit: null, signal: 'SIGINT' })
})

describe('A signal under an answered change', () => {
  const rules = JSON.stringify({ inbound: [], inbound_policy: 'DROP', outbound: [], outbound_policy: 'DROP' })

  test.for([
    {
      line: 'firewalls rules update web --file - --yes',
      stdin: rules,
      what: 'the rules of firewall "web" (4001) were changed',
    },
    { line: 'volumes create --label late --region us-east --if-absent', what: 'volume "late" (3007) was created' },
  ])('says what was done: $line', async ({ line, stdin, what }, { start, sandbox }) => {
    let stop = async () => {}
    const { baseUrl, close } = await between(sandbox.baseUrl, {
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
      last: `skyctl: terminated, after ${what}`,
    })
    await close()
  })

  test('says so to scripts, with what was created', async ({ start, sandbox }) => {
    let stop = async () => {}
    const { baseUrl, close } = await between(sandbox.baseUrl, {
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

test('The targets after the one that was interrupted are left alone', async ({ start }) => {
  const { env, heard, answer, requests } = await slowServer(reply(200, {}))
  const { kill, until, end } = start('volumes delete 3001 3002 3003 --yes --force --concurrency 1', { env })
  await heard()
  kill('SIGINT')
  await until('a second signal')
  answer()
  expect(await end).toMatchObject({
    exit: 130,
    stderr: `${waits('DELETE /volumes/3001')}Deleted volume 3001\nskyctl: interrupted: 1 of 3 deleted\n`,
  })
  expect(requests()).toBe(1)
})

describe.for([
  { signal: 'SIGINT' as const, exit: 130, code: 'interrupted' },
  { signal: 'SIGTERM' as const, exit: 143, code: 'terminated' },
])('Of several targets, $signal', ({ signal, exit, code }) => {
  const line = 'volumes delete 3001 3002 3003 --yes --force --concurrency 2'

  async function stopped(start: (line: string, options: object) => Running, format: string) {
    const { env, heard, answer } = await slowServer(reply(200, {}))
    const { kill, until, end } = start(`${line} ${format}`, { env })
    await heard(2)
    kill(signal)
    await until('a second signal')
    answer()
    answer()
    return end
  }
  const records = [
    { id: 3001, label: null, ok: true },
    { id: 3002, label: null, ok: true },
    { id: 3003, label: null, ok: false, error: expect.objectContaining({ code }) },
  ]

  test('leaves one whole JSON document of what was done', async ({ start }) => {
    const ended = await stopped(start, '--json')
    expect({ exit: ended.exit, stdout: JSON.parse(ended.stdout) }).toEqual({ exit, stdout: records })
    expect(JSON.parse(ended.stderr.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ error: { code } })
  })

  test('ends with a line that tells how many were done', async ({ start }) => {
    const { stderr } = await stopped(start, '')
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(`skyctl: ${code}: 2 of 3 deleted`)
  })

  test('leaves whole lines of NDJSON', async ({ start }) => {
    const ended = await stopped(start, '-o ndjson')
    const lines = ended.stdout.trimEnd().split('\n')
    expect({ exit: ended.exit, records: lines.map((text) => JSON.parse(text)) }).toEqual({ exit, records })
  })
})

test('What was read before a signal is printed whole, with a record for each that was not', async ({ start }) => {
  const first = reply(200, created)
  const { host, until: heard } = await faultServer([first, silence])
  const env = { SKYCTL_BASE_URL: `http://${host}/v4` }
  const { kill, end } = start('volumes view 3007 3008 3009 --json --concurrency 1', { env })
  await heard(2)
  kill('SIGINT')
  const { exit, stdout } = await end
  const untold = { label: null, ok: false, error: expect.objectContaining({ code: 'interrupted' }) }
  expect({ exit, stdout: JSON.parse(stdout) }).toEqual({
    exit: 130,
    stdout: [
      { ...created, ok: true },
      { id: 3008, ...untold },
      { id: 3009, ...untold },
    ],
  })
})

describe('During --wait a signal', () => {
  const hint = 'Continue waiting: skyctl volumes wait 3007 --for active'

  test('says that the volume exists, and how to wait on', async ({ start }) => {
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

  test('says so to scripts too', async ({ start, world }) => {
    const { kill, end } = start('volumes create --label data --region us-east --wait --json')
    await expect.poll(() => world.requests().some(({ path }) => path.endsWith('/volumes/3007')), patient).toBe(true)
    kill('SIGTERM')
    const { stdout, stderr, exit } = await end
    expect({ stdout, exit }).toEqual({ stdout: '', exit: 143 })
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'terminated', hint } })
  })
})

/** Starting a process may take a while. */
const patient = { timeout: 15_000, interval: 20 }
