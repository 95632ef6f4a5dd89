/** Limits of the safety checks of firewalls: their warnings, checks before any request, and error messages. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { rule, ruleSet, ssh, web } from '../support/firewall-rules'
import { openProxy } from '../support/proxy'
import { test as base, type Fixtures } from '../support/skyctl'

type World = Fixtures['world']

interface EdgeFixtures {
  /** The firewall "edge" (9100), which protects "app-1" (9001) and allows SSH and HTTPS from 203.0.113.0/24. */
  edge: World
}

const test = base.extend<EdgeFixtures>({
  edge: async ({ world }, use) => {
    world.compute({ id: 9001, label: 'app-1', region: 'us-east' })
    world.compute({ id: 9002, label: 'app-2', region: 'us-east' })
    world.network.firewall({ id: 9100, label: 'edge', rules: ruleSet(ssh, web) as never })
    world.network.device(9100, 'compute', 9001)
    await use(world)
  },
})

const writes = (world: World) => world.requests().filter(({ method }) => method !== 'GET')
const effectLines = (stderr: string) => stderr.split('\n').filter((line) => line.startsWith('newly '))
const disable = ({ network }: World) => {
  const firewall = network.firewalls.get(9100)
  if (firewall) network.firewalls.put({ ...firewall, status: 'disabled' })
}

describe('A disabled firewall', () => {
  test('blocks nothing, whatever is changed', async ({ skyctl, edge }) => {
    disable(edge)
    const [device] = edge.network.devices.all().filter(({ firewall }) => firewall === 9100)
    for (const line of [
      'devices add edge --compute-id 9002',
      `devices delete edge ${device?.id} --yes`,
      'rules remove edge inbound label:ssh --yes',
      'update edge --label gate --yes',
    ]) {
      const { exit, stderr } = await skyctl(`firewalls ${line}`)
      expect({ line, exit, effects: effectLines(stderr) }).toEqual({ line, exit: 0, effects: [] })
    }
  })

  test('is enabled and disabled, with a message if it is already', async ({ skyctl, edge }) => {
    const lastLine = async (verb: string) =>
      (await skyctl(`firewalls ${verb} edge --yes`)).stderr.trimEnd().split('\n').at(-1)
    expect(await lastLine('enable')).toBe('firewall "edge" (9100) is already enabled')
    expect(await lastLine('disable')).toBe('Disabled firewall "edge" (9100): its rules protect nothing')
    expect(await lastLine('disable')).toBe('firewall "edge" (9100) is already disabled')
    expect(await lastLine('enable')).toBe('Enabled firewall "edge" (9100)')
    expect(writes(edge)).toHaveLength(2)
  })
})

describe('A firewall that cannot be read', () => {
  const keep = '--keep-open tcp/22@198.51.100.7'

  test.for([
    [`enable 9100 ${keep}`, false],
    [`devices add 9100 --compute-id 9002 ${keep}`, false],
    ['devices add 9100 --compute-id 9002', true],
  ] as const)('is changed only without --keep-open: %s: %s', async ([line, isSent], { skyctl, sandbox, edge }) => {
    if (line.startsWith('enable')) disable(edge)
    let unread = 0
    const proxy = await openProxy(sandbox.baseUrl, {
      before({ method, path }) {
        if (method !== 'GET' || !/\/firewalls\/9100(\?|$)/.test(path)) return
        unread += 1
        return 'drop'
      },
    })
    onTestFinished(proxy.close)
    const env = { SKYCTL_BASE_URL: proxy.baseUrl }
    await skyctl(`firewalls ${line} --yes --retries 0`, { env })
    expect({ unread: unread > 0, sent: writes(edge).length > 0 }).toEqual({ unread: true, sent: isSent })
  })
})

