/** Base URLs that are not those of the API, or that lack the version segment (api.md, Versioning 1). */
import { describe, expect } from 'vitest'
import { faultServer, reply, type Script } from './support/fault-server'
import { commands, samples } from './support/samples'
import { test } from './support/skyctl'

const html = (status: number) => reply(status, '<html>Welcome</html>', { 'content-type': 'text/html' })
const regions = reply(200, { data: [], page: 1, pages: 1, results: 0 })
const notFound = reply(404, { errors: [{ reason: 'Not found' }] })

/** Serves the API below /v4, and another answer elsewhere. */
const apiOrElse =
  (other: Script): Script =>
  (socket, heard) =>
    (heard.path.startsWith('/v4/regions') ? regions : other)(socket, heard)

/** Commands that send requests to the API, except those that report a result for each part. */
const requesting = commands
  .filter(({ path, command }) => samples[path] && command.operations?.length && !/^(apply|doctor|audit)$/.test(path))
  .map(({ path }) => path)

describe('a base URL without /v4', () => {
  test.for(requesting)(
    'is reported with the right one: %s',
    async (path, { skyctl, sandbox, world, env, home, clock }) => {
      await samples[path]?.arrange?.({ skyctl, sandbox, world, env, home, clock })
      const server = await faultServer(apiOrElse(notFound))
      const baseUrl = `http://${server.host}`
      const login = path === 'auth login'
      const sample = samples[path]
      const line = `${path} ${sample?.line} --yes --json${login ? ` --base-url ${baseUrl}` : ''}`
      const stdin = sample?.stdin?.replace('TOKEN', sandbox.ownerToken)
      const { exit, stdout, stderr } = await skyctl(line, { env: { SKYCTL_BASE_URL: baseUrl }, stdin })
      const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')
      expect({ exit, stdout, error }).toMatchObject({
        ...{ exit: 8, stdout: '' },
        error: { code: 'not_the_api', message: `${baseUrl} is not the API`, hint: `Did you mean ${baseUrl}/v4?` },
      })
      const probes = server.received.filter((heard) => heard.path.startsWith('/v4/'))
      expect(probes.map(({ method, path, headers }) => [method, path, headers.authorization])).toEqual([
        ['GET', '/v4/regions', undefined],
      ])
    },
  )

  test.for<[string, Script]>([
    ['a page of success', html(200)],
    ['a page', html(404)],
    ['nothing', reply(200, '')],
    ['a redirect', reply(302, '', { location: 'https://example.net/' })],
    ['the errors of the API', notFound],
    ['the refusal of a token', reply(401, { errors: [{ reason: 'Invalid Token' }] })],
  ])('is reported even if it answers with %s, for reads and writes', async ([, other], { skyctl }) => {
    const server = await faultServer(apiOrElse(other))
    const env = { SKYCTL_BASE_URL: `http://${server.host}` }
    const message = `skyctl: http://${server.host} is not the API. Did you mean http://${server.host}/v4?\n`
    for (const line of ['volumes list', 'volumes delete 7 --if-present --yes', 'volumes detach 7 --yes'])
      expect(await skyctl(line, { env })).toMatchObject({
        exit: 8,
        stdout: '',
        stderr: expect.stringContaining(message),
      })
  })

  test('is checked once in a run, however many requests fail', async ({ skyctl }) => {
    const server = await faultServer(apiOrElse(notFound))
    await skyctl('volumes view 1 2 3 4 5', { env: { SKYCTL_BASE_URL: `http://${server.host}` } })
    expect(server.received.filter(({ path }) => path.startsWith('/v4/'))).toHaveLength(1)
  })

  test.for<[string, Script, number, string]>([
    ["the API's 404", notFound, 5, 'volume 7 not found'],
    ['another 404', html(404), 8, 'is not from the API'],
  ])('is not reported if /v4 below it is not the API either: %s', async ([, other, exit, message], { skyctl }) => {
    const server = await faultServer(other)
    const result = await skyctl('volumes view 7', { env: { SKYCTL_BASE_URL: `http://${server.host}` } })
    expect(result).toMatchObject({ exit, stderr: expect.stringContaining(message) })
  })

  test('is reported by doctor, with the fix', async ({ skyctl }) => {
    const server = await faultServer(apiOrElse(html(404)))
    const baseUrl = `http://${server.host}`
    const { exit, stdout } = await skyctl('doctor --json', { env: { SKYCTL_BASE_URL: baseUrl } })
    const { checks } = JSON.parse(stdout)
    expect({ exit, service: checks.find(({ name }: { name: string }) => name === 'service') }).toMatchObject({
      exit: 13,
      service: { status: 'failure', message: `${baseUrl} is not the API`, fix: `Did you mean ${baseUrl}/v4?` },
    })
  })
})

