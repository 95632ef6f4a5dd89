/** Commands with several targets: concurrency, output in the order of the input, and failures. */
import { describe, expect, onTestFinished } from 'vitest'
import { faultServer, reply, type Script } from './support/fault-server'
import { openProxy } from './support/proxy'
import { test } from './support/skyctl'

const json = (text: string) => JSON.parse(text)
const jsonLines = (text: string) => text.trimEnd().split('\n').map(json)

describe('a command with several targets', () => {
  test('reports each target, and a summary', async ({ skyctl, world }) => {
    const [a, b] = [world.volume({ label: 'a' }).id, world.volume({ label: 'b' }).id]
    expect(await skyctl('volumes delete a b --yes')).toEqual({
      exit: 0,
      stdout: '',
      stderr: `Deleted volume "a" (${a})\nDeleted volume "b" (${b})\n2 of 2 deleted\n`,
    })
  })

  test('counts only the targets that it changed', async ({ skyctl, world }) => {
    const last = async (line: string) => (await skyctl(line)).stderr.trimEnd().split('\n').at(-1)
    world.volume({ label: 'a' })
    expect(await last('volumes delete a gone --if-present --yes')).toBe('1 of 2 deleted, 1 was absent')
    expect(await last('volumes delete a gone --if-present --yes')).toBe('none deleted: 2 were absent')
    world.network.firewall({ label: 'on', status: 'enabled' } as never)
    world.network.firewall({ label: 'too', status: 'enabled' } as never)
    expect(await last('firewalls enable on too --yes')).toBe('none enabled: 2 unchanged')
    const bodies = '{"label":"new","region":"us-east"}\n{"label":"newer","region":"us-east"}'
    const create = (stdin: string) => skyctl('volumes create --body - --if-absent', { stdin })
    await create(bodies)
    expect((await create(bodies)).stderr).toMatch(/\nnone created: 2 existed already\n$/)
  })

  test('reports each failure on its own line, and the summary last', async ({ skyctl, world }) => {
    const { id } = world.volume({ label: 'data' })
    const locked = [1, 2].map((index) => world.volume({ label: `locked-${index}`, tags: ['protected'] }).id)
    const reason = (id?: number) =>
      `has the tag "protected", so it cannot be deleted. Add --force, or remove the tag first: skyctl volumes update ${id} --remove-tag protected`
    expect(await skyctl(`volumes delete ${locked[0]} data locked-2 --yes`)).toEqual({
      exit: 9,
      stdout: '',
      stderr:
        `Deleted volume "data" (${id})\n` +
        `skyctl: volume "locked-1" (${locked[0]}) ${reason(locked[0])}\n` +
        `skyctl: volume "locked-2" (${locked[1]}) ${reason(locked[1])}\n1 of 3 deleted\n`,
    })
  })

  test('changes nothing if a target does not exist: each missing one has its line', async ({ skyctl, world }) => {
    world.volume({ label: 'data' })
    expect(await skyctl('volumes delete 999998 data none-such --yes')).toEqual({
      exit: 9,
      stdout: '',
      stderr:
        'skyctl: volume 999998 not found\n' + 'skyctl: volume "none-such" not found\n0 of 3 deleted, 1 not tried\n',
    })
    expect(world.requests('DELETE')).toEqual([])
  })

  test('skips targets that the question excludes, even if the answer is yes', async ({ skyctl, world }) => {
    const [free, busy] = [world.volume({ label: 'free' }), world.volume({ label: 'busy', compute_id: 1001 })]
    const { exit, stderr } = await skyctl(`volumes delete ${busy.id} ${free.id}`, {
      ...{ interactive: true, stdin: 'y\n', env: { TERM: 'dumb' } },
    })
    expect(stderr).toContain('1 of 2 will not be deleted:')
    expect(exit).toBe(9)
    expect(world.requests('DELETE').map(({ path }) => path)).toEqual([`/volumes/${free.id}`])
  })

  test('names the target of each failure if the API does not', async ({ skyctl, world }) => {
    const [a, b] = ['a', 'detached'].map((label) => world.volume({ label, compute_id: 1001 }).id)
    const { stderr } = await skyctl('volumes delete a detached --yes')
    // A label can be a word of the API.
    const reason = 'This volume must be detached before it can be deleted. Detach it first: skyctl volumes detach'
    expect(stderr.split('\n').slice(0, 2)).toEqual([
      `skyctl: a: ${reason} ${a} --wait`,
      `skyctl: detached: ${reason} ${b} --wait`,
    ])
  })

  test.for([
    ['volumes detach', 'detached'],
    ['firewalls enable', 'enabled'],
    ['tokens revoke', 'revoked'],
  ])('has its own word in the summary: %s', async ([line, word], { skyctl }) => {
    const { exit, stderr } = await skyctl(`${line} 999998 999999 --yes`)
    expect({ exit, last: stderr.trimEnd().split('\n').at(-1) }).toEqual({ exit: 9, last: `0 of 2 ${word}` })
  })

  test('looks many targets up in one list, and only missing ones by themselves', async ({ skyctl, world }) => {
    const ids = Array.from({ length: 11 }, () => world.volume().id)
    const protectedId = world.volume({ tags: ['protected'] }).id
    const readsOf = () => world.requests('GET').flatMap(({ path }) => path.match(/^\/volumes[^?]*/) ?? [])
    const missing = await skyctl(`volumes delete ${[...ids, 999998, protectedId].join(' ')} --yes`)
    expect(missing).toMatchObject({ exit: 9, stderr: expect.stringContaining('volume 999998 not found') })
    expect(readsOf()).toEqual(['/volumes', '/volumes/999998'])
    const { exit, stderr } = await skyctl(`volumes delete ${[...ids, protectedId].join(' ')} --yes`)
    expect({ exit, stderr }).toEqual({ exit: 9, stderr: expect.stringContaining('11 of 12 deleted') })
    // The list in which all were found before the first deletion is good enough for each deletion.
    expect(readsOf().slice(2)).toEqual(['/volumes'])
    expect(world.requests('DELETE').map(({ path }) => path)).not.toContain(`/volumes/${protectedId}`)
  })

  test('reads each target by itself if the list lacks it', async ({ skyctl, sandbox, world }) => {
    const ids = Array.from({ length: 10 }, () => world.volume().id)
    const protectedId = world.volume({ tags: ['protected'] }).id
    const empty = { data: [], page: 1, pages: 1, results: 0 }
    const service = await openProxy(sandbox.baseUrl, {
      answer: ({ method, path }) => (method === 'GET' && path.startsWith('/volumes?') ? empty : undefined),
    })
    onTestFinished(service.close)
    const { exit, stderr } = await skyctl(`volumes delete ${[...ids, protectedId].join(' ')} --yes`, {
      env: { SKYCTL_BASE_URL: service.baseUrl },
    })
    expect({ exit, deleted: world.requests('DELETE').length }).toEqual({ exit: 9, deleted: 10 })
    expect(stderr).toContain('has the tag "protected"')
  })

  test('reads the list again if it is older than 10 seconds', async ({ skyctl, sandbox, world, clock }) => {
    const ids = Array.from({ length: 40 }, () => world.volume().id)
    const last = ids.at(-1) ?? 0
    const service = await openProxy(sandbox.baseUrl, {
      answer({ method }) {
        const volume = world.volumes.get(last)
        if (method !== 'DELETE' || !volume || volume.tags.includes('protected')) return undefined
        clock.advance(10_000)
        world.volumes.put({ ...volume, tags: ['protected'] })
        return undefined
      },
    })
    onTestFinished(service.close)
    const { exit, stderr } = await skyctl(`volumes delete ${ids.join(' ')} --yes`, {
      env: { SKYCTL_BASE_URL: service.baseUrl },
    })
    expect({ exit, deleted: world.requests('DELETE').length }).toEqual({ exit: 9, deleted: 39 })
    expect(stderr).toContain('has the tag "protected"')
  })

  test('prints no summary with --quiet or for a single target', async ({ skyctl, world }) => {
    const [a, b, c] = [world.volume(), world.volume(), world.volume({ label: 'c' })].map(({ id }) => id)
    expect(await skyctl(`volumes delete ${a} ${b} --yes --quiet`)).toEqual({ exit: 0, stdout: '', stderr: '' })
    expect((await skyctl(`volumes delete c --yes`)).stderr).toBe(`Deleted volume "c" (${c})\n`)
  })
})

