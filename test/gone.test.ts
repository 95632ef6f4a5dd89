/**
 * "Gone" is what the API says of the object that was named (interface.md, Errors): not a missing context, a list that is
 * not found, a page of a gateway, or an address without its version. And a success that cannot be read is looked at again.
 */
import type { ServerResponse } from 'node:http'
import { describe, expect } from 'vitest'
import { type Lossy, lossyProxy } from './support/lossy'
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

/** Every command that deletes an object, or ends something for good. */
const removals = commands.flatMap(({ path, command: { flags, operations = [] } }) => {
  const [operation] = operations.filter(({ method }) => method === 'DELETE')
  const isPlain = operation && operations.length === 1 && flags.some(({ name }) => name === 'if-present')
  return isPlain && samples[path] ? [{ path, sample: samples[path], operation }] : []
})

interface Away {
  proxy: Lossy
  /** Runs a line through the proxy. */
  away: Fixtures['skyctl']
  /** Makes what the sample of a command is about. */
  arrange(path: string): Promise<void>
}

const test = base.extend<Away>({
  arrange: async ({ skyctl, sandbox, world, env, home, clock }, use) =>
    use(async (path) => {
      await samples[path]?.arrange?.({ skyctl, sandbox, world, env, home, clock })
    }),
  proxy: async ({ sandbox }, use) => {
    const proxy = await lossyProxy(sandbox.baseUrl)
    await use(proxy)
    await proxy.close()
  },
  away: async ({ skyctl, proxy }, use) =>
    use((line, options = {}) => skyctl(line, { ...options, env: { SKYCTL_BASE_URL: proxy.baseUrl, ...options.env } })),
})

const codeOf = (stderr: string) => JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error.code

/** Any request of a DELETE, and any read of a list. */
const anything = /./

describe.for(removals)('$path --if-present', ({ path, sample }) => {
  const line = `${path} ${sample.line} --if-present --json`

  test.for(Object.entries(foreign))(
    'takes a 404 with %s for no answer of the API',
    async ([, reply], { proxy, away, arrange }) => {
      await arrange(path)
      proxy.lose('DELETE', anything, { done: false, reply })
      const { exit, stdout, stderr } = await away(line)
      expect({ exit, stdout, code: codeOf(stderr) }).toEqual({ exit: 8, stdout: '', code: 'not_the_api' })
    },
  )

  test('says nothing of the object where a 502 comes first, and then a page', async ({ proxy, away, arrange }) => {
    await arrange(path)
    proxy.lose('DELETE', anything, { done: false, reply: badGateway })
    proxy.lose('DELETE', anything, { done: false, reply: foreign.HTML })
    const { exit, stdout, stderr } = await away(line.replace(' --json', ''))
    expect({ exit, stdout }).toEqual({ exit: 11, stdout: '' })
    expect(stderr).toMatch(
      / was sent, but its answer was lost: .* is not from the API: .*\. Check the current state before/,
    )
    expect(stderr).not.toMatch(/Revoked|Deleted|Removed|nothing to do/)
  })

  test('has nothing to do where the API says that there is none', async ({ proxy, away, arrange }) => {
    await arrange(path)
    proxy.lose('DELETE', anything, { done: true, reply: badGateway })
    expect(await away(line)).toMatchObject({ exit: 0, stdout: '{}\n' })
    expect(await away(line)).toMatchObject({ exit: 0, stdout: '{}\n' })
  })

  test('is not misled by a context that does not exist', async ({ arrange, skyctl, world }) => {
    await arrange(path)
    const { exit, stdout, stderr } = await skyctl(`--context prdo ${line}`)
    expect({ exit, stdout, code: codeOf(stderr) }).toEqual({ exit: 5, stdout: '', code: 'context_not_found' })
    expect(world.requests('DELETE')).toEqual([])
  })
})

describe('a label', () => {
  const line = 'volumes delete data-2 --if-present --yes --json'

  test('that a whole list lacks is that of nothing', async ({ skyctl }) => {
    expect(await skyctl('volumes delete no-such --if-present --yes --json')).toMatchObject({ exit: 0, stdout: '{}\n' })
  })

  test('is not missing where the list itself is not found, whoever says so', async ({ proxy, away }) => {
    for (const [reply, exit, code] of [
      [notFound, 5, 'not_found'],
      [foreign.HTML, 8, 'not_the_api'],
    ] as const) {
      proxy.lose('GET', /^\/volumes/, { done: false, reply })
      const ended = await away(line)
      expect({ exit: ended.exit, stdout: ended.stdout, code: codeOf(ended.stderr) }).toEqual({ exit, stdout: '', code })
    }
  })

  test('is not missing where a filter finds nothing and the list shows it', async ({ proxy, away, world }) => {
    world.volume({ id: 9001, label: 'fresh' })
    proxy.lose('GET', /^\/volumes/, { done: false, reply: reply(200, '{"data":[],"page":1,"pages":1,"results":0}') })
    expect(await away('volumes delete fresh --if-present --yes')).toMatchObject({ exit: 0 })
    expect(world.volumes.get(9001)).toBeUndefined()
  })
})