describe('An assigned service', () => {
  test('has its effects printed with its label if that was typed, else its id, unless it was assigned before', async ({
    skyctl,
    edge,
  }) => {
    const add = async (service: string) =>
      effectLines((await skyctl(`firewalls devices add edge --compute-id ${service} --yes`)).stderr).map((line) =>
        line.replace(/:.*/, ''),
      )
    edge.network.firewall({ id: 9200, label: 'spare', rules: ruleSet() as never, status: 'disabled' as never })
    edge.network.device(9200, 'compute', 9002)
    edge.compute({ id: 9003, label: 'app-3', region: 'us-east' })
    expect(await add('app-1')).toEqual([])
    expect(await add('app-2')).toEqual(['newly blocked at app-2'])
    expect(await add('9003')).toEqual(['newly blocked at compute 9003'])
    expect(edge.network.devices.all().filter(({ firewall }) => firewall === 9100)).toHaveLength(3)
  })

  test.for([
    [
      '',
      'one service is needed. Pass either --compute-id or --balancer-id. For example: skyctl firewalls devices add edge ' +
        '--compute-id 1004,1009 --yes',
    ],
    ['--compute-id 9002 --balancer-id 2001', 'one service is needed. Pass either --compute-id or --balancer-id'],
  ] as const)('must be exactly one, or no request is sent: "%s"', async ([flags, message], { skyctl, edge }) => {
    expect(await skyctl(`firewalls devices add edge ${flags}`)).toEqual({
      exit: 2,
      stdout: '',
      stderr: `skyctl: ${message}\n`,
    })
    expect(edge.requests()).toEqual([])
  })

  test('may be in a --body', async ({ skyctl, edge }) => {
    const stdin = '{"id":9002,"type":"compute"}'
    expect(await skyctl('firewalls devices add edge --body - --yes', { stdin })).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('Assigned firewall "edge" (9100) to compute 9002\n'),
    })
    expect(edge.requests('POST')[0]?.body).toEqual(JSON.parse(stdin))
  })
})

describe('Firewall create', () => {
  const policies = '--inbound-policy drop --outbound-policy accept'
  const keep = '--keep-open tcp/22@198.51.100.7'

  test.for([
    ['--label new --compute-id 9002', 6],
    ['--label new', 6],
    ['--label edge --if-absent --compute-id 9001 --file RULES', 6],
    ['--label new --if-absent --compute-id 9002', 6],
    ['--label new --compute-id 9002 --allow-lockout', 0],
  ] as const)(
    'fails if it would close traffic of --keep-open, unless --allow-lockout is set: %s: %i',
    async ([flags, exit], { skyctl, edge, home }) => {
      const path = join(home, 'rules.json')
      writeFileSync(path, JSON.stringify(ruleSet(ssh, web)))
      const line = flags.includes('RULES') ? flags.replace('RULES', path) : `${flags} ${policies}`
      const before = edge.requests('POST').length
      const result = await skyctl(`firewalls create ${line} ${keep} --yes`)
      expect({ exit: result.exit, created: edge.requests('POST').length - before }).toEqual({
        exit,
        created: exit === 0 ? 1 : 0,
      })
    },
  )

  test.for<[string, string, object, number]>([
    ['an equal firewall', '--compute-id 9001', ruleSet(ssh, web), 0],
    ['one with other rules', '--compute-id 9001', ruleSet(ssh), 6],
    ['one of another service', '--compute-id 9002', ruleSet(ssh, web), 6],
    ['one with other tags', '--compute-id 9001 --tag x', ruleSet(ssh, web), 6],
  ])('with --if-absent takes only an equal firewall: %s', async ([, flags, rules, exit], { skyctl, edge, home }) => {
    const path = join(home, 'rules.json')
    writeFileSync(path, JSON.stringify(rules))
    const line = `firewalls create --label edge --if-absent ${flags} --file ${path} --yes`
    expect({ exit: (await skyctl(line)).exit, writes: writes(edge) }).toEqual({ exit, writes: [] })
  })

  test('reports that the firewall is enabled', async ({ skyctl }) => {
    expect((await skyctl(`firewalls create --label new ${policies}`)).stderr).toMatch(
      /\nCreated firewall "new" \(\d+\); it is enabled\n$/,
    )
  })
})

describe('--keep-open', () => {
  test.for([
    ['--keep-open tcp/22@198.51.100.7', 5],
    ['', 0],
  ] as const)('makes a dry run fail if the firewall cannot be read: "%s": %i', async ([flags, exit], { skyctl }) => {
    expect((await skyctl(`firewalls enable 999999 --dry-run ${flags}`)).exit).toBe(exit)
  })

  test('is rejected with its source if a context has an invalid value', async ({ skyctl, edge, sandbox, home }) => {
    const env = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
    const stdin = sandbox.ownerToken
    await skyctl(`auth login --context lab --with-token --base-url ${sandbox.baseUrl}`, { stdin, env })
    const path = join(home, 'config/contexts.json')
    const stored = JSON.parse(readFileSync(path, 'utf8'))
    stored.contexts.lab.defaults = { keep_open: ['tcp'.repeat(9)] }
    writeFileSync(path, JSON.stringify(stored))
    const { exit, stderr } = await skyctl('firewalls rules remove edge inbound label:ssh --yes', { env })
    expect({ exit, stderr, writes: writes(edge) }).toEqual({
      exit: 2,
      stderr: expect.stringMatching(/keep-open of the context: "(tcp){9}" names no traffic: .*Write it as tcp\/22@/),
      writes: [],
    })
  })

  test('lists three blocked ports and the number of others', async ({ skyctl, edge }) => {
    const ports = [22, 80, 443, 8080, 9090]
    const flags = ports.map((port) => `--keep-open tcp/${port}@198.51.100.7`).join(' ')
    const { exit, stderr } = await skyctl(`firewalls rules remove edge inbound label:ssh --yes ${flags}`)
    expect({ exit, writes: writes(edge) }).toEqual({ exit: 6, writes: [] })
    expect(stderr.match(/would be blocked at app-1/g)).toHaveLength(3)
    expect(stderr).toContain('; and 2 more; nothing was sent. To do it anyway, add --allow-lockout')
  })
})

