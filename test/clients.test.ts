/** Retries, waits and warnings of requests by default. */
import { describe, expect, onTestFinished } from 'vitest'
import { faultServer, reply } from './support/fault-server'
import { lossyProxy } from './support/lossy-proxy'
import { completeRecord } from './support/records'
import { test } from './support/skyctl'

const list = 'volumes list'
const later = (seconds: number) => reply(429, { errors: [{ reason: 'Later' }] }, { 'Retry-After': String(seconds) })

describe('by default,', () => {
  test.for([
    { what: 'a failed request is sent three times', script: reply(503, {}), flags: '', times: 3 },
    { what: 'skyctl waits up to 60 s for a retry', script: later(60), flags: '--retries 1', times: 2 },
    { what: 'skyctl does not wait longer than 60 s', script: later(61), flags: '--retries 1', times: 1 },
    { what: 'all attempts together take at most 120 s', script: later(50), flags: '--retries 9', times: 3 },
  ])('$what', async ({ script, flags, times }, { skyctl }) => {
    const server = await faultServer(script)
    const { exit } = await skyctl(`${list} ${flags}`, { env: { SKYCTL_BASE_URL: `http://${server.host}/v4` } })
    expect(exit).toBeGreaterThanOrEqual(7)
    expect(server.received).toHaveLength(times)
  })

  test('a retry date is at most 60 s ahead, to the millisecond', async ({ skyctl, clock }) => {
    const times = async (late: number) => {
      const until = new Date(Math.ceil(clock.now() / 1000) * 1000 + 61_000)
      clock.advance(until.getTime() - 60_000 - late - clock.now())
      const server = await faultServer(reply(429, {}, { 'Retry-After': until.toUTCString() }))
      await skyctl(`${list} --retries 1`, { env: { SKYCTL_BASE_URL: `http://${server.host}/v4` } })
      return server.received.length
    }
    expect([await times(0), await times(1)]).toEqual([2, 1])
  })
})

test('skyctl requests the user for the history once, and makes the change even if that fails', async ({
  skyctl,
  sandbox,
  world,
}) => {
  const proxy = await lossyProxy(sandbox.baseUrl)
  onTestFinished(proxy.close)
  for (let times = 0; times < 2; times += 1) proxy.lose('GET', '/profile', 'unavailable')
  const { exit } = await skyctl('volumes update 3001 --add-tag a', { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
  expect({ exit, tags: world.volumes.get(3001)?.tags.includes('a'), left: proxy.pending() }).toEqual({
    ...{ exit: 0, tags: true, left: 1 },
  })
})

test('a warning of the API is printed, with its details if it has some', async ({ skyctl }) => {
  const warnings = [{ title: 'Moved', details: 'It is elsewhere' }, { title: 'Slow' }]
  const server = await faultServer(reply(299, { ...completeRecord({ id: 3001, label: 'data' }), warnings }))
  const { exit, stderr } = await skyctl('volumes view 3001 --quiet', {
    env: { SKYCTL_BASE_URL: `http://${server.host}/v4` },
  })
  expect({ exit, stderr }).toEqual({
    exit: 0,
    stderr: 'skyctl: warning: Moved: It is elsewhere\nskyctl: warning: Slow\n',
  })
})

test('the sandbox is closed when its command ends', async ({ skyctl }) => {
  const env = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined, SKYCTL_CONTEXT: 'sandbox' }
  const { exit, stderr } = await skyctl('volumes list --quiet --debug', { env })
  const [baseUrl = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(stderr) ?? []
  expect({ exit, stderr, isNamed: baseUrl !== '' }).toMatchObject({ exit: 0, isNamed: true })
  await expect(fetch(baseUrl)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
})

describe('after a rejected token', () => {
  const unknown = 'f'.repeat(64)
  const rejected = (hint: string) => ({
    exit: 3,
    stdout: '',
    stderr: `skyctl: token rejected: it is wrong, revoked or expired. ${hint}\n`,
  })

  test('the message names SKYCTL_TOKEN if it came from there', async ({ skyctl }) => {
    const env = { SKYCTL_TOKEN: unknown }
    expect(await skyctl(list, { env })).toEqual(rejected('Set SKYCTL_TOKEN to a valid token'))
  })

  test('the message names the context if it came from there, even if SKYCTL_TOKEN is set', async ({
    skyctl,
    sandbox,
    world,
  }) => {
    const token = world.token('volumes:read_only account:read_only')
    const signIn = `auth login --context prod --base-url ${sandbox.baseUrl} --with-token`
    await skyctl(signIn, { stdin: token, env: { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined } })
    const { id } = world.tokens.all().find((each) => each.token === token) ?? { id: 0 }
    world.tokens.delete(id)
    const { exit, stderr } = await skyctl(`${list} --context prod`)
    expect(exit).toBe(3)
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(
      rejected('Sign in with: skyctl auth login --context prod').stderr.trimEnd(),
    )
  })
})
