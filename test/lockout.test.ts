/** Guards around firewalls (state.md): traffic that a change blocks, and traffic that must stay allowed. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { FirewallRule, FirewallRules } from '../src/catalogue/firewall-rules'
import { rulesOf, ruleThat } from './support/firewall-rules'
import { type Fixtures, test } from './support/skyctl'

const json = (text: string) => JSON.parse(text)

const rule = (label: string, ports: string, more: Partial<FirewallRule> = {}): FirewallRule => ({
  ...ruleThat({ ports, ipv4: ['198.51.100.0/24'], label }),
  ...more,
})
const ssh = rule('ssh', '22')
const web = rule('web', '443', { addresses: { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] } })
const shut = (...inbound: FirewallRule[]) => rulesOf(inbound)

type World = Fixtures['world']

/** Protects two instances and a balancer by default. */
function arrange(
  world: World,
  { rules = shut(ssh, web), status = 'enabled', services = [9001, 9002, 2002] }: Arrangement = {},
): void {
  world.network.firewall({ id: 9100, label: 'edge', rules: rules as never, status: status as never })
  for (const id of services) {
    if (id >= 9000) world.compute({ id, label: `app-${id - 9000}` })
    world.network.device(9100, id >= 9000 ? 'compute' : 'balancer', id)
  }
}

interface Arrangement {
  rules?: FirewallRules
  status?: string
  services?: readonly number[]
}

const arrangeRules = ({ network }: World, rules: FirewallRules) => {
  const firewall = network.firewalls.get(9100)
  if (firewall) network.firewalls.put({ ...firewall, rules: rules as never })
}

const writes = (world: World) => world.requests().filter(({ method }) => method !== 'GET')
const devicesRead = (world: World) => world.requests('GET').filter(({ path }) => /\/devices(\?|$)/.test(path)).length
const currentRules = (world: World) => world.network.firewalls.get(9100)?.rules.inbound.map(({ label }) => label)

const impactIn = (stderr: string) =>
  stderr.split('\n').filter((line) => /^(newly |unknown effect|the services |its services )/.test(line))

const everywhere = '0.0.0.0/0, ::/0'
const newlyOpen = 'tcp (but 22,443), udp, icmp, ipencap, other protocols'
const bothInstances = 'app-1, app-2'

