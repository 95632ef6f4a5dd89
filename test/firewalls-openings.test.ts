/** `firewalls open` and `close` without a second process; the rest is in process/. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { self } from '../src/files/process-id'
import { openingRule } from '../src/firewall/temporary-opening'
import { gateOf, initialRules, ping, ssh } from './support/openings'
import { openProxy } from './support/proxy'
import { test } from './support/skyctl'

const start = Date.UTC(2026, 0, 15, 12)
const opening = (until: number, mark = '0123456789abcdef') =>
  openingRule({ ...ssh, addresses: { ipv4: ['198.51.100.7/32'] } }, { mark, until })
const line = 'firewalls open gate --port 22 --from 198.51.100.7'

describe('firewalls open', () => {
  test('prints the request with --dry-run, with the new rule first', async ({ skyctl, world }) => {
    gateOf(world)
    const { exit, stdout, stderr } = await skyctl(
      'firewalls open gate --port 80,443 --from 198.51.100.7,2001:db8::/32 --from 192.0.2.0/24 --for 30m --dry-run --json',
    )
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    const { method, path, body } = JSON.parse(stdout)
    expect({ method, path }).toEqual({ method: 'PUT', path: '/networking/firewalls/9100/rules' })
    expect(body.inbound).toEqual([
      {
        action: 'ACCEPT',
        protocol: 'TCP',
        ports: '80,443',
        addresses: { ipv4: ['198.51.100.7/32', '192.0.2.0/24'], ipv6: ['2001:db8::/32'] },
        label: 'open until 2026-01-15T12:30:00Z',
        description: expect.stringMatching(/^Made by skyctl, .*2026-01-15T12:30:00Z \(opening \w{16}-\w{12}\)$/),
      },
      ssh,
      ping,
    ])
    expect(world.requests('PUT')).toEqual([])
  })

  test('takes protocol and ports as messages print them', async ({ skyctl, world }) => {
    gateOf(world)
    const flags = '--from 198.51.100.7 --for 30m --dry-run --json'
    const { stdout } = await skyctl(`firewalls open gate --port udp/53 ${flags}`)
    expect(JSON.parse(stdout).body.inbound[0]).toMatchObject({ protocol: 'UDP', ports: '53' })
    const { exit, stderr } = await skyctl(`firewalls open gate --port udp/53 --protocol tcp ${flags}`)
    const message = '--port udp/53 and --protocol tcp contradict each other'
    expect({ exit, error: JSON.parse(stderr).error }).toMatchObject({ exit: 2, error: { message } })
  })

  test('accepts other protocols, which have no ports', async ({ skyctl, world }) => {
    gateOf(world)
    const { stdout } = await skyctl(
      'firewalls open gate --protocol icmp --from 198.51.100.7 --for 30m --dry-run --json',
    )
    expect(JSON.parse(stdout).body.inbound[0]).not.toHaveProperty('ports')
  })

  test.for<[string, string]>([
    ['--from is required, so that nothing is opened to everybody by mistake', 'gate --port 22 --for 30m'],
    ['The address of your last login', 'gate --port 22 --for 30m'],
    ['--for is required', 'gate --port 22 --from 198.51.100.7'],
    ['--port is required: TCP would be open on all ports', 'gate --from 198.51.100.7 --for 30m'],
    ['--port: only TCP and UDP have ports', 'gate --protocol icmp --port 22 --from 198.51.100.7 --for 30m'],
    ['--for: must be 1s to 30d', 'gate --port 22 --from 198.51.100.7 --for 0s'],
    ['--for: must be 1s to 30d', 'gate --port 22 --from 198.51.100.7 --for 31d'],
    ['"soon" is not a time', 'gate --port 22 --from 198.51.100.7 --for soon'],
    ['not an address', 'gate --port 22 --from me.example.net --for 30m'],
    ['must be 0 to 32', 'gate --port 22 --from 198.51.100.7/33 --for 30m'],
    ['unexpected argument "other". Put the command after --', 'gate other --port 22 --from 198.51.100.7 --for 30m'],
    ['unexpected argument "other"', 'gate other --port 22 --from 198.51.100.7 -- true'],
  ])('is rejected before any request: %s', async ([text, rest], { skyctl, world }) => {
    gateOf(world)
    const { exit, stderr } = await skyctl(`firewalls open ${rest}`)
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringMatching(new RegExp(escapePattern(text), 'i')) })
    expect(world.requests()).toEqual([])
  })

  test('fails for a disabled firewall, which allows all traffic', async ({ skyctl, world }) => {
    gateOf(world)
    const { firewalls } = world.network
    const gate = firewalls.get(9100)
    if (gate) firewalls.put({ ...gate, status: 'disabled' })
    expect((await skyctl(`${line} --for 30m --dry-run`)).stderr).toContain('is disabled: it allows all traffic')
  })
})

test('a word instead of an address is rejected, with the address of the last login, or the command that lists it', async ({
  skyctl,
  world,
}) => {
  const message = '"me" is not an address, and there is no file that names networks'
  const hint = 'Your last login came from 198.51.100.16, 4 days ago. If you are still there, write that'
  for (const line of [
    'firewalls open web --port 22 --for 5m --from me',
    'firewalls rules add web inbound --action accept --protocol tcp --from 192.0.2.1,me',
  ])
    expect(await skyctl(line)).toMatchObject({ exit: 2, stderr: expect.stringContaining(`${message}. ${hint}\n`) })
  const env = { SKYCTL_TOKEN: world.token('firewall:read_write') }
  const { stderr } = await skyctl('firewalls open web --port 22 --for 5m --from me', { env })
  expect(stderr).toContain(`${message}. The address of your last login: skyctl profile logins list --sort -datetime`)
  expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([])
})

describe('firewalls close', () => {
  test("removes openings that have expired by the service's clock, or all of a firewall", async ({
    skyctl,
    world,
    clock,
  }) => {
    const gate = gateOf(world)
    gate.write(({ inbound }) => ({
      inbound: [ssh, opening(start + 1_000), opening(start + 2_000, 'fedcba9876543210'), ping, ...inbound],
    }))
    const all = { ...initialRules, inbound: [ssh, ping, ...initialRules.inbound] }
    // Independent of the machine's clock.
    const late = { clock: { ...clock, now: () => start + 86_400_000 } }
    expect(await skyctl('firewalls close --expired', late)).toMatchObject({
      exit: 0,
      stderr: 'No expired openings\n',
      stdout: '',
    })
    clock.advance(1_000)
    const swept = await skyctl('firewalls close --expired --json')
    expect(JSON.parse(swept.stdout)).toEqual([
      {
        firewall_id: 9100,
        firewall: 'gate',
        protocol: 'TCP',
        ports: '22',
        from: ['198.51.100.7/32'],
        until: '2026-01-15T12:00:01Z',
        mark: '0123456789abcdef',
      },
    ])
    expect(gate.open()).toEqual(['22'])
    expect(await skyctl('firewalls close gate')).toMatchObject({
      exit: 0,
      stdout: '',
      stderr: 'Closed tcp/22 from 198.51.100.7/32 of firewall "gate" (9100)\n',
    })
    expect(gate.rules()).toEqual(all)
    expect(await skyctl('firewalls close gate')).toMatchObject({ exit: 0, stderr: 'No temporary openings\n' })
  })

  test('names three networks, and the number of the others', async ({ skyctl, world }) => {
    const gate = gateOf(world)
    for (const [count, more] of [
      [3, ''],
      [5, ' and 2 more'],
    ] as const) {
      const ipv4 = Array.from({ length: count }, (_, index) => `192.0.2.${index}/32`)
      const rule = openingRule({ ...ssh, addresses: { ipv4 } }, { mark: '0123456789abcdef', until: start })
      gate.write(({ inbound }) => ({ inbound: [rule, ...inbound] }))
      const { stderr } = await skyctl('firewalls close gate')
      expect(stderr).toBe(
        `Closed tcp/22 from 192.0.2.0/32, 192.0.2.1/32, 192.0.2.2/32${more} of firewall "gate" (9100)\n`,
      )
    }
  })

  test('prints null for the ports of a protocol without ports', async ({ skyctl, world }) => {
    const rule = openingRule(
      { ...ping, addresses: { ipv4: ['192.0.2.7/32'] } },
      { mark: '0123456789abcdef', until: start },
    )
    gateOf(world).write(({ inbound }) => ({ inbound: [rule, ...inbound] }))
    const { stdout } = await skyctl('firewalls close gate --json')
    expect(JSON.parse(stdout)).toMatchObject([{ protocol: 'ICMP', ports: null, from: ['192.0.2.7/32'] }])
  })

  test('prints chosen columns, otherwise only a message', async ({ skyctl, world }) => {
    const gate = gateOf(world)
    const close = async (flags: string) => {
      gate.write(({ inbound }) => ({ inbound: [opening(start), ...inbound] }))
      return (await skyctl(`firewalls close gate ${flags}`)).stdout
    }
    expect(await close('')).toBe('')
    expect(await close('--columns mark --no-headers')).toBe('0123456789abcdef\n')
  })

  test('skips a change of rules that waits for its confirmation', async ({ skyctl, world, sandbox, env }) => {
    const gate = gateOf(world)
    const { baseUrl } = sandbox
    const folder = join(String(env.SKYCTL_STATE_DIR), 'watches')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const undoing = {
      kind: 'restore',
      firewallId: 9100,
      name: 'firewall "gate" (9100)',
      before: initialRules,
      written: initialRules,
    }
    const processes = { first: self(), watcher: self(), attached: true }
    const watch = {
      service: baseUrl,
      context: null,
      undoings: [undoing],
      ...processes,
      stage: 'written',
      deadline: null,
    }
    writeFileSync(join(folder, '0123456789abcdef.ndjson'), JSON.stringify(watch), { mode: 0o600 })
    gate.write(({ inbound }) => ({ inbound: [opening(start), ...inbound] }))
    expect(await skyctl('firewalls close')).toEqual({ exit: 0, stdout: '', stderr: 'No temporary openings\n' })
    expect({ open: gate.open(), sent: world.requests() }).toEqual({ open: ['22'], sent: [] })
  })

  test('without a name, closes the openings of this machine at this API only', async ({
    skyctl,
    world,
    sandbox,
    env,
  }) => {
    const gate = gateOf(world)
    const { baseUrl } = sandbox
    const folder = join(String(env.SKYCTL_STATE_DIR), 'watches')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const [ownMark, elsewhere, another] = ['0123456789abcdef', '1123456789abcdef', '2123456789abcdef'] as const
    const record = (mark: string, service: string, firewallId: number) => {
      const undoing = { kind: 'close', firewallId, name: `firewall ${firewallId}`, mark, passage: 'tcp/22' }
      const processes = { first: self(), watcher: self(), attached: true }
      const watch = { service, context: null, undoings: [undoing], ...processes, stage: 'written', deadline: null }
      writeFileSync(join(folder, `${mark}.ndjson`), JSON.stringify(watch), { mode: 0o600 })
    }
    record(ownMark, baseUrl, 9100)
    // Firewall 4711 is at another service, and unknown at this one.
    record(elsewhere, 'https://api.example.net', 4711)
    gate.write(({ inbound }) => ({ inbound: [opening(start, ownMark), opening(start, another), ...inbound] }))
    expect(await skyctl('firewalls close')).toEqual({
      exit: 0,
      stdout: '',
      stderr: expect.stringMatching(/^Closed tcp\/22 from 198\.51\.100\.7\/32 of firewall "gate" \(9100\)\n$/m),
    })
    expect(gate.rules().inbound).toEqual([opening(start, another), ssh, ping])
    expect(readdirSync(folder)).toEqual([`${elsewhere}.ndjson`])
  })

  test('prints the request with --dry-run, and sends nothing', async ({ skyctl, world }) => {
    const gate = gateOf(world)
    gate.write(({ inbound }) => ({ inbound: [opening(start - 60_000), ...inbound] }))
    const current = gate.rules()
    const sent = { method: 'PUT', path: '/networking/firewalls/9100/rules', body: initialRules }
    for (const line of ['firewalls close gate', 'firewalls close --expired']) {
      const { exit, stdout, stderr } = await skyctl(`${line} --dry-run --json`)
      expect({ line, exit, printed: JSON.parse(stdout), stderr }).toEqual({ line, exit: 0, printed: sent, stderr: '' })
    }
    expect((await skyctl('firewalls close gate --dry-run')).stderr).toBe(
      'Would close tcp/22 from 198.51.100.7/32 of firewall "gate" (9100)\nNothing was sent\n',
    )
    expect(gate.rules()).toEqual(current)
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([])
    gate.write(() => initialRules)
    const { stdout, stderr } = await skyctl('firewalls close --expired --dry-run')
    expect({ stdout, stderr }).toEqual({ stdout: '[]\n', stderr: 'Nothing was sent\n' })
    gate.write(() => ({ inbound: [{ ...opening(start), addresses: { ipv4: ['0.0.0.0/0'] } }] }))
    expect(await skyctl('firewalls close gate --dry-run --json')).toMatchObject({ exit: 6, stdout: '[]\n' })
  })

  test('repeats the change if somebody else has changed the rules', async ({ skyctl, sandbox, world }) => {
    const gate = gateOf(world)
    gate.write(({ inbound }) => ({ inbound: [opening(start), ...inbound] }))
    const rival = { ...ssh, ports: '2222', label: 'rival' }
    let reads = 0
    const proxy = await openProxy(sandbox.baseUrl, {
      after({ method, path }) {
        if (method === 'GET' && path.endsWith('/rules')) reads += 1
        if (reads === 1) gate.write(({ inbound }) => ({ inbound: [rival, ...inbound] }))
        if (reads === 1) reads += 1
      },
    })
    const { exit } = await skyctl('firewalls close gate', { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await proxy.close()
    expect({ exit, inbound: gate.rules().inbound }).toEqual({ exit: 0, inbound: [rival, ssh, ping] })
  })

  test.for([
    ['--from 198.51.100.7', ['203.0.113.9/32', '198.51.100.8/32']],
    ['--from 198.51.100.0/24', ['203.0.113.9/32']],
    ['--from 198.51.100.7,203.0.113.9', ['198.51.100.8/32']],
    ['--from 192.0.2.1', ['198.51.100.7/32', '203.0.113.9/32', '198.51.100.8/32']],
    ['--mark 0000000000000002', ['198.51.100.7/32', '198.51.100.8/32']],
    ['--mark 0000000000000002,0000000000000003 --from 198.51.100.0/24', ['198.51.100.7/32', '203.0.113.9/32']],
  ] as const)('closes only the openings that %s names', async ([flags, expected], { skyctl, world, clock }) => {
    const addresses = ['198.51.100.7/32', '203.0.113.9/32', '198.51.100.8/32']
    const inbound = addresses.map((address, index) =>
      openingRule(
        { action: 'ACCEPT', protocol: 'TCP', ports: '22', addresses: { ipv4: [address] } },
        { mark: `000000000000000${index + 1}`, until: clock.now() + 60_000 },
      ),
    )
    const gate = gateOf(world)
    gate.write(() => ({ inbound }))
    const { exit, stderr } = await skyctl(`firewalls close gate ${flags}`)
    const open = gate.rules().inbound.flatMap((rule) => rule.addresses.ipv4 ?? [])
    expect({ exit, open, isNone: stderr.includes('No such temporary openings') }).toEqual({
      ...{ exit: 0, open: expected },
      isNone: expected.length === 3,
    })
  })

  test('closes of the expired openings only those that --mark and --from name', async ({ skyctl, world }) => {
    const gate = gateOf(world)
    gate.write(() => ({ inbound: [opening(start - 2_000), opening(start - 1_000, 'fedcba9876543210')] }))
    expect((await skyctl('firewalls close --expired --from 192.0.2.1')).stderr).toBe('No such expired openings\n')
    const { exit, stdout } = await skyctl('firewalls close --expired --mark fedcba9876543210 --json')
    expect({ exit, marks: JSON.parse(stdout).map(({ mark }: { mark: string }) => mark) }).toEqual({
      exit: 0,
      marks: ['fedcba9876543210'],
    })
    expect(gate.rules().inbound).toEqual([opening(start - 2_000)])
  })

  test('--expired has an old name, sweep, which works and is not shown', async ({ skyctl, world }) => {
    const gate = gateOf(world)
    gate.write(({ inbound }) => ({
      inbound: [opening(start - 1_000), opening(start + 60_000, 'fedcba9876543210'), ...inbound],
    }))
    const { exit, stderr } = await skyctl('firewalls sweep')
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: expect.stringMatching(/^Closed tcp\/22 from 198\.51\.100\.7\/32 of firewall "gate" \(9100\)$/m),
    })
    expect(gate.rules().inbound).toEqual([opening(start + 60_000, 'fedcba9876543210'), ssh, ping])
    expect((await skyctl('firewalls --help')).stdout).not.toContain('sweep')
    expect((await skyctl('firewalls sweep --help')).stdout).toContain('skyctl firewalls close --expired')
  })

  test('fails for an opening that somebody changes before it is removed', async ({ skyctl, meanwhile, world }) => {
    const gate = gateOf(world)
    const own = opening(start)
    gate.write(({ inbound }) => ({ inbound: [own, ...inbound] }))
    let reads = 0
    await meanwhile({
      after({ method, path }) {
        if (method !== 'GET' || !path.endsWith('/rules')) return
        reads += 1
        if (reads === 1)
          gate.write(({ inbound: [, ...others] }) => ({ inbound: [{ ...own, label: 'kept' }, ...others] }))
      },
    })
    const { exit, stderr } = await skyctl('firewalls close gate')
    expect({ exit, labels: gate.rules().inbound.map(({ label }) => label) }).toEqual({
      exit: 6,
      labels: ['kept', 'ssh', 'ping'],
    })
    expect(stderr).toContain('was changed meanwhile')
    expect(stderr).not.toContain('Closed')
  })

  test('reports no changed opening of another address', async ({ skyctl, world, clock }) => {
    const gate = gateOf(world)
    const changed = { ...opening(clock.now() + 60_000), addresses: { ipv4: ['192.0.2.0/24'] } }
    gate.write(() => ({ inbound: [changed] }))
    expect((await skyctl('firewalls close gate --from 203.0.113.9')).exit).toBe(0)
    expect((await skyctl('firewalls close gate --from 192.0.2.0/24')).exit).toBe(6)
    expect((await skyctl('firewalls close gate --from nowhere')).exit).toBe(2)
  })

  test('continues after an unknown firewall with --expired, and otherwise does nothing; exit code 9', async ({
    skyctl,
    world,
  }) => {
    const gate = gateOf(world)
    gate.write(({ inbound }) => ({ inbound: [opening(start - 60_000), ...inbound] }))
    expect(await skyctl('firewalls close nowhere gate -q')).toMatchObject({ exit: 9, stdout: '' })
    expect(gate.rules()).not.toEqual(initialRules)
    const { exit, stdout } = await skyctl('firewalls close nowhere gate --expired -q')
    expect({ exit, stdout }).toEqual({ exit: 9, stdout: '9100\n' })
    expect(gate.rules()).toEqual(initialRules)
  })

  test('names and keeps a rule that is falsely marked as an opening', async ({ skyctl, world }) => {
    const gate = gateOf(world)
    const invalidTime = { ...opening(start), description: `${opening(start).description}`.replace('01-15T', '99-99T') }
    const wider = { ...opening(start), addresses: { ipv4: ['0.0.0.0/0'] } }
    gate.write(() => ({ inbound: [invalidTime, wider] }))
    expect(await skyctl('firewalls close --expired')).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('it was not removed'),
    })
    expect(await skyctl('firewalls close gate')).toMatchObject({ exit: 6 })
    expect(gate.rules().inbound).toEqual([invalidTime, wider])
  })

  test('works with null instead of lists', async ({ skyctl, world }) => {
    const { firewalls } = world.network
    gateOf(world)
    const gate = firewalls.get(9100)
    if (gate) firewalls.put({ ...gate, rules: { ...initialRules, inbound: null, outbound: null } } as never)
    expect(await skyctl('firewalls close --expired')).toMatchObject({ exit: 0 })
    expect(await skyctl('firewalls close gate')).toMatchObject({ exit: 0 })
  })
})

test.for<[what: string, record: unknown]>([
  ['invalid JSON', '{"undoings":'],
  ['an outcome without its time', { undoings: [], first: { pid: 1 }, outcome: { ok: true, texts: ['x'] } }],
  ['null instead of an undo', { undoings: [null], first: { pid: 1 }, outcome: { ok: true, texts: [], time: 0 } }],
  ['a list', ['watch']],
])('an invalid record of a watcher breaks no command: %s', async ([, record], { skyctl, env }) => {
  const folder = join(String(env.SKYCTL_STATE_DIR), 'watches')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, '0123456789abcdef.ndjson'), typeof record === 'string' ? record : JSON.stringify(record), {
    mode: 0o600,
  })
  expect(await skyctl('regions view us-east -q')).toEqual({ exit: 0, stdout: 'us-east\n', stderr: '' })
})

const escapePattern = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

describe('firewalls openings', () => {
  const rules = (mark: string, until: number) => ({ ...initialRules, inbound: [opening(until, mark), ssh] })
  const another = 'fedcba9876543210'
  const edited = { ...opening(start, '00000000000000aa'), addresses: { ipv4: ['203.0.113.0/24'] } }

  test('lists what is open at all firewalls, or at the named ones, with source and time', async ({ skyctl, world }) => {
    const gate = gateOf(world)
    gate.write(() => ({ inbound: [opening(start + 1_800_000), edited, ssh] }))
    world.network.firewall({ id: 9200, label: 'other', rules: rules(another, start - 60_000) } as never)
    expect(await skyctl('firewalls openings')).toEqual({
      exit: 0,
      stderr: '',
      stdout: expect.stringMatching(
        new RegExp(
          [
            'FIREWALL +FIREWALL_ID +PORTS +FROM +UNTIL +STATE +MARK',
            'gate +9100 +tcp/22 +198.51.100.7/32 +2026-01-15T12:30:00Z +open +0123456789abcdef',
            'gate +9100 +tcp/22 +203.0.113.0/24 +- +changed +00000000000000aa',
            'other +9200 +tcp/22 +198.51.100.7/32 +2026-01-15T11:59:00Z +expired +fedcba9876543210',
            '$',
          ].join('\n'),
        ),
      ),
    })
    const only = JSON.parse((await skyctl('firewalls openings other --json')).stdout)
    expect(only).toEqual([
      {
        ...{ firewall_id: 9200, firewall: 'other', protocol: 'TCP', ports: '22', from: ['198.51.100.7/32'] },
        ...{ until: '2026-01-15T11:59:00Z', mark: another, state: 'expired' },
      },
    ])
    expect((await skyctl('firewalls openings --filter state=expired -q')).stdout).toBe(`${another}\n`)
    expect((await skyctl('firewalls openings --filter until>2026-01-15T12:00:00 -q')).stdout).toBe('0123456789abcdef\n')
    const csv = 'firewalls openings -o csv --columns firewall,state --sort -firewall'
    expect((await skyctl(csv)).stdout).toBe('firewall,state\nother,expired\ngate,open\ngate,changed\n')
  })

  test('says that nothing is open, and changes nothing', async ({ skyctl, world }) => {
    gateOf(world)
    expect(await skyctl('firewalls openings gate')).toEqual({ exit: 0, stdout: '', stderr: 'No temporary openings\n' })
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([])
  })
})