describe('if the API answers {},', () => {
  test('JSON is {} for a single target', async ({ skyctl, world }) => {
    expect((await skyctl(`volumes delete ${world.volume().id} --yes --json`)).stdout).toBe('{}\n')
  })

  test.for(['--json', '-o ndjson'])(
    '%s prints a record for each target, in the order of the input',
    async (format, { skyctl, world }) => {
      const [a, b] = [world.volume({ label: 'a' }).id, world.volume({ label: 'b' }).id]
      const locked = world.volume({ label: 'locked', tags: ['protected'] }).id
      const { exit, stdout, stderr } = await skyctl(`volumes delete b locked ${a} --yes ${format}`)
      expect(exit).toBe(9)
      expect(format === '--json' ? json(stdout) : jsonLines(stdout)).toEqual([
        { id: b, label: 'b', ok: true },
        { id: locked, label: 'locked', ok: false, error: expect.objectContaining({ code: 'protected', exit_code: 6 }) },
        { id: a, label: 'a', ok: true },
      ])
      expect(json(stderr).error).toMatchObject({ code: 'some_failed', exit_code: 9 })
    },
  )

  test('an object without a label has its address as id', async ({ skyctl, world }) => {
    const [a, b] = ['2001:db8:1::', '2001:db8:2::']
    const { stdout } = await skyctl(`ipv6 ranges delete ${a} ${b} --yes --json`)
    expect(json(stdout)).toMatchObject([
      { id: a, label: null, ok: false },
      { id: b, label: null, ok: false },
    ])
    expect(world.requests('DELETE')).toEqual([])
  })
})