describe('the impact of a firewall change', () => {
  test.for<[string, string[]]>([
    ['rules remove edge inbound label:ssh', ['newly blocked at app-1, app-2, front-2: tcp/22 from 198.51.100.0/24']],
    [
      'rules add edge inbound --action accept --protocol udp --port 53 --from 2001:db8::7/128',
      ['newly allowed at app-1, app-2: udp/53 from 2001:db8::7'],
    ],
    [
      'rules add edge inbound --action drop --protocol tcp --port 443 --from 203.0.113.0/25,203.0.113.128/25 --at 1',
      ['newly blocked at app-1, app-2, front-2: tcp/443 from 203.0.113.0/24'],
    ],
    ['rules update edge --outbound-policy drop', [`newly blocked at ${bothInstances}: all traffic to ${everywhere}`]],
    [
      'rules update edge --inbound-policy accept',
      [
        `newly allowed at ${bothInstances}: ${newlyOpen} from ${everywhere}; tcp/22 from ${everywhere} but 198.51.100.0/24`,
        `newly allowed at front-2: tcp (but 22,443) from ${everywhere}; tcp/22 from ${everywhere} but 198.51.100.0/24`,
      ],
    ],
    [
      'disable edge',
      [
        `newly allowed at ${bothInstances}: ${newlyOpen} from ${everywhere}; tcp/22 from ${everywhere} but 198.51.100.0/24`,
        `newly allowed at front-2: tcp (but 22,443) from ${everywhere}; tcp/22 from ${everywhere} but 198.51.100.0/24`,
      ],
    ],
  ])(
    'is one line for services with the same impact, also with --dry-run: %s',
    async ([line, lines], { skyctl, world }) => {
      arrange(world)
      const dry = await skyctl(`firewalls ${line} --dry-run`)
      expect({ exit: dry.exit, impactIn: impactIn(dry.stderr) }).toEqual({ exit: 0, impactIn: lines })
      expect(writes(world)).toEqual([])
      const { exit, stderr } = await skyctl(`firewalls ${line} --yes`)
      expect({ exit, impactIn: impactIn(stderr) }).toEqual({ exit: 0, impactIn: lines })
      expect(writes(world)).toHaveLength(1)
    },
  )

  test.for([
    ['enable edge', 'disabled', 'blocked'],
    ['update edge --status enabled', 'disabled', 'blocked'],
    ['update edge --status disabled', 'enabled', 'allowed'],
    ['delete edge', 'enabled', 'allowed'],
  ])('covers all rules: %s', async ([line = '', status = '', what = ''], { skyctl, world }) => {
    arrange(world, { status, services: [9001] })
    const expected = `newly ${what} at app-1: ${newlyOpen} from ${everywhere}; tcp/22 from ${everywhere} but 198.51.100.0/24`
    expect(impactIn((await skyctl(`firewalls ${line} --dry-run`)).stderr)).toEqual([expected])
    const { exit, stderr } = await skyctl(`firewalls ${line} --yes`)
    expect({ exit, impactIn: impactIn(stderr) }).toEqual({ exit: 0, impactIn: [expected] })
  })

  test.for(['enable edge', 'disable edge', 'delete edge', 'update edge --status enabled'])(
    'is not printed if nothing changes or nothing is protected: %s',
    async (line, { skyctl, world }) => {
      arrange(world, { status: line.startsWith('d') ? 'disabled' : 'enabled' })
      const { exit, stderr } = await skyctl(`firewalls ${line} --yes`)
      expect({ exit, impactIn: impactIn(stderr) }).toEqual({ exit: 0, impactIn: [] })
      expect(devicesRead(world)).toBe(0)
    },
  )

  test('covers services that are added or removed', async ({ skyctl, world }) => {
    arrange(world, { rules: shut(), services: [9001] })
    world.compute({ id: 9003, label: 'app-3' })
    const whole = `all traffic from ${everywhere}`
    const added = await skyctl('firewalls devices add edge --compute-id 9003 --yes')
    expect(impactIn(added.stderr)).toEqual([`newly blocked at compute 9003: ${whole}`])
    const again = await skyctl('firewalls devices add edge --compute-id 9003')
    expect({ exit: again.exit, impactIn: impactIn(again.stderr) }).toEqual({ exit: 0, impactIn: [] })
    const device = world.network.devicesOf(9100).at(-1)?.id
    const removed = await skyctl(`firewalls devices delete edge ${device} --yes`)
    expect(impactIn(removed.stderr)).toEqual([`newly allowed at app-3: ${whole}`])
    const line = 'firewalls create --label other --inbound-policy drop --outbound-policy accept --compute-id'
    expect(impactIn((await skyctl(`${line} app-1,9003 --dry-run`)).stderr)).toEqual([
      `newly blocked at app-1, compute 9003: ${whole}`,
    ])
    expect(impactIn((await skyctl(`${line} 9003 --yes`)).stderr)).toEqual([`newly blocked at compute 9003: ${whole}`])
    expect(impactIn((await skyctl(`${line} 9003 --if-absent`)).stderr)).toEqual([])
  })

  test('is printed for an edit and its undo', async ({ skyctl, world, home }) => {
    arrange(world)
    const editor = join(home, 'editor.sh')
    writeFileSync(editor, '#!/bin/sh\nsed -i "s/198.51.100.0\\/24/198.51.100.0\\/25/" "$1"\n', { mode: 0o700 })
    const edited = await skyctl('firewalls rules edit edge --yes', { env: { EDITOR: editor } })
    expect(impactIn(edited.stderr)).toEqual(['newly blocked at app-1, app-2, front-2: tcp/22 from 198.51.100.128/25'])
    const undone = await skyctl('firewalls rules undo edge --yes')
    expect(impactIn(undone.stderr)).toEqual(['newly allowed at app-1, app-2, front-2: tcp/22 from 198.51.100.128/25'])
  })

  test('is printed before the question, and not with --quiet or JSON', async ({ skyctl, world }) => {
    arrange(world)
    const line = 'firewalls rules remove edge inbound label:ssh'
    const prompt = await skyctl(line, { interactive: true, stdin: '' })
    expect(impactIn(prompt.stderr.replaceAll(/\n {9}/g, ' '))).toEqual([
      'newly blocked at app-1, app-2, front-2: tcp/22 from 198.51.100.0/24',
    ])
    for (const flag of ['-q', '--json', '-o ndjson']) {
      const { exit, stderr } = await skyctl(
        `firewalls rules add edge inbound --action drop --protocol tcp --from 192.0.2.${flag.length}/32 --at 1 --yes ${flag}`,
      )
      expect({ flag, exit, stderr }).toEqual({ flag, exit: 0, stderr: '' })
    }
    expect(devicesRead(world)).toBe(1)
  })

  test('is computed with one read of the services, or none if they have no impact', async ({ skyctl, world }) => {
    arrange(world)
    await skyctl('firewalls rules move edge inbound label:web --at 1')
    await skyctl('firewalls rules add edge inbound --action accept --protocol tcp --port 443 --from 192.0.2.0/24')
    expect(devicesRead(world)).toBe(0)
    await skyctl('firewalls rules remove edge inbound label:ssh --yes')
    expect(devicesRead(world)).toBe(1)
  })

  test('names the firewall if its services cannot be read, and the change is made', async ({
    skyctl,
    world,
    meanwhile,
  }) => {
    arrange(world)
    await meanwhile({
      before: ({ path }) => (path.includes('/devices') ? 'drop' : undefined),
    })
    const { exit, stderr } = await skyctl('firewalls rules remove edge inbound label:ssh --yes --retries 0')
    const where = 'the services of firewall "edge" (9100)'
    expect({ exit, impactIn: impactIn(stderr).map((line) => line.replace(/(could not be read): .*/, '$1')) }).toEqual({
      exit: 0,
      impactIn: [`newly blocked at ${where}: tcp/22 from 198.51.100.0/24`, `${where} could not be read`],
    })
    expect(currentRules(world)).toEqual(['web'])
  })

  test('is unknown for a rule with an undocumented protocol', async ({ skyctl, world }) => {
    const all = rule('all', '', { protocol: 'ALL', ports: null, addresses: { ipv4: ['10.0.0.0/8'] } })
    arrange(world, { rules: shut(all, web) })
    const { stderr } = await skyctl('firewalls rules remove edge inbound label:all --yes')
    expect(impactIn(stderr)[0]).toBe(
      `unknown effect, because a rule cannot be judged, at ${bothInstances}: tcp (but 443), udp, icmp, ipencap, other protocols from 10.0.0.0/8`,
    )
  })

  test('has labels with escaped control characters, on one line', async ({ skyctl, world }) => {
    arrange(world, { services: [] })
    world.compute({ id: 9009, label: 'evil\nnewly allowed at x\u001b[2J' })
    world.network.device(9100, 'compute', 9009)
    const { stderr } = await skyctl('firewalls rules remove edge inbound label:ssh --yes')
    expect(impactIn(stderr)).toEqual([
      'newly blocked at evil\\nnewly allowed at x\\x1b[2J: tcp/22 from 198.51.100.0/24',
    ])
  })
})

