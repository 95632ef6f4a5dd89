/** Names for Tab: `skyctl completion values KIND` prints and caches them, where Tab looks for them. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { namesReader } from '../../src/completion'
import { positionAfter } from '../../src/completion/position'
import { type Environment, environmentFolder } from '../../src/rules/environment'
import { faultServer, reply, silence } from '../support/fault-server'
import { usEast } from '../support/records'
import { runSkyctl, test } from '../support/skyctl'

/** Returns the cached names that Tab finds in an environment. */
function cachedNames(kind: string, cache: string, env: Environment): string | undefined {
  const position = positionAfter([], { places: {}, flags: [], globals: [], fields: [] })
  return position && namesReader({ env, cache, ask: () => 'none\n', start: () => {} })(kind, position)
}

describe('skyctl completion values', () => {
  test('prints and caches names in byte order', async ({ skyctl, world, home }) => {
    for (const label of ['ärger', 'Zebra', 'data 10', 'data-1', '\u{1f409}', '\uff5a']) world.volume({ label })
    const { stdout } = await skyctl('completion values volumes')
    const lines = stdout.split('\n').filter((line) => line !== '')
    const sorted = spawnSync('sort', { input: stdout, env: { LC_ALL: 'C' }, encoding: 'utf8' }).stdout
    expect(stdout).toBe(sorted)
    expect(lines.length).toBeGreaterThan(10)
    const [folder = ''] = readdirSync(join(home, 'cache/skyctl/names')).filter((name) => name.startsWith('.env'))
    expect(readFileSync(join(home, 'cache/skyctl/names', folder, 'volumes'), 'utf8')).toBe(sorted)
  })

  test('identifies a volume by its id if its label is ambiguous or hostile', async ({ skyctl }) => {
    const { stdout: first } = await skyctl('volumes create --label twin --region us-east --quiet')
    const { stdout: second } = await skyctl('volumes create --label twin --region us-east --allow-duplicate --quiet')
    const { stdout: third } = await skyctl([
      'volumes',
      'create',
      '--label',
      'a\u202eb',
      '--region',
      'us-east',
      '--quiet',
    ])
    const { stdout } = await skyctl('completion values volumes')
    expect(stdout).toContain(`${first.trim()}\ttwin\n`)
    expect(stdout).toContain(`${second.trim()}\ttwin\n`)
    expect(stdout).toContain(`${third.trim()}\ta\\u202eb\n`)
  })

  test('omits regions with invisible or control characters', async ({ skyctl }) => {
    const ids = ['us-east', 'a\u202eb', 'c\u001b[2Jd', 'e\u200bf', 'g\u009bh', 'i\nj', 'k\tl', 'm\u{e0041}n', '']
    const data = ids.map((id) => ({ ...usEast, id, label: 'La\u202ebel\u001b[31m' }))
    const server = await faultServer(reply(200, { data, page: 1, pages: 1, results: data.length }))
    const env = { SKYCTL_BASE_URL: `http://${server.host}/v4` }
    const note = String.raw`La\u202ebel\x1b[31m`
    expect((await skyctl('completion values regions', { env })).stdout).toBe(`us-east\t${note}\n`)
    const { stdout } = await skyctl('completion values regions --json', { env })
    expect(stdout).toMatch(/^[\x20-\x7e]*\n$/)
    expect(JSON.parse(stdout)).toHaveLength(data.length)
  })

  test.for(['prod', 'acme corp', '..', '.current', 'current'])(
    'caches the names of the context %j where Tab looks',
    async (name, { sandbox, home, env }) => {
      const contexts = { [name]: { base_url: sandbox.baseUrl, token: sandbox.ownerToken } }
      mkdirSync(join(home, 'config'), { mode: 0o700 })
      writeFileSync(join(home, 'config/contexts.json'), JSON.stringify({ current: name, contexts }), { mode: 0o600 })
      const ownEnv = { ...env, SKYCTL_BASE_URL: '', SKYCTL_TOKEN: '' }
      expect(await runSkyctl('completion values regions', { env: ownEnv })).toMatchObject({ exit: 0, stderr: '' })
      expect(cachedNames('regions', join(home, 'cache/skyctl'), ownEnv)).toMatch(/^us-east\t/m)
      expect(readdirSync(join(home, 'cache/skyctl'))).toEqual(['names'])
    },
  )

  test('caches names of the account in the environment by its base URL and token', async ({ skyctl, home, env }) => {
    expect((await skyctl('completion values volumes')).exit).toBe(0)
    const folder = environmentFolder(env.SKYCTL_BASE_URL, env.SKYCTL_TOKEN?.slice(0, 16))
    expect(readdirSync(join(home, 'cache/skyctl/names'))).toEqual([folder])
    expect(folder).not.toContain(env.SKYCTL_TOKEN?.slice(0, 4))
    const cached = cachedNames('volumes', join(home, 'cache/skyctl'), { ...env, SKYCTL_CONTEXT: '' })
    expect(cached).toMatch(/^data-2\t/m)
    const none = await skyctl(`completion values volumes --base-url ${env.SKYCTL_BASE_URL}`, {
      env: { SKYCTL_BASE_URL: '' },
    })
    expect(none.exit).toBe(0)
    expect(readdirSync(join(home, 'cache/skyctl/names'))).toEqual([folder])
  })

  test('collects instances from volumes and firewall devices', async ({ skyctl, world }) => {
    for (const [id, label] of [
      [5001, 'mail-1'],
      [5002, 'mail-2'],
      [5003, 'a,b'],
      [5004, 'none-1'],
    ] as const)
      world.compute({ id, label })
    world.volume({ compute_id: 5001 })
    world.volume({ compute_id: 5001 })
    const firewall = world.network.firewall().id
    world.network.device(firewall, 'compute', 5002)
    world.network.device(firewall, 'compute', 5003)
    world.network.device(firewall, 'balancer', 2002)
    const computes = (await skyctl('completion values computes')).stdout.split('\n')
    expect(computes).toEqual(expect.arrayContaining(['mail-1\t5001', 'mail-2\t5002', '5003\ta,b']))
    expect(computes.join()).not.toContain('none-1')
    expect((await skyctl('completion values balancers')).stdout).toContain('front-2\t2002\n')
  })

  test('collects instances of addresses by id', async ({ skyctl, world }) => {
    world.compute({ id: 5001, label: 'mail-1' })
    world.compute({ id: 5002, label: 'mail-2' })
    world.volume({ compute_id: 5001 })
    world.network.address({ address: '203.0.113.201', compute_id: 5001 })
    world.network.address({ address: '203.0.113.202', compute_id: 5002 })
    const lines = (await skyctl('completion values computes')).stdout.split('\n')
    expect(lines.filter((line) => line.includes('500'))).toEqual(['5002', 'mail-1\t5001'])
  })

  test('collects instances if the token may only read addresses', async ({ skyctl, world }) => {
    world.compute({ id: 5002, label: 'mail-2' })
    world.network.address({ address: '203.0.113.202', compute_id: 5002 })
    const token = await world.token('ips:read_only')
    const { exit, stdout } = await skyctl('completion values computes', { env: { SKYCTL_TOKEN: token } })
    expect(exit).toBe(0)
    expect(stdout.split('\n')).toContain('5002')
  })

  test('has the rules of a firewall by its label and its id', async ({ skyctl, world }) => {
    const rule = { action: 'ACCEPT', protocol: 'TCP', addresses: { ipv4: ['0.0.0.0/0'] } }
    const inbound = [
      { ...rule, ports: '22', label: 'ssh-in' },
      { ...rule, ports: '80', label: 'twin' },
      { ...rule, ports: '443', label: 'twin' },
      { ...rule, ports: '25' },
    ]
    const rules = { inbound, inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' }
    const { id } = world.network.firewall({ label: 'edge-1', rules })
    const lines = (await skyctl('completion values rules')).stdout.split('\n')
    const names = ['2\ttwin', '3\ttwin', '4\tACCEPT TCP 25 from 0.0.0.0/0', 'ssh-in\t1']
    for (const firewall of ['edge-1', id]) {
      const start = `${firewall} inbound `
      expect(lines.filter((line) => line.startsWith(start))).toEqual(names.map((name) => start + name))
      expect(lines.filter((line) => line.startsWith(`${firewall} outbound `))).toEqual([])
    }
  })

  test('marks rules as outdated after a change of a firewall', async ({ skyctl, home }) => {
    const ownOptions = { env: { SKYCTL_CONTEXT: 'sandbox' } }
    const file = join(home, 'cache/skyctl/names/sandbox/rules')
    await skyctl('completion values firewalls', ownOptions)
    expect(statSync(file).mtimeMs).toBeGreaterThan(0)
    const line = 'firewalls rules add spare inbound --action drop --protocol udp --ipv4 192.0.2.0/24 --yes'
    expect(await skyctl(line, ownOptions)).toMatchObject({ exit: 0 })
    expect(statSync(file).mtimeMs).toBe(0)
  })

  test('reads the devices of at most 50 firewalls', async ({ skyctl, world }) => {
    for (let count = 0; count < 120; count += 1) world.network.firewall()
    expect(await skyctl('completion values computes')).toMatchObject({ exit: 0 })
    expect(world.requests().filter(({ path }) => path.includes('/devices')).length).toBe(50)
  })

  test('collects instances when volumes are read', async ({ skyctl, world, home, env }) => {
    world.compute({ id: 5001, label: 'mail-1' })
    world.volume({ compute_id: 5001 })
    await skyctl('completion values volumes')
    const folder = String(environmentFolder(env.SKYCTL_BASE_URL, env.SKYCTL_TOKEN?.slice(0, 16)))
    const file = join(home, 'cache/skyctl/names', folder, 'computes')
    expect(readFileSync(file, 'utf8')).toContain('mail-1\t5001\n')
    // Outdated, so that the next Tab reads the other lists as well.
    expect(statSync(file).mtimeMs).toBe(0)
    writeFileSync(file, 'mail-1\t1\nother\t5001\nstays\t7\n')
    await skyctl('completion values volumes')
    expect(readFileSync(file, 'utf8')).toMatch(/^mail-1\t5001\n/m)
    expect(readFileSync(file, 'utf8')).toMatch(/^stays\t7\n/m)
    expect(readFileSync(file, 'utf8')).not.toContain('other')
  })

  test.for([
    ['volumes', 'volumes create --label fresh --region us-east'],
    ['volumes', 'volumes update data-2 --label fresh'],
    ['volumes', 'volumes delete data-2 --yes'],
    ['firewalls', 'firewalls delete spare --yes'],
  ])('drops the labels of %s after "%s"', async ([kind = '', line = ''], { skyctl, home }) => {
    const ownOptions = { env: { SKYCTL_CONTEXT: 'sandbox' } }
    const file = join(home, 'cache/skyctl/names/sandbox', kind)
    await skyctl(`completion values ${kind}`, ownOptions)
    expect(existsSync(file)).toBe(true)
    expect(await skyctl(line, ownOptions)).toMatchObject({ exit: 0 })
    expect(existsSync(file)).toBe(false)
  })

  test('keeps the labels of a kind after a change of other fields', async ({ skyctl, home }) => {
    const ownOptions = { env: { SKYCTL_CONTEXT: 'sandbox' } }
    await skyctl('completion values firewalls', ownOptions)
    expect(await skyctl('firewalls update spare --tags moved', ownOptions)).toMatchObject({ exit: 0 })
    expect(readFileSync(join(home, 'cache/skyctl/names/sandbox/firewalls'), 'utf8')).toMatch(/^spare\t/m)
  })

  test('limits all requests together by --timeout', async ({ skyctl }) => {
    const server = await faultServer(silence)
    const env = { SKYCTL_BASE_URL: `http://${server.host}/v4` }
    expect(await skyctl('completion values computes --timeout 2s', { env })).toEqual({
      exit: 8,
      stdout: '',
      stderr: 'skyctl: timed out while reading names\n',
    })
  })

  test('stops waiting once the names have arrived', async ({ skyctl, clock }) => {
    const sleeps: { milliseconds: number; ended: boolean }[] = []
    const sleep = (milliseconds: number, signal: AbortSignal | undefined) =>
      new Promise<void>((_, reject) => {
        const one = { milliseconds, ended: false }
        sleeps.push(one)
        signal?.addEventListener('abort', () => {
          one.ended = true
          reject(signal.reason)
        })
      })
    const { exit } = await skyctl('completion values regions --timeout 2s', { clock: { ...clock, sleep } })
    expect([exit, sleeps]).toEqual([0, [{ milliseconds: 2000, ended: true }]])
  })
})
