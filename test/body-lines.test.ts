/** `--body` with NDJSON creates an object from each line. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { lossyProxy } from './support/lossy-proxy'
import { openProxy } from './support/proxy'
import { test } from './support/skyctl'

const json = (text: string) => JSON.parse(text)
const jsonLines = (text: string) => text.trimEnd().split('\n').map(json)
const ndjson = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')
const volume = (label: string, more: object = {}) => ({ label, region: 'us-east', ...more })

describe('volumes create --body', () => {
  const create = 'volumes create --body -'

  test('creates a volume from each line, and prints them in the order of the lines', async ({ skyctl, world }) => {
    const labels = Array.from({ length: 20 }, (_, index) => `many-${index}`)
    const stdin = ndjson(...labels.map((label, index) => volume(label, { size: 10 + index })))
    const { exit, stdout, stderr } = await skyctl(`${create} --json`, { stdin })
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    expect(json(stdout).map(({ label, size }: { label: string; size: number }) => [label, size])).toEqual(
      labels.map((label, index) => [label, 10 + index]),
    )
    expect(world.requests('POST')).toHaveLength(20)
  })

  test('applies flags to every line, and skips blank lines', async ({ skyctl, world }) => {
    const stdin = '{"label":"one"}\r\n\r\n{"label":"two","size":30}\r\n'
    const { exit, stderr } = await skyctl(`${create} --region us-east --size 40 --concurrency 1`, { stdin })
    expect({ exit, last: stderr.split('\n').at(-2) }).toEqual({ exit: 0, last: '2 of 2 created' })
    expect(world.requests('POST').map(({ body }) => body)).toEqual([
      { label: 'one', region: 'us-east', size: 40 },
      { label: 'two', region: 'us-east', size: 40 },
    ])
  })

  test('accepts a single object on several lines', async ({ skyctl }) => {
    const { exit, stdout } = await skyctl(`${create} --json`, { stdin: '{\n"label":"one",\n"region":"us-east"}\n' })
    expect({ exit, label: json(stdout).label }).toEqual({ exit: 0, label: 'one' })
  })

  describe('with volumes that are created but fail to become active,', () => {
    const stdin = ndjson(volume('w1'), volume('w2'))
    const line = `${create} --wait --wait-timeout 0s`
    type Run = (line: string, options?: object) => Promise<{ exit: number; stdout: string; stderr: string }>
    async function createBoth(skyctl: Run, format: string) {
      const result = await skyctl(`${line} ${format}`, { stdin })
      const volumes: { id: number; label: string }[] = json((await skyctl('volumes list --json')).stdout)
      const volumesByLabel = ['w1', 'w2'].map((label) => volumes.filter((each) => each.label === label))
      expect(volumesByLabel.map(({ length }) => length)).toEqual([1, 1])
      return { ...result, created: volumesByLabel.flat().map(({ id, label }) => ({ id, label })) }
    }

    test.for(['--json', '-o ndjson'])(
      '%s prints each volume once, in order, with "ok": false and the error',
      async (format, { skyctl }) => {
        const { exit, stdout, stderr, created } = await createBoth(skyctl, format)
        expect(exit).toBe(10)
        expect(format === '--json' ? json(stdout) : jsonLines(stdout)).toEqual(
          created.map((volume) =>
            expect.objectContaining({
              ...volume,
              region: 'us-east',
              ok: false,
              error: expect.objectContaining({ code: 'wait_timed_out', created: { kind: 'volume', ...volume } }),
            }),
          ),
        )
        expect(jsonLines(stderr).at(-1).error.message).toMatch(/^2 of 2 created: /)
      },
    )

    test('-q prints their ids in order', async ({ skyctl }) => {
      const { exit, stdout, created } = await createBoth(skyctl, '-q')
      expect({ exit, stdout }).toEqual({ exit: 10, stdout: created.map(({ id }) => `${id}\n`).join('') })
    })

    test('-o table prints only the summary', async ({ skyctl }) => {
      const { exit, stdout, stderr } = await createBoth(skyctl, '-o table')
      expect({ exit, stdout }).toEqual({ exit: 10, stdout: '' })
      expect(stderr).toMatch(/\n2 of 2 created\n$/)
    })
  })

  test('rejects all lines before anything is sent, with line and field of each mistake', async ({ skyctl, world }) => {
    const stdin = ndjson(volume('good'), volume('small', { size: 'big' }), volume('good-too'), {
      ...volume('odd'),
      siz: 20,
    })
    const { exit, stdout, stderr } = await skyctl(`${create} --json`, { stdin })
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
    expect(json(stderr).error.errors).toEqual([
      { field: 'size', reason: expect.stringMatching(/ \(line 2\)$/) },
      { field: 'siz', reason: expect.stringMatching(/ \(line 4\)$/) },
    ])
    expect(world.requests('POST')).toEqual([])
  })

  test('rejects an unknown region before anything is sent', async ({ skyctl, world }) => {
    const { exit, stderr } = await skyctl(create, { stdin: ndjson(volume('a'), { label: 'b', region: 'us-eats' }) })
    expect(exit).toBe(5)
    expect(stderr).toMatch(/"us-eats" is not a region.*\(line 2\)/)
    expect(world.requests('POST')).toEqual([])
  })

  test('names the line that is not an object', async ({ skyctl, world }) => {
    const { exit, stderr } = await skyctl(create, { stdin: '{"label":"a","region":"us-east"}\n["b"]\n' })
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: 'skyctl: line 2 of stdin is not a JSON object\n' })
    expect(world.requests()).toEqual([])
  })

  test('continues after a failed line, with exit code 9', async ({ skyctl, world }) => {
    world.volume({ label: 'taken' })
    const stdin = ndjson(volume('a'), volume('taken'), volume('b'))
    const { exit, stdout, stderr } = await skyctl(`${create} -o ndjson`, { stdin })
    expect({ exit, made: jsonLines(stdout).map(({ label, ok }) => [label, ok]) }).toEqual({
      exit: 9,
      made: [
        ['a', true],
        ['taken', false],
        ['b', true],
      ],
    })
    expect(json(stderr).error.failures).toMatchObject([{ target: 'line 2', error: { code: 'exists' } }])
  })

  test('--dry-run prints every request and sends nothing', async ({ skyctl, world }) => {
    const { exit, stdout } = await skyctl(`${create} --dry-run --json`, { stdin: ndjson(volume('a'), volume('b')) })
    expect({ exit, requests: json(stdout) }).toEqual({
      exit: 0,
      requests: ['a', 'b'].map((label) => ({ method: 'POST', path: '/volumes', body: { label, region: 'us-east' } })),
    })
    expect(world.requests('POST')).toEqual([])
  })

  test('--if-absent uses existing volumes, line by line', async ({ skyctl, world }) => {
    const { id } = world.volume({ label: 'a', region: 'us-east' })
    const stdin = ndjson(volume('a'), volume('b'), volume('b'))
    const { exit, stdout } = await skyctl(`${create} --if-absent --json`, { stdin })
    const ids = json(stdout).map((one: { id: number }) => one.id)
    expect({ exit, first: ids[0], same: ids[1] === ids[2], sent: world.requests('POST').length }).toEqual({
      exit: 0,
      first: id,
      same: true,
      sent: 1,
    })
  })

  describe('with the same label on several lines', () => {
    const twins = ndjson(...[1, 2, 3, 4].map(() => volume('twin')))

    test('rejects them before anything is sent', async ({ skyctl, world }) => {
      const { exit, stderr } = await skyctl(create, { stdin: twins })
      expect({ exit, sent: world.requests('POST') }).toEqual({ exit: 2, sent: [] })
      expect(stderr).toContain('label: "twin" is also on line 1 (line 2)')
    })

    test('creates all of them in sequence with --allow-duplicate', async ({ skyctl, sandbox }) => {
      let maxOpen = 0
      let open = 0
      const proxy = await openProxy(sandbox.baseUrl, {
        before: ({ method }) => {
          if (method === 'POST') maxOpen = Math.max(maxOpen, ++open)
        },
        after: ({ method }) => {
          if (method === 'POST') open -= 1
        },
      })
      const env = { SKYCTL_BASE_URL: proxy.baseUrl }
      const { exit, stdout } = await skyctl(`${create} --allow-duplicate --quiet`, { stdin: twins, env })
      await proxy.close()
      expect({ exit, most: maxOpen, ids: new Set(stdout.trim().split('\n')).size }).toEqual({
        exit: 0,
        most: 1,
        ids: 4,
      })
    })

    test('adopts the matching volume for each lost answer', async ({ skyctl, sandbox, world }) => {
      const proxy = await lossyProxy(sandbox.baseUrl)
      for (let count = 0; count < 4; count += 1) proxy.lose('POST', '/volumes', 'answer lost')
      const env = { SKYCTL_BASE_URL: proxy.baseUrl }
      const { exit, stdout } = await skyctl(`${create} --allow-duplicate --json`, { stdin: twins, env })
      await proxy.close()
      const ids = json(stdout).map(({ id }: { id: number }) => id)
      expect({ exit, ids }).toEqual({
        exit: 0,
        ids: world.volumes.all().flatMap(({ id, label }) => (label === 'twin' ? [id] : [])),
      })
    })

    test('adopts none of them for a lost request', async ({ skyctl, sandbox, world }) => {
      const proxy = await lossyProxy(sandbox.baseUrl)
      proxy.lose('POST', '/volumes', 'request lost')
      const env = { SKYCTL_BASE_URL: proxy.baseUrl }
      const { exit, stdout, stderr } = await skyctl(`${create} --allow-duplicate --json`, { stdin: twins, env })
      await proxy.close()
      expect({
        exit,
        made: json(stdout).filter(({ ok }: { ok: boolean }) => ok).length,
        stand: countTwins(world),
      }).toEqual({ exit: 9, made: 3, stand: 3 })
      expect(json(stderr).error.failures).toMatchObject([
        { target: 'line 1', error: { code: 'outcome_unknown', exit_code: 11 } },
      ])
    })

    const countTwins = (world: { volumes: { all(): { label: string }[] } }) =>
      world.volumes.all().filter(({ label }) => label === 'twin').length
  })
})

describe('ips rdns --body', () => {
  const names = [
    { address: '192.0.2.31', rdns: '192-0-2-31.ip.example.net' },
    { address: '192.0.2.32', rdns: '192-0-2-32.ip.example.net' },
  ]

  test('sets the reverse DNS of the address in each line', async ({ skyctl, world }) => {
    const bodies = [names[0], { address: '192.0.2.32', rdns: null }]
    const run = await skyctl('ips rdns --body - --yes --quiet --concurrency 1', { stdin: ndjson(...bodies) })
    expect(run).toEqual({ exit: 0, stdout: '192.0.2.31\n192.0.2.32\n', stderr: '' })
    expect(world.requests('PUT')).toEqual([
      { method: 'PUT', path: '/networking/ips/192.0.2.31', body: { rdns: names[0]?.rdns } },
      { method: 'PUT', path: '/networking/ips/192.0.2.32', body: { rdns: null } },
    ])
  })

  test('also takes the address from a single object', async ({ skyctl }) => {
    const stdin = ndjson(names[0])
    const { exit, stdout } = await skyctl('ips rdns --body - --dry-run --json', { stdin })
    expect({ exit, request: json(stdout) }).toMatchObject({ exit: 0, request: { path: '/networking/ips/192.0.2.31' } })
  })

  test('asks once for all addresses that lose their names', async ({ skyctl, world }) => {
    const stdin = ndjson(...names.map(({ address }) => ({ address, rdns: null })))
    const { exit, stderr } = await skyctl('ips rdns --body -', { stdin })
    expect(exit).toBe(2)
    expect(stderr).toContain('Reset the reverse DNS of 192.0.2.31, 192.0.2.32 to the default? This must be confirmed')
    expect(world.requests('PUT')).toEqual([])
  })

  test.for([
    [
      '',
      [names[0], { address: '192.0.2', rdns: 'a.example.net' }],
      /"192\.0\.2" is not an IPv4 or IPv6 address.*line 2/,
    ],
    ['', [names[0], { rdns: 'a.example.net' }], /an address is needed \(line 2\)/],
    ['', [names[0], { address: '192.0.2.32', rdns: 'no name' }], /"no name" is not a domain name \(line 2\)/],
    ['', [names[0], { address: '192.0.2.031', rdns: 'a.example.net' }], /line 2/],
    ['', [names[0], names[0]], /address: "192\.0\.2\.31" is also on line 1 \(line 2\)/],
    ['192.0.2.31', names, /an address and a file of many contradict each other/],
  ] as const)('rejects, before anything is sent: %s %j', async ([address, bodies, message], { skyctl, world }) => {
    const { exit, stderr } = await skyctl(`ips rdns ${address} --body - --yes`, { stdin: ndjson(...bodies) })
    expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
    expect(stderr).toMatch(message)
  })
})

describe('firewalls rules add --body', () => {
  const rule = (label: string, more: object = {}) => {
    return { action: 'accept', protocol: 'tcp', ports: '22', addresses: { ipv4: ['192.0.2.0/24'] }, label, ...more }
  }

  test('adds the rules of all lines in one request, in order', async ({ skyctl, world, home }) => {
    const { id } = world.network.firewall()
    mkdirSync(home, { recursive: true })
    const file = join(home, 'rules.ndjson')
    writeFileSync(file, ndjson(rule('one'), rule('two'), rule('three')))
    const { exit, stdout } = await skyctl(`firewalls rules add ${id} inbound --body ${file} --json`)
    expect({ exit, puts: world.requests('PUT').length }).toEqual({ exit: 0, puts: 1 })
    expect(json(stdout).inbound.map(({ label }: { label: string }) => label)).toEqual(['one', 'two', 'three'])
  })

  test('names line and field of a mistake, and sends nothing', async ({ skyctl, world }) => {
    const { id } = world.network.firewall()
    const stdin = ndjson(rule('one'), rule('two', { ports: '0' }))
    const { exit, stderr } = await skyctl(`firewalls rules add ${id} inbound --body - --json`, { stdin })
    expect({ exit, errors: json(stderr).error.errors }).toEqual({
      exit: 2,
      errors: [{ field: 'ports', reason: expect.stringMatching(/\(line 2\)$/) }],
    })
    expect(world.requests('PUT')).toEqual([])
  })
})
