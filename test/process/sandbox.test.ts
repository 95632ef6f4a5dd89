/** The sandbox as a server of its own, and as a context whose state lasts from command to command. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test as base } from '../support/here'
import type { Running } from '../support/process'

interface Server extends Running {
  base_url: string
  token: string
  /** Signs a client in to it. */
  client: { env: { SKYCTL_BASE_URL: string; SKYCTL_TOKEN: string } }
}

const test = base.extend<{ serve(flags?: string): Promise<Server> }>({
  serve: async ({ start }, use) =>
    use(async (flags = '') => {
      const running = start(`sandbox start --json ${flags}`)
      const { base_url, token } = JSON.parse(await running.until('\n'))
      return { ...running, base_url, token, client: { env: { SKYCTL_BASE_URL: base_url, SKYCTL_TOKEN: token } } }
    }),
})

describe('sandbox start', () => {
  test('tells in one line of JSON where it is, when it answers', async ({ serve }) => {
    const { base_url, token } = await serve()
    expect(base_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v4$/)
    const answer = await fetch(`${base_url}/profile`, { headers: { authorization: `Bearer ${token}` } })
    expect(await answer.json()).toMatchObject({ username: 'owner' })
  })

  test('tells a shell what to export', async ({ start }) => {
    const { until, kill, end } = start('sandbox start')
    await until('Stop it with Ctrl-C')
    kill('SIGINT')
    const { exit, stdout, stderr } = await end
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: 'The sandbox is running. Stop it with Ctrl-C.\n' })
    expect(stdout).toMatch(/^export SKYCTL_BASE_URL=http:\S+\/v4\nexport SKYCTL_TOKEN=[0-9a-f]{64}\n$/)
  })

  test.for(['SIGINT', 'SIGTERM'] as const)('ends well on %s, and frees its port', async (signal, { serve }) => {
    const { base_url, token, kill, end } = await serve()
    // A client that keeps its connection does not hold it up.
    await fetch(`${base_url}/profile`, { headers: { authorization: `Bearer ${token}` } })
    kill(signal)
    expect(await end).toMatchObject({ exit: 0, signal: null, stderr: '' })
    const again = await serve(`--port ${new URL(base_url).port}`)
    expect(again.base_url).toBe(base_url)
  })

  test('holds back many answers at once without a word', async ({ serve }) => {
    const { base_url, kill, end } = await serve('--latency 20')
    const answers = await Promise.all(Array.from({ length: 30 }, () => fetch(`${base_url}/regions`)))
    await Promise.all(answers.map((answer) => answer.text()))
    kill('SIGINT')
    expect(await end).toMatchObject({ exit: 0, stderr: '' })
  })

  test.for([
    ['', 200],
    ['--strict', 400],
  ] as const)(
    '%s answers %d to what clients send and the document does not name',
    async ([flags, status], { serve }) => {
      const { base_url, token } = await serve(flags)
      const create = (body: object) =>
        fetch(`${base_url}/volumes`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ label: 'a', region: 'us-east', ...body }),
        })
      expect((await create({ compute_id: null })).status).toBe(status)
      expect((await create({ colour: 'red' })).status).toBe(status)
      expect((await create({})).status).toBe(200)
    },
  )

  test('refuses a port that is in use', async ({ shell, sandbox }) => {
    const { port } = new URL(sandbox.baseUrl)
    expect(await shell(`skyctl sandbox start --port ${port}`)).toMatchObject({
      exit: 12,
      stdout: '',
      stderr: expect.stringMatching(`^skyctl: cannot listen on 127\\.0\\.0\\.1:${port}: the port is in use`),
    })
  })
})