describe('An SSH connection', () => {
  const env = { SSH_CONNECTION: '203.0.113.7 50022 192.0.2.250 22' }

  test.for([
    ['nobody', null, 0],
    ['an instance', 9001, 6],
  ] as const)(
    'prevents a change with unreadable devices if its address belongs to an instance: %s',
    async ([, compute_id, exit], { skyctl, edge, sandbox }) => {
      if (compute_id !== null) edge.network.address({ address: '192.0.2.250', compute_id })
      const proxy = await openProxy(sandbox.baseUrl, {
        before: ({ path }) => (path.includes('/devices') ? 'drop' : undefined),
      })
      onTestFinished(proxy.close)
      const line = 'firewalls rules remove edge inbound label:ssh --yes --retries 0'
      const result = await skyctl(line, { env: { ...env, SKYCTL_BASE_URL: proxy.baseUrl } })
      expect(result.exit).toBe(exit)
    },
  )

  test('to an address of no instance does not prevent a change', async ({ skyctl, edge }) => {
    // Answers may have such an address; in the sandbox, every address belongs to an instance.
    edge.network.address({ address: '192.0.2.250', compute_id: null as unknown as number })
    expect((await skyctl('firewalls rules remove edge inbound label:ssh --yes', { env })).exit).toBe(0)
  })

  test("to an address in an instance's range prevents a change that blocks it", async ({ skyctl, edge }) => {
    edge.network.address({ address: '2001:db8:99::', type: 'ipv6/range', prefix: 64, compute_id: 9001 })
    const rules = ruleSet({ ...ssh, addresses: { ipv6: ['2001:db8:77::/48'] } })
    edge.network.firewalls.put({ ...(edge.network.firewalls.get(9100) as object), rules } as never)
    const inside = { SSH_CONNECTION: '2001:db8:77::1 50022 2001:db8:99::5 22' }
    const outside = { SSH_CONNECTION: '2001:db8:77::1 50022 2001:db8:98::5 22' }
    const line = 'firewalls rules remove edge inbound label:ssh --yes'
    expect((await skyctl(line, { env: inside })).exit).toBe(6)
    expect((await skyctl(line, { env: outside })).exit).toBe(0)
  })
})

describe('A change with a confirmation', () => {
  const line = 'firewalls rules remove edge inbound label:ssh --yes'

  test.for([
    ['--keep-if true --confirm-within 999ms', '--confirm-within: must be 1s to 24h'],
    ['--keep-if true --confirm-within 86401s', '--confirm-within: must be 1s to 24h'],
    ['--keep-if " "', '--keep-if: the command is empty'],
    [
      '--confirm-within 10s',
      '--confirm-within: there is no terminal for the confirmation. Add --keep-if with a command that checks the change',
    ],
  ] as const)('is rejected before any request: %s', async ([flags, message], { skyctl, edge }) => {
    const result = await skyctl(`${line} ${flags}`)
    expect({ ...result, requests: edge.requests() }).toEqual({
      exit: 2,
      stdout: '',
      stderr: `skyctl: ${message}\n`,
      requests: [],
    })
  })

  test.for(['--confirm-within 1s', '--confirm-within 24h', '--keep-if true'])(
    'needs no confirmation in a dry run: %s',
    async (flags, { skyctl, edge }) => {
      expect((await skyctl(`${line} --dry-run ${flags}`)).exit).toBe(0)
      expect(writes(edge)).toEqual([])
    },
  )
})