describe('volumes wait --for deleted', () => {
  test.for(Object.entries(foreign))(
    'ends with 8 where the first answer is a 404 with %s',
    async ([, reply], { proxy, away, world }) => {
      world.volume({ id: 9001 })
      proxy.lose('GET', '/volumes/9001', { done: false, reply })
      expect(await away('volumes wait 9001 --for deleted --json')).toMatchObject({ exit: 8, stdout: '' })
    },
  )

  test('goes on where such a 404 comes later', async ({ proxy, away, world }) => {
    world.volume({ id: 9001 })
    proxy.pass('GET', '/volumes/9001')
    proxy.lose('GET', '/volumes/9001', { done: false, reply: foreign.HTML })
    const { exit, stderr } = await away('volumes wait 9001 --for deleted --wait-timeout 10s')
    expect({ exit, left: proxy.pending() }).toEqual({ exit: 10, left: 0 })
    expect(stderr).toContain('is not deleted after 10s')
  })
})

describe('a success that cannot be read', () => {
  test.for(removals)('is looked at again, and done: $path', async ({ path, sample }, { proxy, away, arrange }) => {
    await arrange(path)
    proxy.lose('DELETE', anything, { done: true, reply: cutJson })
    const { exit, stdout } = await away(`${path} ${sample.line} --json`)
    // No request reads a phone number by itself.
    const isSeen = path !== 'profile phone delete'
    expect({ exit, stdout }).toEqual(isSeen ? { exit: 0, stdout: '{}\n' } : { exit: 11, stdout: '' })
  })

  test.for(removals)(
    'is unknown where the object is still there: $path',
    async ({ path, sample }, { proxy, away, arrange }) => {
      await arrange(path)
      proxy.lose('DELETE', anything, { done: false, reply: cutJson })
      const { exit, stdout, stderr } = await away(`${path} ${sample.line} --json`)
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
  ] as const)('of a PUT is done where the object shows it: %s', async ([line, arranged], { proxy, away, arrange }) => {
    await arrange(arranged)
    proxy.lose('PUT', anything, { done: true, reply: cutJson })
    expect(await away(`${line} --yes --json`)).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^\{/) })
  })

  test('of a PUT is unknown where the object does not show it', async ({ proxy, away, arrange }) => {
    await arrange('volumes update')
    proxy.lose('PUT', anything, { done: false, reply: cutJson })
    const { exit, stderr } = await away('volumes update sample --label other --json')
    expect({ exit, code: codeOf(stderr) }).toEqual({ exit: 11, code: 'outcome_unknown' })
  })

  // Ranges are listed with what shares them; no read tells who shares a single address.
  test.for([
    ['a single address, whatever became of it', '203.0.113.201 --compute-id 1001', 11],
    ['a range, where the list shows it', '2001:db8:99:: --compute-id 1001', 0],
  ] as const)(
    'of ips share is unknown unless it is seen: %s',
    async ([, flags, wanted], { proxy, away, arrange, world }) => {
      await arrange('ips share')
      world.network.address({ address: '2001:db8:99::', type: 'ipv6/range', prefix: 64, compute_id: 1002 })
      for (const _ of [1, 2]) proxy.lose('POST', /share/, { done: true, reply: cutJson })
      expect(await away(`ips share ${flags} --yes --json`)).toMatchObject({ exit: wanted })
    },
  )

  test.for([true, false])(
    'of volumes detach is done where the volume shows it, and else sent again: %s',
    async (done, { proxy, away, arrange, world }) => {
      await arrange('volumes detach')
      proxy.lose('POST', /detach$/, { done, reply: reply(200, '') })
      expect(await away('volumes detach sample --yes --json')).toMatchObject({ exit: 0, stdout: '{}\n' })
      expect(world.requests('POST').map(({ path }) => path)).toEqual(['/volumes/9001/detach'])
    },
  )

  test.for([cutJson, reply(200, '')])('counts as done among several', async (reply, { proxy, away, world }) => {
    for (const id of [9001, 9002]) world.volume({ id })
    proxy.lose('DELETE', '/volumes/9001', { done: true, reply })
    const { exit, stderr } = await away('volumes delete 9001 9002 9999 --yes')
    expect({ exit, stderr }).toEqual({ exit: 9, stderr: expect.stringMatching(/\n2 of 3 deleted\n$/) })
  })
})