describe('sandbox start --state', () => {
  test('goes on where a kill ended it', async ({ serve, shell, home }) => {
    const flags = `--state ${join(home, 'world.ndjson')}`
    const first = await serve(flags)
    const created = await shell('skyctl volumes create --label kept --region us-east --quiet', first.client)
    expect(created).toMatchObject({ exit: 0 })
    first.kill('SIGKILL')
    await first.end
    const second = await serve(flags)
    expect(second.token).toBe(first.token)
    expect(await shell('skyctl volumes view kept --quiet', second.client)).toEqual(created)
  })

  test('belongs to one sandbox at a time', async ({ serve, shell, home }) => {
    const file = join(home, 'world.ndjson')
    const { client } = await serve(`--state ${file}`)
    const { exit, stdout, stderr } = await shell(`skyctl sandbox start --json --state ${file}`)
    expect({ exit, stdout }).toEqual({ exit: 12, stdout: '' })
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'local', message: expect.stringContaining(file) } })
    expect(await shell('skyctl volumes list --quiet', client)).toMatchObject({ exit: 0 })
  })
})

describe('sandbox start with a world and a time of its own', () => {
  test('goes on from a world that was printed', async ({ serve, shell, home }) => {
    const file = join(home, 'world.json')
    const create = 'skyctl --context sandbox volumes create --label kept --region us-east --quiet'
    expect(await shell(`${create} && skyctl sandbox world --json > ${file}`)).toMatchObject({ exit: 0 })
    const { client, token } = await serve(`--seed ${file}`)
    expect(await shell('skyctl volumes view kept --quiet', client)).toMatchObject({ exit: 0 })
    expect(JSON.parse(readFileSync(file, 'utf8')).tokens[0]).toMatchObject({ label: 'owner', token })
  })

  test('answers twice the same', async ({ serve, shell }) => {
    const answers = async () => {
      const { client } = await serve('--clock 2026-01-31T12:00:00 --stop-clock --transition 0')
      return shell('skyctl volumes create --label a --region us-east --json && skyctl volumes list --json', client)
    }
    const first = await answers()
    expect(first).toMatchObject({ exit: 0, stdout: expect.stringContaining('"2026-01-31T12:00:00"') })
    expect(await answers()).toEqual(first)
  })

  test.for([
    ['--clock noon', 'skyctl: --clock: "noon" is not a time. Write it as 2026-01-31T12:00:00, in UTC\n'],
    ['--drop-answer 0', 'skyctl: --drop-answer: "0" is not a count. Write it as 1 or 2:/volumes\n'],
    ['--fail 200:1', 'skyctl: --fail: "200:1" is not a status and a count. Write it as 429:3 or 503:2:/volumes\n'],
    ['--transition x', 'skyctl: --transition: "x" is not a whole number of 0 to 600000\n'],
  ])('refuses %s', async ([flags, stderr], { shell }) => {
    expect(await shell(`skyctl sandbox start ${flags}`)).toMatchObject({ exit: 2, stdout: '', stderr })
  })

  test('refuses a world that is none', async ({ shell }) => {
    const line = `echo '{"volumes": [{"size": "20"}]}' | skyctl sandbox start --seed -`
    expect(await shell(line)).toMatchObject({
      exit: 2,
      stdout: '',
      stderr: expect.stringContaining('this is not a sandbox world: volumes[0].size: Must be an integer'),
    })
  })
})