describe('--keep-open', () => {
  const closing = 'firewalls rules remove edge inbound label:ssh --yes'

  test.for([
    ['tcp/22@198.51.100.7', 'tcp/22 from 198.51.100.7'],
    ['TCP/20-22,80@198.51.100.7', 'tcp/20-22,80 from 198.51.100.7'],
    ['tcp/22@198.51.100.0/25,198.51.100.128/25', 'tcp/22 from 198.51.100.0/24'],
    ['tcp/443', undefined],
    ['tcp/443@2001:db8::7', undefined],
    ['udp/53@2001:db8::/32', 'udp/53 from 2001:db8::/32'],
    ['icmp', `icmp from ${everywhere}`],
    ['tcp@198.51.100.7', 'tcp (but 443) from 198.51.100.7'],
  ])('%s rejects a change that blocks it: %s', async ([traffic = '', blocked], { skyctl, world }) => {
    arrange(world, { services: [9001] })
    for (const flags of ['', '--dry-run', '--json']) {
      const { exit, stderr } = await skyctl(`${closing} --keep-open ${traffic} ${flags}`)
      if (blocked === undefined) continue
      expect({
        exit,
        refusal: stderr.includes(`--keep-open: ${blocked} would be blocked at app-1; nothing was sent`),
      }).toEqual({ exit: 6, refusal: true })
      expect(stderr).toContain('add --allow-lockout')
    }
    expect(writes(world)).toHaveLength(blocked === undefined ? 1 : 0)
  })

  test('can be overridden by --allow-lockout, and the impact is still printed', async ({ skyctl, world }) => {
    arrange(world)
    const { exit, stderr } = await skyctl(`${closing} --keep-open tcp/22@198.51.100.7 --allow-lockout`)
    expect({ exit, impactIn: impactIn(stderr) }).toEqual({
      exit: 0,
      impactIn: ['newly blocked at app-1, app-2, front-2: tcp/22 from 198.51.100.0/24'],
    })
  })

  test('makes history undo refuse to block it, unless that is allowed', async ({ skyctl, world }) => {
    arrange(world, { services: [9001] })
    expect((await skyctl('firewalls disable edge --yes')).exit).toBe(0)
    const status = () => world.network.firewalls.get(9100)?.status
    const undo = 'history undo 1 --yes --keep-open udp/53@198.51.100.7'
    const { exit, stderr } = await skyctl(undo)
    expect({ exit, stderr, status: status() }).toEqual({
      exit: 6,
      stderr: expect.stringContaining('--keep-open: udp/53 from 198.51.100.7 would be blocked at app-1'),
      status: 'disabled',
    })
    expect({ exit: (await skyctl(`${undo} --allow-lockout`)).exit, status: status() }).toEqual({
      exit: 0,
      status: 'enabled',
    })
  })

  test('makes history undo refuse to protect a service with rules that block it', async ({ skyctl, world }) => {
    arrange(world, { services: [9001] })
    const device = (await skyctl('firewalls devices list edge --quiet')).stdout.trim()
    expect((await skyctl(`firewalls devices delete edge ${device} --yes`)).exit).toBe(0)
    const undo = 'history undo 1 --yes --keep-open udp/53@198.51.100.7'
    const { exit, stderr } = await skyctl(undo)
    expect({ exit, stderr, devices: world.network.devicesOf(9100) }).toEqual({
      exit: 6,
      stderr: expect.stringContaining('--keep-open: udp/53 from 198.51.100.7 would be blocked'),
      devices: [],
    })
    expect((await skyctl(`${undo} --allow-lockout`)).exit).toBe(0)
    expect(world.network.devicesOf(9100)).toHaveLength(1)
  })

  test('makes history undo --apply refuse to restore rules that block it, before anything is sent', async ({
    skyctl,
    world,
    home,
  }) => {
    arrange(world, { services: [9001] })
    const file = join(home, 'account.yaml')
    const rules = { inbound: [], inbound_policy: 'ACCEPT', outbound: [], outbound_policy: 'ACCEPT' }
    writeFileSync(file, JSON.stringify({ firewalls: { edge: { status: 'disabled', rules } } }))
    expect((await skyctl(`apply ${file} --yes`)).exit).toBe(0)
    const [{ apply }] = json((await skyctl('history list --limit 1 --json')).stdout)
    const { exit, stderr } = await skyctl(`history undo --apply ${apply} --yes --keep-open udp/53@198.51.100.7`)
    expect({ exit, stderr, status: world.network.firewalls.get(9100)?.status }).toEqual({
      exit: 6,
      stderr: expect.stringContaining('--keep-open: udp/53 from 198.51.100.7 would be blocked'),
      status: 'disabled',
    })
  })

  test('rejects a change after which traffic stays blocked', async ({ skyctl, world }) => {
    arrange(world)
    const line = 'firewalls rules add edge inbound --action accept --protocol tcp --port 80 --from 192.0.2.0/24'
    expect((await skyctl(`${line} --keep-open tcp/22@203.0.113.7`)).exit).toBe(6)
    expect((await skyctl(`${line} --keep-open tcp/80@192.0.2.7`)).exit).toBe(0)
  })

  test.for(['22@198.51.100.7', 'tcp/0@198.51.100.7', 'icmp/1', 'tcp/22@198.51.100.0.7', 'tcp/22@', 'all'])(
    '"%s" is a usage error, and nothing is sent',
    async (traffic, { skyctl, world }) => {
      arrange(world)
      for (const line of [closing, 'firewalls enable edge', 'plan -', 'apply - --yes']) {
        const { exit, stderr } = await skyctl([...line.split(' '), '--keep-open', traffic], { stdin: '{}' })
        expect({ line, exit }).toEqual({ line, exit: 2 })
        expect(stderr).toContain(`--keep-open: "${traffic}" names no traffic`)
      }
      expect(writes(world)).toEqual([])
    },
  )

  test.for([
    ['enable edge', 'disabled'],
    ['update edge --status enabled --no-validate', 'disabled'],
    ['devices add edge --compute-id 9003', 'enabled'],
    ['create --label other --inbound-policy drop --outbound-policy accept --compute-id 9003', 'enabled'],
  ])('rejects %s as well', async ([line = '', status = ''], { skyctl, world }) => {
    arrange(world, { status, services: [9001] })
    world.compute({ id: 9003, label: 'app-3' })
    const traffic = '--keep-open tcp/22@203.0.113.7'
    for (const flags of ['--yes', '--dry-run']) {
      const { exit, stderr } = await skyctl(`firewalls ${line} ${traffic} ${flags}`)
      expect({ exit, stderr: stderr.includes('tcp/22 from 203.0.113.7 would be blocked at') }).toEqual({
        exit: 6,
        stderr: true,
      })
    }
    expect(writes(world)).toEqual([])
    expect((await skyctl(`firewalls ${line} ${traffic} --allow-lockout --yes`)).exit).toBe(0)
  })

  const keepOpen = '--keep-open tcp/22@203.0.113.7'
  const rules = { bare: shut(ssh, web), off: shut(ssh), strict: shut(web) }
  const file = (firewalls: object) => JSON.stringify({ firewalls })

  test.for([
    ['create --label made --inbound-policy drop --outbound-policy accept', 'its services'],
    ['create --label bare --file - --if-absent', 'its services'],
    ['rules update bare --outbound-policy drop', 'bare'],
    ['rules update bare --inbound-policy drop', 'bare'],
    ['rules add bare inbound --action accept --protocol udp --port 53 --from 192.0.2.0/24', 'bare'],
    ['rules remove bare inbound label:ssh', 'bare'],
    ['rules move bare inbound label:web --at 1', 'bare'],
    ['rules edit bare', 'bare'],
    ['rules undo bare', 'bare'],
    ['rules remove off inbound label:ssh', 'off'],
    ['enable off', 'off'],
    ['enable bare', 'bare'],
    ['update off --status enabled', 'off'],
    ['update bare --add-tag edge', 'bare'],
    ['devices add off --compute-id 9001', 'off'],
    ['devices add edge --compute-id 9001', 'edge'],
  ])('is checked even if nothing is protected yet: %s', async ([line = '', name = ''], { skyctl, world }) => {
    arrange(world, { services: [9001] })
    world.network.firewall({ id: 9200, label: 'bare', rules: rules.bare as never })
    world.network.firewall({ id: 9201, label: 'off', rules: rules.off as never, status: 'disabled' })
    const stdin = JSON.stringify(rules.bare)
    if (line.includes('undo'))
      await skyctl('firewalls rules add bare inbound --action drop --protocol icmp --from 192.0.2.0/24')
    const before = writes(world).length
    const env = { EDITOR: 'sed -i s/443/8443/' }
    for (const flags of ['--yes', '--dry-run']) {
      if (flags === '--dry-run' && line.includes('edit')) continue
      const { exit, stderr } = await skyctl(`firewalls ${line} ${keepOpen} ${flags} --json`, { stdin, env })
      const { error } = json(stderr.trimEnd().split('\n').at(-1) ?? '')
      expect({ flags, exit, code: error.code, message: error.message }).toEqual({
        flags,
        exit: 6,
        code: 'locked_out',
        message: expect.stringContaining('--keep-open: tcp/22 from 203.0.113.7 would be blocked at'),
      })
      expect(error.message).toContain(name)
    }
    expect(writes(world)).toHaveLength(before)
    expect((await skyctl(`firewalls ${line} ${keepOpen} --allow-lockout --yes`, { stdin, env })).exit).toBe(0)
  })

  test.for([
    ['a new firewall', { fresh: { rules: rules.strict } }],
    ['a new, disabled firewall', { fresh: { rules: rules.strict, status: 'disabled', devices: { computes: [9001] } } }],
    ['rules of a firewall that protects nothing', { bare: { rules: rules.strict } }],
    ['a firewall that will be enabled', { off: { status: 'enabled' } }],
  ] as const)('is checked by plan and apply: %s', async ([, firewalls], { skyctl, world }) => {
    world.compute({ id: 9001, label: 'app-1' })
    world.network.address({ address: '203.0.113.1', compute_id: 9001 })
    world.network.firewall({ id: 9200, label: 'bare', rules: rules.bare as never })
    world.network.firewall({ id: 9201, label: 'off', rules: rules.off as never, status: 'disabled' })
    const stdin = file(firewalls)
    for (const line of ['plan -', 'apply - --yes', 'apply - --dry-run']) {
      const { exit, stderr } = await skyctl(`${line} ${keepOpen}`, { stdin })
      expect({ line, exit, stderr }).toEqual({
        line,
        exit: 6,
        stderr: expect.stringContaining(
          '--keep-open: tcp/22 from 203.0.113.7 would be blocked at the services of firewall "',
        ),
      })
    }
    expect(writes(world)).toEqual([])
    expect((await skyctl(`apply - --yes ${keepOpen} --allow-lockout`, { stdin })).exit).toBe(0)
  })

  test.for(['tags: [x]', 'status: disabled', 'devices: { computes: [] }'])(
    'accepts a plan that blocks nothing: %s',
    async (fields, { skyctl, world }) => {
      const { id } = world.network.firewall({ id: 9200, label: 'shut', rules: rules.strict as never })
      world.network.device(id, 'compute', 1004)
      const stdin = `firewalls: { shut: { ${fields} } }`
      expect(await skyctl(`plan - --exit-code ${keepOpen}`, { stdin })).toMatchObject({ exit: 13 })
    },
  )

  test('of a context is not checked for a disabled or unused firewall', async ({ skyctl, world, env }) => {
    arrange(world, { status: 'disabled' })
    world.network.firewall({ id: 9200, label: 'bare', rules: shut(ssh) as never })
    const { SKYCTL_TOKEN, SKYCTL_BASE_URL, ...others } = env
    const own = { env: { ...others, SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined } }
    const login = `auth login --with-token --context lab --base-url ${SKYCTL_BASE_URL}`
    expect((await skyctl(login, { stdin: SKYCTL_TOKEN, ...own })).exit).toBe(0)
    expect((await skyctl('context update lab --keep-open tcp/22@198.51.100.7', own)).exit).toBe(0)
    for (const name of ['edge', 'bare'])
      expect((await skyctl(`firewalls rules remove ${name} inbound label:ssh --yes`, own)).exit).toBe(0)
  })

  test('allows protocols at a balancer that its firewall cannot filter', async ({ skyctl, world }) => {
    arrange(world, { services: [2002] })
    const line = 'firewalls rules add edge inbound --action drop --protocol udp --from 192.0.2.0/24'
    expect((await skyctl(`${line} --keep-open udp/53 --keep-open icmp`)).exit).toBe(0)
  })

  test('rejects a change with an undocumented rule, because the traffic may be blocked', async ({ skyctl, world }) => {
    const all = rule('all', '', { protocol: 'ALL', ports: null, action: 'DROP' })
    arrange(world, { rules: shut(all, ssh, web), services: [9001] })
    const line = 'firewalls rules remove edge inbound label:web --yes --keep-open tcp/22@198.51.100.7'
    const { exit, stderr } = await skyctl(line)
    expect(exit).toBe(6)
    expect(stderr).toContain('skyctl cannot tell whether tcp/22 from 198.51.100.7 would be allowed at app-1')
  })

  test("rejects a change that blocks it only after somebody else's change", async ({ skyctl, world, meanwhile }) => {
    const second = rule('ssh-2', '22', { addresses: { ipv4: ['198.51.100.7/32'] } })
    arrange(world, { rules: shut(ssh, second, web) })
    let reads = 0
    await meanwhile({
      before({ method, path }) {
        if (method !== 'GET' || !path.endsWith('/rules')) return
        reads += 1
        if (reads === 2) arrangeRules(world, shut(second, web))
      },
    })
    const line = 'firewalls rules remove edge inbound label:ssh-2 --yes --keep-open tcp/22@198.51.100.7'
    const { exit } = await skyctl(line)
    expect({ exit, writes: writes(world) }).toEqual({ exit: 6, writes: [] })
  })

  test('of a context covers only traffic that is allowed now, and flags override it', async ({
    skyctl,
    env,
    world,
  }) => {
    arrange(world, { services: [9001] })
    const { SKYCTL_TOKEN, SKYCTL_BASE_URL, ...others } = env
    const login = { stdin: SKYCTL_TOKEN, env: { ...others, SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined } }
    expect((await skyctl(`auth login --with-token --context lab --base-url ${SKYCTL_BASE_URL}`, login)).exit).toBe(0)
    const own = { env: login.env }
    const { stdout } = await skyctl(
      'context update lab --keep-open tcp/22@198.51.100.7 --keep-open udp/53@192.0.2.1 --json',
      own,
    )
    expect(json(stdout).defaults.keep_open).toEqual(['tcp/22@198.51.100.7', 'udp/53@192.0.2.1'])
    expect((await skyctl('context update lab --keep-open nothing', own)).exit).toBe(2)
    const rejected = await skyctl(closing, own)
    expect(rejected.exit).toBe(6)
    expect(rejected.stderr).toContain('keep-open of the context: tcp/22 from 198.51.100.7 would be blocked at app-1;')
    // udp/53 is blocked already, so the context does not protect it.
    expect((await skyctl('firewalls rules remove edge inbound label:web --yes', own)).exit).toBe(0)
    expect((await skyctl(`${closing} --dry-run --keep-open tcp/1@192.0.2.1 --allow-lockout`, own)).exit).toBe(0)
    expect((await skyctl('context update lab --no-keep-open', own)).exit).toBe(0)
    expect(json((await skyctl('context view lab --json', own)).stdout).defaults.keep_open).toEqual([])
    expect((await skyctl(closing, own)).exit).toBe(0)
  })
})

