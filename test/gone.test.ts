/**
 * An object is gone only if the API reports it missing (interface.md, Errors): a missing context, a list that is
 * not found, a gateway's page or an address without its version do not count. After an unreadable success, skyctl reads
 * the object again.
 */
import type { ServerResponse } from 'node:http'
import { describe, expect } from 'vitest'
import { type Lossy, lossyProxy } from './support/lossy-proxy'
import { commands, samples } from './support/samples'
import { test as base, type Fixtures } from './support/skyctl'

const reply =
  (status: number, body: string, type = 'application/json') =>
  (outgoing: ServerResponse) =>
    void outgoing.writeHead(status, { 'content-type': type }).end(body)

const foreign = {
  HTML: reply(404, '<html><body>404 Not Found</body></html>', 'text/html'),
  nothing: reply(404, ''),
  'other JSON': reply(404, '{"message":"no Route matched with those values"}'),
  'errors of another form': reply(404, '{"errors":["Not found"]}'),
} as const

const notFound = reply(404, '{"errors":[{"reason":"Not found"}]}')
const badGateway = reply(502, '<html>Bad gateway</html>', 'text/html')
const cutJson = reply(200, '{"id": 7, "la')

/** Commands that delete an object or end something for good. */
const removals = commands.flatMap(({ path, command: { flags, operations = [] } }) => {
  const [operation] = operations.filter(({ method }) => method === 'DELETE')
  const isPlain = operation && operations.length === 1 && flags.some(({ name }) => name === 'if-present')
  return isPlain && samples[path] ? [{ path, sample: samples[path], operation }] : []
})

interface ProxyFixtures {
  proxy: Lossy
  /** Runs a command line through the proxy. */
  viaProxy: Fixtures['skyctl']
  /** Creates the object of the sample of a command. */
  arrange(path: string): Promise<void>
}

const test = base.extend<ProxyFixtures>({
  arrange: async ({ skyctl, sandbox, world, env, home, clock }, use) =>
    use(async (path) => {
      await samples[path]?.arrange?.({ skyctl, sandbox, world, env, home, clock })
    }),
  proxy: async ({ sandbox }, use) => {
    const proxy = await lossyProxy(sandbox.baseUrl)
    await use(proxy)
    await proxy.close()
  },
  viaProxy: async ({ skyctl, proxy }, use) =>
    use((line, options = {}) => skyctl(line, { ...options, env: { SKYCTL_BASE_URL: proxy.baseUrl, ...options.env } })),
})

const codeOf = (stderr: string) => JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error.code

/** Matches the path of any request. */
const anything = /./

describe.for(removals)('$path --if-present', ({ path, sample }) => {
  const line = `${path} ${sample.line} --if-present --json`

  test.for(Object.entries(foreign))(
    'rejects a 404 with %s as not from the API',
    async ([, reply], { proxy, viaProxy, arrange }) => {
      await arrange(path)
      proxy.lose('DELETE', anything, { done: false, reply })
      const { exit, stdout, stderr } = await viaProxy(line)
      expect({ exit, stdout, code: codeOf(stderr) }).toEqual({ exit: 8, stdout: '', code: 'not_the_api' })
    },
  )

  test("does not claim success after a 502 and then a gateway's page", async ({ proxy, viaProxy, arrange }) => {
    await arrange(path)
    proxy.lose('DELETE', anything, { done: false, reply: badGateway })
    proxy.lose('DELETE', anything, { done: false, reply: foreign.HTML })
    const { exit, stdout, stderr } = await viaProxy(line.replace(' --json', ''))
    expect({ exit, stdout }).toEqual({ exit: 11, stdout: '' })
    expect(stderr).toMatch(
      / was sent, but its answer was lost: .* is not from the API: .*\. Check the current state before/,
    )
    expect(stderr).not.toMatch(/Revoked|Deleted|Removed|nothing to do/)
  })

  test('has nothing to do if the API does not have the object', async ({ proxy, viaProxy, arrange }) => {
    await arrange(path)
    proxy.lose('DELETE', anything, { done: true, reply: badGateway })
    expect(await viaProxy(line)).toMatchObject({ exit: 0, stdout: '{}\n' })
    expect(await viaProxy(line)).toMatchObject({ exit: 0, stdout: '{}\n' })
  })

  test('fails if the context does not exist', async ({ arrange, skyctl, world }) => {
    await arrange(path)
    const { exit, stdout, stderr } = await skyctl(`--context prdo ${line}`)
    expect({ exit, stdout, code: codeOf(stderr) }).toEqual({ exit: 5, stdout: '', code: 'context_not_found' })
    expect(world.requests('DELETE')).toEqual([])
  })
})

describe('a lookup by label', () => {
  const line = 'volumes delete data-2 --if-present --yes --json'

  test('finds nothing if the complete list lacks the label', async ({ skyctl }) => {
    expect(await skyctl('volumes delete no-such --if-present --yes --json')).toMatchObject({ exit: 0, stdout: '{}\n' })
  })

  test('fails if the list itself is not found', async ({ proxy, viaProxy }) => {
    for (const [reply, exit, code] of [
      [notFound, 5, 'not_found'],
      [foreign.HTML, 8, 'not_the_api'],
    ] as const) {
      proxy.lose('GET', /^\/volumes/, { done: false, reply })
      const result = await viaProxy(line)
      expect({ exit: result.exit, stdout: result.stdout, code: codeOf(result.stderr) }).toEqual({
        exit,
        stdout: '',
        code,
      })
    }
  })

  test('reads the whole list if the filtered one is empty', async ({ proxy, viaProxy, world }) => {
    world.volume({ id: 9001, label: 'fresh' })
    proxy.lose('GET', /^\/volumes/, { done: false, reply: reply(200, '{"data":[],"page":1,"pages":1,"results":0}') })
    expect(await viaProxy('volumes delete fresh --if-present --yes')).toMatchObject({ exit: 0 })
    expect(world.volumes.get(9001)).toBeUndefined()
  })
})

