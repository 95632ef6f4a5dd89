/** A command with more requests than the rate limit allows spreads them (gaps.md, Rate limits). */
import { describe, expect, vi } from 'vitest'
import { interruptedWait } from './support/interrupted-wait'
import { bodies, creations, test } from './support/rate-limit'

const spread = /The API allows 25 requests a minute: the remaining 5\d volumes take about 2 minutes\n/g

describe('Creations of more volumes than the rate limit allows', () => {
  test('are spread over its windows, so that none is refused', async ({ skyctl, world, passed }) => {
    const { exit, stdout } = await skyctl('volumes create --body - -q', { stdin: bodies(60) })
    expect({ exit, created: stdout.trim().split('\n').length, sent: creations(world).length }).toEqual({
      ...{ exit: 0, created: 60, sent: 60 },
    })
    // Two windows of a minute must pass, and their ends are known to two seconds.
    expect(passed()).toBeGreaterThanOrEqual(120)
    expect(passed()).toBeLessThan(125)
  })

  test.for(['', '-q', '--json'])('say once on stderr how long they take: %s', async (flags, { skyctl }) => {
    const { stderr } = await skyctl(`volumes create --body - ${flags}`, { stdin: bodies(60) })
    const text = flags === '--json' ? `${JSON.parse(stderr).note.message}\n` : stderr
    expect(text.match(spread)).toHaveLength(1)
  })

  test('leave waits their time: --wait-timeout does not count the pauses', async ({ skyctl, passed }) => {
    const { exit } = await skyctl('volumes create --wait --wait-timeout 40s --body -', { stdin: bodies(60) })
    expect(exit).toBe(0)
    expect(passed()).toBeGreaterThan(100)
  })

  test('stop at once when they are interrupted, and say what was done', async ({ skyctl, world, clock }) => {
    const { exit, stderr } = await skyctl('volumes create --body -', {
      stdin: bodies(60),
      ...interruptedWait(clock, () => creations(world).length >= 20),
    })
    expect(exit).toBe(130)
    expect(stderr).toMatch(/interrupted: 2\d of 60 created/)
    expect(creations(world).length).toBeLessThan(30)
  })
})

describe('Without need', () => {
  test('nothing is spread: as many creations as the limit allows are sent at once', async ({ skyctl, passed }) => {
    const { exit, stderr } = await skyctl('volumes create --body -', { stdin: bodies(25) })
    expect({ exit, passed: passed(), spread: stderr.match(spread) }).toEqual({ exit: 0, passed: 0, spread: null })
  })

  test('a single request is sent at once, however few are left', async ({ skyctl, useUp, passed }) => {
    useUp(24, 'POST')
    const { exit } = await skyctl('volumes create --label one --region us-east')
    expect({ exit, passed: passed() }).toEqual({ exit: 0, passed: 0 })
  })
})

describe('A creation that the rate limit refuses', () => {
  test('waits longer than other requests may, and says nothing', async ({ skyctl, useUp, world, passed }) => {
    useUp(25, 'POST')
    const { exit, stderr } = await skyctl('volumes create --label one --region us-east --retries 0 -q')
    expect({ exit, stderr, sent: creations(world).length }).toEqual({ exit: 0, stderr: '', sent: 2 })
    expect(passed()).toBeGreaterThanOrEqual(60)
  })

  const bare = { errors: [{ reason: 'Too many requests' }] }
  /** Refuses creations without saying for how long, for so many seconds. */
  const refusing =
    (seconds: number, passed: () => number) =>
    ({ method }: { method: string }) =>
      method === 'POST' && passed() < seconds ? bare : undefined

  test.for([
    ['', 300],
    ['--wait-timeout 20m', 1200],
    ['--timeout 10m', 600],
  ] as const)(
    'without Retry-After is repeated as long as a limit allows: %s',
    async ([flag, seconds], { skyctl, meanwhile, world, passed }) => {
      const line = `volumes create --label one --region us-east ${flag}`
      await meanwhile({ refuse: refusing(seconds - 30, passed), refusal: 429 })
      const { exit, stderr } = await skyctl(line)
      expect({ exit, sent: creations(world).length }, stderr).toEqual({ exit: 0, sent: 1 })
      expect(passed()).toBeGreaterThanOrEqual(seconds - 30)
      await meanwhile({ refuse: refusing(Number.POSITIVE_INFINITY, passed), refusal: 429 })
      const begun = passed()
      expect((await skyctl(line.replace('one', 'two'))).exit).toBe(7)
      expect(passed() - begun).toBeGreaterThan(seconds - 30)
      expect(passed() - begun).toBeLessThanOrEqual(seconds)
    },
  )

  test.for(['--max-wait 30s', '--timeout 30s'])(
    'does not wait longer than %s',
    async (flag, { skyctl, useUp, passed }) => {
      useUp(25, 'POST')
      const { exit, stderr } = await skyctl(`volumes create --label one --region us-east ${flag}`)
      expect({ exit, passed: passed() }).toEqual({ exit: 7, passed: 0 })
      expect(stderr).toContain('too many requests; the service asks to wait 1m')
    },
  )
})