describe('the present SSH connection', () => {
  const closing = 'firewalls rules remove edge inbound label:ssh --yes'
  const from = (server: string, client = '198.51.100.7') => ({
    env: { SSH_CONNECTION: `${client} 50022 ${server} 22` },
  })

  test('is not closed if it ends at a protected instance', async ({ skyctl, world }) => {
    arrange(world)
    world.network.address({ address: '192.0.2.201', type: 'ipv4', compute_id: 9002 } as never)
    const { exit, stderr } = await skyctl(closing, from('192.0.2.201'))
    expect(exit).toBe(6)
    expect(stderr).toContain('SSH_CONNECTION: tcp/22 from 198.51.100.7 would be blocked at app-2; nothing was sent')
    expect((await skyctl(`${closing} --allow-lockout`, from('192.0.2.201'))).exit).toBe(0)
  })

  test.for([
    ['ends elsewhere', '192.0.2.250', '198.51.100.7'],
    ['these rules do not allow', '192.0.2.201', '203.0.113.7'],
    ['is not valid', 'nonsense', '198.51.100.7'],
  ])('is ignored if it is one that %s', async ([, server = '', client], { skyctl, world }) => {
    arrange(world)
    world.network.address({ address: '192.0.2.201', type: 'ipv4', compute_id: 9002 } as never)
    expect((await skyctl(closing, from(server, client))).exit).toBe(0)
    if (client !== '198.51.100.7')
      expect(world.requests('GET').some(({ path }) => path.startsWith('/networking/ips'))).toBe(false)
  })

  test('may be to any instance if the token cannot read addresses', async ({ skyctl, world }) => {
    arrange(world)
    const SKYCTL_TOKEN = world.token('firewall:read_write')
    const { exit, stderr } = await skyctl(closing, { env: { ...from('192.0.2.250').env, SKYCTL_TOKEN } })
    expect(exit).toBe(6)
    expect(stderr).toContain('SSH_CONNECTION: tcp/22 from 198.51.100.7 would be blocked at app-1, app-2;')
  })
})