describe('volumes wait --for deleted', () => {
  test.for(Object.entries(foreign))(
    'ends with exit code 8 if the first response is a 404 with %s',
    async ([, reply], { proxy, viaProxy, world }) => {
      world.volume({ id: 9001 })
      proxy.lose('GET', '/volumes/9001', { done: false, reply })
      expect(await viaProxy('volumes wait 9001 --for deleted --json')).toMatchObject({ exit: 8, stdout: '' })
    },
  )

  test('continues after such a 404 if an earlier response had the object', async ({ proxy, viaProxy, world }) => {
    world.volume({ id: 9001 })
    proxy.pass('GET', '/volumes/9001')
    proxy.lose('GET', '/volumes/9001', { done: false, reply: foreign.HTML })
    const { exit, stderr } = await viaProxy('volumes wait 9001 --for deleted --wait-timeout 10s')
    expect({ exit, pending: proxy.pending() }).toEqual({ exit: 10, pending: 0 })
    expect(stderr).toContain('is not deleted after 10s')
  })
})

describe('an unreadable success response', () => {
  test.for(removals)(
    'counts as success if the object is gone: $path',
    async ({ path, sample }, { proxy, viaProxy, arrange }) => {
      await arrange(path)
      proxy.lose('DELETE', anything, { done: true, reply: cutJson })
      const { exit, stdout } = await viaProxy(`${path} ${sample.line} --json`)
      // No request reads a phone number.
      const isReadable = path !== 'profile phone delete'
      expect({ exit, stdout }).toEqual(isReadable ? { exit: 0, stdout: '{}\n' } : { exit: 11, stdout: '' })
    },
  )

  test.for(removals)(
    'has an unknown outcome if the object still exists: $path',
    async ({ path, sample }, { proxy, viaProxy, arrange }) => {
      await arrange(path)
      proxy.lose('DELETE', anything, { done: false, reply: cutJson })
      const { exit, stdout, stderr } = await viaProxy(`${path} ${sample.line} --json`)
      expect({ exit, stdout, code: codeOf(stderr) }).toEqual({ exit: 11, stdout: '', code: 'outcome_unknown' })
    },
  )

  test.for([
    ['volumes update sample --label other', 'volumes update'],
    ['volumes update sample --tag b --tag a', 'volumes update'],
    ['tokens update sample --label other', 'tokens update'],
    ['profile sshkeys update laptop --label other', 'profile sshkeys update'],
    ['profile update --timezone Europe/Berlin', 'profile update'],
    ['firewalls disable sample', 'firewalls disable'],
    ['firewalls rules remove sample inbound label:ssh', 'firewalls disable'],
  ] as const)(
    'to a PUT counts as success if the object has the new values: %s',
    async ([line, sample], { proxy, viaProxy, arrange }) => {
      await arrange(sample)
      proxy.lose('PUT', anything, { done: true, reply: cutJson })
      expect(await viaProxy(`${line} --yes --json`)).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^\{/) })
    },
  )

  test('to a PUT has an unknown outcome if the object has the old values', async ({ proxy, viaProxy, arrange }) => {
    await arrange('volumes update')
    proxy.lose('PUT', anything, { done: false, reply: cutJson })
    const { exit, stderr } = await viaProxy('volumes update sample --label other --json')
    expect({ exit, code: codeOf(stderr) }).toEqual({ exit: 11, code: 'outcome_unknown' })
  })

  // The list shows who shares a range; no request reads who shares a single address.
  test.for([
    ['a single address', '203.0.113.201 --compute-id 1001', 11],
    ['a range', '2001:db8:99:: --compute-id 1001', 0],
  ] as const)(
    'to ips share counts as success only if a list shows the sharing: %s',
    async ([, flags, exit], { proxy, viaProxy, arrange, world }) => {
      await arrange('ips share')
      world.network.address({ address: '2001:db8:99::', type: 'ipv6/range', prefix: 64, compute_id: 1002 })
      for (const _ of [1, 2]) proxy.lose('POST', /share/, { done: true, reply: cutJson })
      expect(await viaProxy(`ips share ${flags} --yes --json`)).toMatchObject({ exit })
    },
  )

  test.for([true, false])(
    'to volumes detach is followed by a second request only if the volume is still attached: %s',
    async (done, { proxy, viaProxy, arrange, world }) => {
      await arrange('volumes detach')
      proxy.lose('POST', /detach$/, { done, reply: reply(200, '') })
      expect(await viaProxy('volumes detach sample --yes --json')).toMatchObject({ exit: 0, stdout: '{}\n' })
      expect(world.requests('POST').map(({ path }) => path)).toEqual(['/volumes/9001/detach'])
    },
  )

  test.for([cutJson, reply(200, '')])(
    'counts as success in the summary of several targets',
    async (reply, { proxy, viaProxy, world }) => {
      for (const id of [9001, 9002]) world.volume({ id })
      world.volume({ id: 9003, tags: ['protected'] })
      proxy.lose('DELETE', '/volumes/9001', { done: true, reply })
      const { exit, stderr } = await viaProxy('volumes delete 9001 9002 9003 --yes')
      expect({ exit, stderr }).toEqual({ exit: 9, stderr: expect.stringMatching(/\n2 of 3 deleted\n$/) })
    },
  )
})