describe('a client', () => {
  test('loses an answer to --drop-answer, and says that it does not know', async ({ serve, shell }) => {
    const { client } = await serve('--drop-answer 1:/networking')
    const firewall = 'skyctl firewalls create --label lost --inbound-policy DROP --outbound-policy ACCEPT'
    const { exit, stdout, stderr } = await shell(firewall, client)
    expect([0, 11]).toContain(exit)
    expect(stdout + stderr).toMatch(/lost/)
    expect(await shell('skyctl firewalls view lost --quiet', client)).toMatchObject({ exit: 0 })
  })

  test('meets the failures of --fail, and outlives those that it may try again after', async ({ serve, shell }) => {
    const { client } = await serve('--fail 503:2,500:1')
    const { exit, stderr } = await shell('skyctl volumes list --quiet --verbose', client)
    expect(stderr.match(/status 503; attempt \d of 3/g)).toEqual([
      'status 503; attempt 2 of 3',
      'status 503; attempt 3 of 3',
    ])
    expect(exit).toBe(8)
    expect(await shell('skyctl volumes list --quiet', client)).toMatchObject({ exit: 0 })
  })

  test('meets --fail on the paths that it names', async ({ serve, shell }) => {
    const { client } = await serve('--fail 500:12:/volumes')
    expect(await shell('skyctl regions list --quiet', client)).toMatchObject({ exit: 0 })
    expect(await shell('skyctl volumes list', client)).toMatchObject({ exit: 8, stdout: '' })
  })

  test('runs out of time against --latency', async ({ serve, shell }) => {
    const { client } = await serve('--latency 60000')
    const { exit, stdout, stderr } = await shell('skyctl volumes list --timeout 300ms --retries 0', client)
    expect({ exit, stdout }).toEqual({ exit: 8, stdout: '' })
    expect(stderr).toMatch(/^skyctl: .*(time|answer)/)
  })

  test('is limited by --rate-limit', async ({ serve, shell }) => {
    const { base_url, token, client } = await serve('--rate-limit')
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    for (let count = 1; count <= 25; count += 1) {
      const body = JSON.stringify({ label: `v${count}`, region: 'us-east' })
      expect(await fetch(`${base_url}/volumes`, { method: 'POST', headers, body })).toMatchObject({ status: 200 })
    }
    const { exit, stderr } = await shell('skyctl volumes create --label more --region us-east --retries 0', client)
    expect({ exit, stderr }).toEqual({
      exit: 7,
      stderr: expect.stringMatching(/^skyctl: too many requests; the service asks to wait/),
    })
  })
})

describe('the context sandbox', () => {
  const options = { env: { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined } }

  test('lasts from command to command, and begins anew after a reset', async ({ shell }) => {
    const run = (line: string) => shell(`skyctl --context sandbox ${line}`, options)
    const { stdout: id } = await run('volumes create --label kept --region us-east --quiet --wait')
    expect(await run('volumes view kept -o csv --columns id,status --no-headers')).toMatchObject({
      stdout: `${id.trim()},active\n`,
    })
    expect(await run('sandbox reset')).toMatchObject({ exit: 2 })
    expect(await run('sandbox reset --yes')).toMatchObject({ exit: 0, stderr: 'Reset the sandbox\n' })
    expect(await run('volumes view kept')).toMatchObject({ exit: 5 })
  })

  test('serves four commands at once', async ({ shell }) => {
    const labels = Array.from({ length: 4 }, (_, index) => `v${index}`)
    const results = await Promise.all(
      labels.map((label) =>
        shell(`skyctl --context sandbox volumes create --label ${label} --region us-east --quiet`, {
          ...options,
          isProcess: true,
        }),
      ),
    )
    expect(results.map(({ exit, stderr }) => ({ exit, stderr }))).toEqual(labels.map(() => ({ exit: 0, stderr: '' })))
    expect(new Set(results.map(({ stdout }) => stdout)).size).toBe(4)
    const { stdout } = await shell(
      `skyctl --context sandbox volumes list --filter "label~v" -o csv --columns label --no-headers --sort label`,
      options,
    )
    expect(stdout.trim().split('\n')).toEqual(expect.arrayContaining(labels))
  })

  test('is not used unless it was named', async ({ shell }) => {
    expect(await shell('skyctl volumes list', options)).toMatchObject({
      exit: 3,
      stderr: expect.stringMatching(/^skyctl: not signed in. Sign in with skyctl auth login, or try the sandbox: /),
    })
  })

  test('shows its world as one object', async ({ shell }) => {
    const { stdout } = await shell('skyctl sandbox world --json', options)
    const world = JSON.parse(stdout)
    const record = (...keys: string[]) =>
      expect.objectContaining(Object.fromEntries(keys.map((key) => [key, expect.anything()])))
    expect(world).toMatchObject({
      computes: expect.arrayContaining([record('id', 'label', 'region', 'status')]),
      balancers: expect.any(Array),
      users: expect.any(Array),
      tokens: expect.arrayContaining([record('label', 'token', 'user', 'scopes')]),
      volumes: expect.arrayContaining([record('id', 'label', 'status')]),
      firewalls: expect.any(Array),
    })
  })
})