describe('plan and apply', () => {
  const file = (home: string, firewalls: unknown) => {
    const path = join(home, 'account.json')
    writeFileSync(path, JSON.stringify({ firewalls }))
    return path
  }
  const strict = { edge: { rules: shut(web) } }
  const text = 'newly blocked at app-1, app-2, front-2: tcp/22 from 198.51.100.0/24'

  test('print blocked and allowed traffic as text and as JSON', async ({ skyctl, world, home }) => {
    arrange(world)
    const path = file(home, strict)
    expect((await skyctl(`plan ${path}`)).stdout).toContain(`\n    cuts off: ${text}\n`)
    const [object] = json((await skyctl(`plan ${path} --json`)).stdout).objects
    expect(object.steps[0].consequences).toEqual([
      {
        kind: 'cuts off',
        text,
        services: [
          { type: 'compute', id: 9001, label: 'app-1' },
          { type: 'compute', id: 9002, label: 'app-2' },
          { type: 'balancer', id: 2002, label: 'front-2' },
        ],
        traffic: [
          {
            direction: 'inbound',
            protocols: [{ protocol: 'TCP', ports: '22' }],
            networks: ['198.51.100.0/24'],
            except: [],
          },
        ],
      },
    ])
    const wider = file(home, { edge: { rules: shut(ssh, web, rule('dns', '53', { protocol: 'UDP' })) } })
    expect((await skyctl(`plan ${wider}`)).stdout).toContain(
      '\n    opens: newly allowed at app-1, app-2: udp/53 from 198.51.100.0/24\n',
    )
  })

  test('compare the rules of both firewalls if a service moves between them', async ({ skyctl, world, home }) => {
    arrange(world, { services: [9001] })
    const path = file(home, {
      edge: { devices: { computes: [] } },
      other: { rules: shut(web), devices: { computes: [9001] } },
    })
    const { stdout } = await skyctl(`plan ${path}`)
    expect(stdout).toContain('\n    cuts off: newly blocked at app-1: tcp/22 from 198.51.100.0/24\n')
  })

  test('refuse a change that blocks access, except with --allow-lockout', async ({ skyctl, world, home }) => {
    arrange(world)
    const path = file(home, strict)
    const out = join(home, 'plan.json')
    const keepOpen = '--keep-open tcp/22@198.51.100.7'
    const message = '--keep-open: tcp/22 from 198.51.100.7 would be blocked at app-1, app-2, front-2; nothing was sent'
    for (const line of [`plan ${path} --out ${out} ${keepOpen}`, `apply ${path} --yes ${keepOpen}`]) {
      const { exit, stderr } = await skyctl(line)
      expect({ line, exit, refusal: stderr.includes(message) }).toEqual({ line, exit: 6, refusal: true })
    }
    expect((await skyctl(`plan ${path} --out ${out}`)).exit).toBe(0)
    expect((await skyctl(`apply ${out} --yes ${keepOpen}`)).exit).toBe(6)
    expect(writes(world)).toEqual([])
    const { exit, stderr } = await skyctl(`apply ${out} --yes ${keepOpen} --allow-lockout`)
    expect({ exit, impactIn: impactIn(stderr) }).toEqual({ exit: 0, impactIn: [] })
    expect(currentRules(world)).toEqual(['web'])
  })
})