/** The API is only at /v4; elsewhere a list is not found. */
const onlyAtVersion = apiOrElse(notFound)

describe('a base URL with another path than /v4', () => {
  test.for(['/v3', '/v3/volumes', '/v4/volumes', '/volumes', '/api/volumes'])(
    'is reported with /v4 in place of its path: %s',
    async (path, { skyctl, sandbox }) => {
      const server = await faultServer(onlyAtVersion)
      const baseUrl = `http://${server.host}${path}`
      const message = `skyctl: ${baseUrl} is not the API. Did you mean http://${server.host}/v4?\n`
      const env = { SKYCTL_BASE_URL: baseUrl }
      expect(await skyctl('volumes list', { env })).toMatchObject({ exit: 8, stdout: '', stderr: message })
      const stdin = sandbox.ownerToken
      const login = await skyctl(`auth login --with-token --base-url ${baseUrl}`, { env: { SKYCTL_TOKEN: '' }, stdin })
      expect(login).toMatchObject({ exit: 8, stderr: expect.stringContaining(message) })
      const { checks } = JSON.parse((await skyctl('doctor --json', { env })).stdout)
      expect(checks).toContainEqual(
        expect.objectContaining({
          ...{ name: 'service', status: 'failure' },
          fix: `Did you mean http://${server.host}/v4?`,
        }),
      )
      const probes = server.received.filter((heard) => heard.path.endsWith('/regions') && !heard.headers.authorization)
      expect(probes.map(({ path }) => path)).toContain('/v4/regions')
      const withToken = server.received.filter(({ headers }) => headers.authorization)
      expect(withToken.every((heard) => heard.path.startsWith(`${path}/`))).toBe(true)
    },
  )

  test('is used unchanged if the API is there, too', async ({ skyctl }) => {
    const server = await faultServer((socket, heard) =>
      (/^(\/v4|\/proxy)\/regions/.test(heard.path) ? regions : notFound)(socket, heard),
    )
    const env = { SKYCTL_BASE_URL: `http://${server.host}/proxy` }
    const result = await skyctl('volumes view 7', { env })
    expect(result).toMatchObject({ exit: 5, stderr: expect.stringContaining('volume 7 not found') })
    expect(server.received.map(({ path }) => path)).toContain('/proxy/regions')
  })
})

describe('a base URL with /v4', () => {
  test('is used unchanged', async ({ skyctl }) => {
    const server = await faultServer(html(404))
    const result = await skyctl('volumes view 7', { env: { SKYCTL_BASE_URL: `http://${server.host}/v4` } })
    expect(result).toMatchObject({ exit: 8, stderr: expect.stringContaining('Check the address: skyctl doctor') })
    expect(server.received).toHaveLength(1)
  })

  test('remains that of the API after one answer that is not from it', async ({ skyctl, lossy, world }) => {
    world.volume({ id: 9001 })
    lossy.lose('GET', '/volumes/9001', { done: false, reply: (outgoing) => void outgoing.writeHead(404).end() })
    expect([(await skyctl('volumes view 9001')).exit, (await skyctl('volumes view 9001')).exit]).toEqual([8, 0])
  })
})