describe('A missing rule', () => {
  const remove = 'firewalls rules remove edge inbound'

  test.for([
    ['label:shh', 'no inbound rule of firewall "edge" (9100) has the label "shh". Did you mean "ssh"? There are 1 ('],
    ['match:udp/53', 'no inbound rule of firewall "edge" (9100) matches "udp/53". There are 1 ('],
  ] as const)('is reported with the existing ones: %s', async ([rule, message], { skyctl, edge }) => {
    const { exit, stderr } = await skyctl(`${remove} ${rule} --yes`)
    expect({ exit, stderr, writes: writes(edge) }).toEqual({
      exit: 5,
      stderr: expect.stringContaining(message),
      writes: [],
    })
  })

  test('is reported for a direction without rules', async ({ skyctl, edge }) => {
    const { stderr } = await skyctl('firewalls rules remove edge outbound label:ssh --yes')
    expect(stderr).toBe('skyctl: no outbound rule of firewall "edge" (9100) has the label "ssh". There is none\n')
    expect(writes(edge)).toEqual([])
  })

  test('is reported by its number with the number of existing ones', async ({ skyctl, edge }) => {
    const hash = async () => (await skyctl('firewalls rules list edge --hash')).stdout.trim()
    expect((await skyctl(`${remove} 9 --yes --if-match ${await hash()}`)).stderr).toBe(
      'skyctl: there is no inbound rule 9: the firewall has 2 rules there\n',
    )
    expect((await skyctl(`${remove} label:web --yes`)).exit).toBe(0)
    expect((await skyctl(`${remove} 2 --yes --if-match ${await hash()}`)).stderr).toBe(
      'skyctl: there is no inbound rule 2: the firewall has 1 rule there\n',
    )
    expect(edge.requests('PUT')).toHaveLength(1)
  })

  test('is reported with three of many networks of an existing one', async ({ skyctl, edge }) => {
    const ipv4 = [1, 2, 3, 4, 5].map((net) => `192.0.${net}.0/24`)
    const rules = ruleSet({ ...rule('wide', '22'), addresses: { ipv4 } })
    edge.network.firewalls.put({ ...(edge.network.firewalls.get(9100) as object), rules } as never)
    const { stderr } = await skyctl(`${remove} label:none --yes`)
    expect(stderr).toContain('from 192.0.1.0/24, 192.0.2.0/24, 192.0.3.0/24 and 2 more')
  })
})

describe('rules add --at', () => {
  const add =
    'firewalls rules add edge inbound --action accept --protocol udp --port 53 --from 192.0.2.0/24 --label new'
  const labels = ({ network }: World) => network.firewalls.get(9100)?.rules.inbound.map(({ label }) => label)

  test.for([
    ['', ['ssh', 'web', 'new']],
    ['--at 1', ['new', 'ssh', 'web']],
    ['--at 2', ['ssh', 'new', 'web']],
    ['--at 3', ['ssh', 'web', 'new']],
  ] as const)('inserts a rule at its position: "%s"', async ([flags, expected], { skyctl, edge }) => {
    expect({ exit: (await skyctl(`${add} ${flags}`)).exit, labels: labels(edge) }).toEqual({
      exit: 0,
      labels: expected,
    })
  })

  test.for(['--at 4', '--at 0', '--at x'])('rejects an invalid position: %s', async (flags, { skyctl, edge }) => {
    expect({ exit: (await skyctl(`${add} ${flags}`)).exit, writes: writes(edge) }).toEqual({ exit: 2, writes: [] })
  })

  test.for([
    ['before it', [{ ...ssh, label: 'other' }, web], 6],
    ['behind it', [ssh, { ...web, label: 'other' }], 0],
  ] as const)(
    'inserts a rule despite a change by others behind it, and fails after one before it: %s',
    async ([, rules, exit], { skyctl, edge, sandbox }) => {
      let reads = 0
      const proxy = await openProxy(sandbox.baseUrl, {
        before({ method, path }) {
          if (method !== 'GET' || path !== '/networking/firewalls/9100/rules') return
          reads += 1
          const firewall = edge.network.firewalls.get(9100)
          if (reads === 2) edge.network.firewalls.put({ ...firewall, rules: ruleSet(...rules) } as never)
        },
      })
      onTestFinished(proxy.close)
      const result = await skyctl(`${add} --at 2`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
      expect({ exit: result.exit, stderr: result.stderr }).toEqual({
        exit,
        stderr: expect.stringContaining(
          exit === 6
            ? 'the rules of firewall "edge" (9100) before position 2 were changed meanwhile'
            : 'Updated the rules',
        ),
      })
    },
  )

  test('with --no-validate sends an invalid rule', async ({ skyctl, edge }) => {
    const line = 'firewalls rules add edge inbound --action accept --protocol udp --port 99999 --from 192.0.2.0/24'
    expect((await skyctl(line)).exit).toBe(2)
    expect(writes(edge)).toEqual([])
    expect((await skyctl(`${line} --no-validate --yes`)).exit).toBe(6)
    expect(writes(edge)).toHaveLength(1)
  })
})