describe('if the API answers with objects,', () => {
  test.for(['--json', '-o ndjson'])(
    '%s prints in order the object of each success, with "ok", and a record of each failure',
    async (format, { skyctl, world }) => {
      const [a, b] = [world.network.firewall({ label: 'a' }), world.network.firewall()].map(({ id }) => id)
      const whole = async (id?: number) => json((await skyctl(`firewalls view ${id} --json`)).stdout)
      const [c, d] = ['c', 'd'].map((label) => world.network.firewall({ label, tags: ['protected'] }).id)
      const { exit, stdout, stderr } = await skyctl(`firewalls disable ${b} ${c} d a --yes ${format}`)
      expect(exit).toBe(9)
      expect(format === '--json' ? json(stdout) : jsonLines(stdout)).toEqual([
        { ...(await whole(b)), status: 'disabled', ok: true },
        { id: c, label: 'c', ok: false, error: expect.objectContaining({ code: 'protected' }) },
        { id: d, label: 'd', ok: false, error: expect.objectContaining({ code: 'protected' }) },
        { ...(await whole(a)), status: 'disabled', ok: true },
      ])
      expect(json(stderr).error.failures).toHaveLength(2)
    },
  )

  test.for(['volumes view', 'firewalls enable', 'firewalls disable', 'regions view', 'volumes wait', 'ips view'])(
    'each failure has a record if all targets fail: %s',
    async (line, { skyctl }) => {
      const [a = '', b = ''] = { regions: ['xx-1', 'xx-2'], ips: ['192.0.2.250', '192.0.2.251'] }[
        line.split(' ')[0] ?? ''
      ] ?? ['999998', '999999']
      const { exit, stdout, stderr } = await skyctl(`${line} ${a} ${b} --yes --json`)
      expect(exit).toBe(9)
      const failureRecord = (id: string) => ({
        id: /^\d+$/.test(id) ? Number(id) : id,
        label: null,
        ok: false,
        error: expect.objectContaining({ code: 'not_found' }),
      })
      expect(json(stdout)).toEqual([failureRecord(a), failureRecord(b)])
      expect(json(stderr).error.failures).toHaveLength(2)
    },
  )

  test.for(['-o csv', '-o tsv', '-q', '-o table'])(
    '%s prints only the objects of the successes',
    async (format, { skyctl, world }) => {
      const { id } = world.volume({ label: 'data' })
      const { exit, stdout } = await skyctl(`volumes view 999998 ${id} ${format}`)
      expect(exit).toBe(9)
      expect(stdout).toContain(String(id))
      expect(stdout).not.toContain('999998')
      expect(stdout).not.toMatch(/\bok\b/)
      const none = await skyctl(`volumes view 999998 999999 ${format}`)
      expect(none).toMatchObject({ exit: 9, stdout: '' })
    },
  )

  test('volumes wait prints for each volume whether it is in the desired state', async ({ skyctl, world }) => {
    const [free, attached] = [world.volume(), world.volume({ compute_id: 1001 })].map(({ id }) => id)
    const { exit, stdout, stderr } = await skyctl(
      `volumes wait ${free} ${attached} --for detached --wait-timeout 0s --json`,
    )
    expect(exit).toBe(10)
    expect(json(stderr).error.message).toMatch(/^1 of 2 awaited: /)
    expect(json(stdout)).toMatchObject([
      { id: free, ok: true, compute_id: null },
      { id: attached, ok: false, error: { code: 'wait_timed_out' } },
    ])
  })

  test('a single target prints the answer without "ok"', async ({ skyctl, world }) => {
    const { id } = world.volume()
    expect(json((await skyctl(`volumes view ${id} --json`)).stdout)).not.toHaveProperty('ok')
  })
})

