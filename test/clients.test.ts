/** How the service of an account is asked, where nothing else is said (reliability.md, Which requests may be sent again). */
import { describe, expect, onTestFinished } from 'vitest'
import { faultServer, reply } from './support/fault-server'
import { lossyProxy } from './support/lossy'
import { whole } from './support/records'
import { test } from './support/skyctl'

const list = 'volumes list'
const later = (seconds: number) => reply(429, { errors: [{ reason: 'Later' }] }, { 'Retry-After': String(seconds) })

describe('unless it is said otherwise', () => {
  test.for([
    { what: 'what fails is asked for three times', script: reply(503, {}), flags: '', times: 3 },
    { what: 'a wait of 60 s is waited for', script: later(60), flags: '--retries 1', times: 2 },
    { what: 'a longer one is not', script: later(61), flags: '--retries 1', times: 1 },
    { what: 'all of it may take 120 s', script: later(50), flags: '--retries 9', times: 3 },
  ])('$what', async ({ script, flags, times }, { skyctl }) => {
    const server = await faultServer(script)
    const { exit } = await skyctl(`${list} ${flags}`, { env: { SKYCTL_BASE_URL: `http://${server.host}/v4` } })
    expect(exit).toBeGreaterThanOrEqual(7)
    expect(server.heard).toHaveLength(times)
  })

  test('a wait until a date is made if it takes 60 s, but not a millisecond longer', async ({ skyctl, clock }) => {
    const times = async (late: number) => {
      const until = new Date(Math.ceil(clock.now() / 1000) * 1000 + 61_000)
      clock.advance(until.getTime() - 60_000 - late - clock.now())
      const server = await faultServer(reply(429, {}, { 'Retry-After': until.toUTCString() }))
      await skyctl(`${list} --retries 1`, { env: { SKYCTL_BASE_URL: `http://${server.host}/v4` } })
      return server.heard.length
    }
    expect([await times(0), await times(1)]).toEqual([2, 1])
  })
})

test('who changes something is asked for once, also where that fails, and the change is done', async ({
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

test('a caveat of the service is a warning, with its details where it has some', async ({ skyctl }) => {
  const warnings = [{ title: 'Moved', details: 'It is elsewhere' }, { title: 'Slow' }]
  const server = await faultServer(reply(299, { ...whole({ id: 3001, label: 'data' }), warnings }))
  const { exit, stderr } = await skyctl('volumes view 3001 --quiet', {
    env: { SKYCTL_BASE_URL: `http://${server.host}/v4` },
  })
  expect({ exit, stderr }).toEqual({
    exit: 0,
    stderr: 'skyctl: warning: Moved: It is elsewhere\nskyctl: warning: Slow\n',
  })
})

test('a run that has ended has closed the sandbox that it opened', async ({ skyctl }) => {
  const env = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined, SKYCTL_CONTEXT: 'sandbox' }
  const { exit, stderr } = await skyctl('volumes list --quiet --debug', { env })
  const [baseUrl = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(stderr) ?? []
  expect({ exit, stderr, isTold: baseUrl !== '' }).toMatchObject({ exit: 0, isTold: true })
  await expect(fetch(baseUrl)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
})

describe('a token that the service does not know', () => {
  const unknown = 'f'.repeat(64)
  const refused = (hint: string) => ({
    exit: 3,
    stdout: '',
    stderr: `skyctl: token rejected: it is wrong, revoked or expired. ${hint}\n`,
  })

  test('is changed where it came from: in the variable', async ({ skyctl }) => {
    const env = { SKYCTL_TOKEN: unknown }
    expect(await skyctl(list, { env })).toEqual(refused('Set SKYCTL_TOKEN to a valid token'))
  })

  test('is changed where it came from: in the context, also where there is a variable', async ({
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
      refused('Sign in with: skyctl auth login --context prod').stderr.trimEnd(),
    )
  })
})