describe('Many pages of a list', () => {
  test('are spread over the rate limit', async ({ skyctl, useUp, world, passed }) => {
    for (let index = 0; index < 25 * 40; index += 1) world.volume({ label: `v${index}`, region: 'us-east' })
    useUp(780)
    const { exit, stdout, stderr } = await skyctl('volumes list -q --page-size 25')
    expect({ exit, volumes: stdout.trim().split('\n').length >= 1000 }).toEqual({ exit: 0, volumes: true })
    expect(stderr).toContain('The API allows 800 requests in 2 minutes: the remaining')
    expect(passed()).toBeGreaterThan(100)
  })
})

describe('Reads of many objects one by one', () => {
  test('are spread over the rate limit: the services of firewalls', async ({ skyctl, useUp, world, passed }) => {
    for (let index = 0; index < 120; index += 1) world.network.firewall({ label: `fw${index}`, tags: [] })
    useUp(750)
    const { exit, stderr } = await skyctl('plan -', { stdin: 'firewalls: { fw1: { tags: [new] } }' })
    expect(exit, stderr).toBe(0)
    expect(stderr).toMatch(/The API allows 800 requests in 2 minutes: the remaining \d+ firewalls take/)
    expect(passed()).toBeGreaterThan(100)
  })

  test('are spread over the rate limit: IPv6 ranges', async ({ skyctl, useUp, world, passed }) => {
    const ranges = Array.from({ length: 20 }, (_, index) => `2001:db8:${index + 1}::`)
    for (const address of ranges)
      world.network.address({ address, compute_id: 1001, type: 'ipv6/range', prefix: 64, public: true })
    useUp(795)
    const { stderr } = await skyctl('ipv6 ranges view - -q', { stdin: ranges.join('\n') })
    expect(stderr).toMatch(/The API allows 800 requests in 2 minutes: the remaining \d+ IPv6 ranges take/)
    expect(passed()).toBeGreaterThan(100)
  })
})

describe('apply', () => {
  const files = (count: number) =>
    JSON.stringify({
      volumes: Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`v${index}`, { region: 'us-east', size: 20 }]),
      ),
    })

  test('spreads its creations, and says so once', async ({ skyctl, world, passed }) => {
    const { exit, stderr } = await skyctl('apply --yes -', { stdin: files(60) })
    expect({ exit, sent: creations(world).length }).toEqual({ exit: 0, sent: 60 })
    expect(stderr.match(spread)).toHaveLength(1)
    expect(passed()).toBeLessThan(200)
  })

  test('names its requests with -v before it asks', async ({ skyctl, world }) => {
    const { stderr } = await skyctl('apply -v -', { stdin: files(3) })
    expect(stderr).toMatch(
      /this takes 3 requests and some to look things up: 3 POST \/volumes; the API allows \d+ more/,
    )
    expect(creations(world)).toEqual([])
  })
})

describe('A pause for the rate limit', () => {
  const labels = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`)
  const created = Object.fromEntries(labels('a', 60).map((label) => [label, { region: 'us-east', size: 20 }]))
  const tagged = Object.fromEntries(labels('z', 12).map((label) => [label, { tags: ['new'] }]))

  test('takes no place: steps with another limit go on', async ({ skyctl, world, clock }) => {
    for (const label of Object.keys(tagged)) world.volume({ label, region: 'us-east', size: 20, tags: [] })
    // Nothing else pauses so long.
    world.transitionMs = 0
    const done = () => world.volumes.all().filter(({ tags }) => tags.includes('new')).length
    let inPause: number | undefined
    const sleep: typeof clock.sleep = async (milliseconds, signal) => {
      if (milliseconds > 1000 && inPause === undefined) {
        inPause = 0
        await vi.waitFor(() => expect(done()).toBe(12), { timeout: 3000 }).catch(() => {})
        inPause = done()
      }
      await clock.sleep(milliseconds, signal)
    }
    const stdin = JSON.stringify({ volumes: { ...created, ...tagged } })
    const { exit, stderr } = await skyctl('apply --yes - --concurrency 2', { stdin, clock: { ...clock, sleep } })
    expect({ exit, inPause }, stderr).toEqual({ exit: 0, inPause: 12 })
  })

  test('sends nothing more after the run has ended', async ({ skyctl, meanwhile, world }) => {
    let isAway = false
    await meanwhile({
      before() {
        isAway ||= creations(world).length >= 20
        return isAway ? 'drop' : undefined
      },
    })
    const { exit, stdout } = await skyctl('volumes create --body - --retries 0 --json', { stdin: bodies(60) })
    const records: { ok: boolean; error?: { message: string } }[] = JSON.parse(stdout)
    const messages = records.flatMap(({ error }) => error?.message ?? [])
    expect(exit).toBe(9)
    expect(messages.length).toBe(60 - creations(world).length)
    expect(messages.filter((text) => !text.startsWith('not tried')).length).toBeLessThanOrEqual(8)
  })
})