describe('requests for several targets', () => {
  /** Disables the history, for which skyctl requests the user. */
  const noHistory = { SKYCTL_HISTORY: '0' }

  /** Answers reads of volumes, and everything else by `script`. */
  const afterReads =
    (script: Script): Script =>
    (socket, heard) => {
      if (heard.method !== 'GET') return script(socket, heard)
      const [, one] = /\/volumes\/(\d+)$/.exec(heard.path) ?? []
      const recordOf = (id: number) => ({ id, label: `v${id}`, tags: [], compute_id: 7 })
      const data = names(100).map((id) => recordOf(Number(id)))
      const record = recordOf(Number(one))
      const page = { data, page: 1, pages: 1, results: data.length }
      return reply(200, JSON.stringify(one ? record : page))(socket, heard)
    }

  /** Answers DELETE requests once `count` of them wait, and counts concurrent ones. */
  async function gate(count: number) {
    const waiting: (() => void)[] = []
    let max = 0
    const { host } = await faultServer(
      afterReads((socket, heard) => {
        waiting.push(() => reply(200, '{}')(socket, heard))
        max = Math.max(max, waiting.length)
        if (waiting.length < count) return
        // Waits for one request too many, and answers the last one first.
        setTimeout(() => {
          for (const answer of waiting.splice(0).reverse()) answer()
        }, 20)
      }),
    )
    return { env: { SKYCTL_BASE_URL: `http://${host}/v4`, ...noHistory }, most: () => max }
  }
  const names = (count: number) => Array.from({ length: count }, (_, index) => String(100 + index))

  test.for<[verb: string, flag: string, atOnce: number]>([
    ['delete', '', 16],
    ['delete', '--concurrency 8', 8],
    ['detach', '', 8],
    ['detach', '--concurrency 16', 16],
  ])('run concurrently, with output in order: %s %s %i', async ([verb, flag, atOnce], { skyctl }) => {
    const warnings: Error[] = []
    const onWarning = (warning: Error) => warnings.push(warning)
    process.on('warning', onWarning)
    onTestFinished(() => void process.off('warning', onWarning))
    const { env, most: maxOpen } = await gate(atOnce)
    const ids = names(atOnce * 2)
    const { exit, stderr } = await skyctl(`volumes ${verb} ${ids.join(' ')} --yes --force ${flag}`, { env })
    expect({ exit, most: maxOpen(), warnings }).toEqual({ exit: 0, most: atOnce, warnings: [] })
    expect(stderr.match(/(?<=volume |\()\d+/g)).toEqual(ids)
  })

  test('may take longer in total than --timeout, which limits each request', async ({ skyctl, clock }) => {
    const { received, host } = await faultServer(
      afterReads((socket, request) => {
        clock.advance(5000)
        reply(200, '{}')(socket, request)
      }),
    )
    const line = `volumes delete ${names(40).join(' ')} --yes --force --concurrency 1`
    const env = { SKYCTL_BASE_URL: `http://${host}/v4`, ...noHistory }
    const { exit, stderr } = await skyctl(line, { env })
    const deletions = received.filter(({ method }) => method === 'DELETE')
    expect({ exit, deletions: deletions.length }).toEqual({ exit: 0, deletions: 40 })
    expect(stderr).toMatch(/40 of 40 deleted\n$/)
  })

  test('stop if the API becomes unavailable, with the number of targets not tried', async ({ skyctl }) => {
    let isDown = false
    const down = reply(503, '{"errors":[]}')
    const { received, host } = await faultServer((socket, heard) => {
      if (isDown) return down(socket, heard)
      isDown = received.some(({ method }) => method === 'DELETE')
      return afterReads(reply(200, '{}'))(socket, heard)
    })
    const env = { SKYCTL_BASE_URL: `http://${host}/v4`, ...noHistory }
    const line = `volumes delete ${names(20).join(' ')} --yes --force --concurrency 1 --retries 0`
    const { exit, stderr } = await skyctl(line, { env })
    // The last request checks the outcome of the second deletion.
    const methods = received.map(({ method }) => method)
    expect({ exit, methods }).toEqual({ exit: 9, methods: ['GET', 'DELETE', 'DELETE', 'GET'] })
    const lines = stderr.trimEnd().split('\n')
    expect(lines).toHaveLength(3)
    expect(lines.at(-1)).toBe('1 of 20 deleted, 18 not tried')
  })

  test('stop at the first one if the token is rejected', async ({ skyctl }) => {
    const { received, env } = await faultServer(reply(401, '{"errors":[{"reason":"Invalid Token"}]}'))
    const line = 'volumes delete 1 2 3 --yes --force --concurrency 1 --retries 0 --json'
    const { stdout, stderr, ...rest } = await skyctl(line, { env })
    expect({ ...rest, received: received.length }).toEqual({ exit: 3, received: 1 })
    expect(json(stderr).error).toMatchObject({ code: 'not_signed_in', exit_code: 3 })
    expect(json(stdout)).toMatchObject([1, 2, 3].map((id) => ({ id, ok: false, error: { code: 'not_signed_in' } })))
    expect(json(stdout)[1].error.message).toMatch(/^not tried: /)
  })

  test('stop at the first one if the API fails, whose outcome is unknown', async ({ skyctl }) => {
    let isDown = false
    const { received, host } = await faultServer((socket, heard) => {
      isDown ||= heard.method === 'DELETE'
      return (isDown ? reply(503, '') : afterReads(reply(200, '{}')))(socket, heard)
    })
    const env = { SKYCTL_BASE_URL: `http://${host}/v4`, ...noHistory }
    const { stdout, exit } = await skyctl('volumes delete 1 2 3 --yes --force --concurrency 1 --retries 0 --json', {
      env,
    })
    const methods = received.map(({ method }) => method).slice(3)
    expect({ exit, methods }).toEqual({ exit: 9, methods: ['DELETE', 'GET'] })
    const codes = ['outcome_unknown', 'unavailable', 'unavailable']
    expect(json(stdout)).toMatchObject(codes.map((code) => ({ ok: false, error: { code } })))
    expect(json(stdout)[1].error.message).toMatch(/^not tried: /)
  })

  test('are all printed by --dry-run, with the failures', async ({ skyctl, world }) => {
    const { id } = world.volume({ label: 'data' })
    const { exit, stdout, stderr } = await skyctl('volumes delete data none-such 3001 --dry-run -o ndjson')
    expect({ exit, paths: jsonLines(stdout).map(({ path }: { path: string }) => path) }).toEqual({
      exit: 9,
      paths: [`/volumes/${id}`, '/volumes/3001'],
    })
    expect(json(stderr).error.message).toBe('2 of 3 checked: volume "none-such" not found')
    expect(world.requests('DELETE')).toEqual([])
  })
})
