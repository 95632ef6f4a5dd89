/** Rules of a firewall: shown, compared, replaced without losing anything. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, vi } from 'vitest'
import type { FirewallRule, FirewallRules } from '../src/catalogue/firewall-rules'
import { between } from './support/between'
import { lossyProxy } from './support/lossy'
import { nowhere } from './support/nowhere'
import { test as base, type Fixtures, type Result } from './support/skyctl'

const test = base.extend<{
  /** Replaces the rules of "edge" by these, or by a text of them. */
  update(rules: object | string, flags?: string): Promise<Result>
}>({
  update: async ({ skyctl }, use) =>
    use((rules, flags = '') => {
      const stdin = typeof rules === 'string' ? rules : JSON.stringify(rules)
      return skyctl(`firewalls rules update edge --file - --yes ${flags}`, { stdin })
    }),
})

const json = (text: string) => JSON.parse(text)

const rule = (label: string, more: Partial<FirewallRule> = {}): FirewallRule => ({
  action: 'ACCEPT',
  protocol: 'TCP',
  ports: '443',
  addresses: { ipv4: ['203.0.113.0/24'] },
  label,
  ...more,
})
const ssh = rule('ssh', { ports: '22' })
const web = rule('web')
const ping: FirewallRule = {
  action: 'ACCEPT',
  protocol: 'ICMP',
  addresses: { ipv4: ['203.0.113.0/24'], ipv6: ['2001:db8::/32'] },
}
const stood: FirewallRules = {
  inbound: [ssh, web, ping],
  inbound_policy: 'DROP',
  outbound: [],
  outbound_policy: 'ACCEPT',
}

const id = 9100

function arrange({ network }: Fixtures['world'], rules: FirewallRules = stood): void {
  network.firewall({ id, label: 'edge', rules: rules as never })
}
const standing = ({ network }: Fixtures['world']) => network.firewalls.get(id)?.rules
/** The copies of what stood before each change, from the oldest. */
const copies = (home: string) =>
  readdirSync(join(home, 'state/rules'), { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith('.json'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
const writes = (world: Fixtures['world']) => world.requests().filter(({ method }) => method !== 'GET')

describe('rules list and rules update', () => {
  test.for(['--json', '-o yaml', '-o ndjson'])(
    'what list %s prints is what update takes',
    async (format, { skyctl, update, world }) => {
      arrange(world)
      const { stdout } = await skyctl(`firewalls rules list edge ${format}`)
      const { exit, stderr } = await update(`${stdout}`)
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: 'No changes\n' })
      const same = await update(stdout, '--json')
      expect({ printed: json(same.stdout), sent: writes(world) }).toEqual({ printed: stood, sent: [] })
      world.network.firewall({ id: 9200, label: 'empty' })
      await skyctl('firewalls rules update empty --file - --yes', { stdin: stdout })
      expect(world.network.firewalls.get(9200)?.rules).toEqual(stood)
    },
  )

  test('what the service lists besides is left out of the update, and that is said', async ({
    skyctl,
    update,
    world,
  }) => {
    arrange(world, { ...stood, version: 3 } as FirewallRules)
    const { stdout } = await skyctl('firewalls rules list edge --json')
    expect(json(stdout).version).toBe(3)
    const { exit, stderr } = await update(stdout, '--outbound-policy drop')
    expect(exit).toBe(0)
    expect(stderr).toContain('Neither rules nor policies, and left out: version\n')
    expect(writes(world)[0]?.body).toEqual({ ...stood, outbound_policy: 'DROP' })
  })

  test('CSV has a line for each rule', async ({ skyctl, world }) => {
    arrange(world)
    const { stdout } = await skyctl('firewalls rules list edge -o csv --columns direction,number,label')
    expect(stdout).toBe('direction,number,label\ninbound,1,ssh\ninbound,2,web\ninbound,3,\n')
  })

  test('shows the difference rule by rule, and sends all four keys', async ({ update, world }) => {
    arrange(world)
    const next = { inbound: [rule('new'), { ...web, ports: '8443' }, ssh], outbound_policy: 'DROP' }
    const { exit, stdout, stderr } = await update(next)
    expect({ exit, stdout, stderr }).toEqual({
      exit: 0,
      stdout: '',
      stderr: `added    inbound 1: ACCEPT TCP 443 "new" from 203.0.113.0/24
changed  inbound 2: ports 443 -> 8443
moved    inbound 1 -> 3: ACCEPT TCP 22 "ssh" from 203.0.113.0/24
removed  inbound 3: ACCEPT ICMP from 203.0.113.0/24, 2001:db8::/32
policy   outbound: ACCEPT -> DROP
Updated the rules of firewall "edge" (${id}). Undo with: skyctl firewalls rules undo ${id}
`,
    })
    expect(writes(world)).toEqual([
      {
        method: 'PUT',
        path: `/networking/firewalls/${id}/rules`,
        body: { inbound: next.inbound, inbound_policy: 'DROP', outbound: [], outbound_policy: 'DROP' },
      },
    ])
  })

  test('the rules that stood before are kept, and put back by the same command', async ({ skyctl, world, home }) => {
    arrange(world)
    await skyctl('firewalls rules update edge --inbound-policy accept --yes')
    const [path = ''] = copies(home)
    expect(json(readFileSync(path, 'utf8'))).toEqual({
      ...stood,
      replaced_by: { ...stood, inbound_policy: 'ACCEPT' },
      changed_by: { uid: 1, username: 'owner' },
    })
    await skyctl(['firewalls', 'rules', 'update', 'edge', '--yes', '--file', path])
    expect(standing(world)).toEqual(stood)
  })

  test('takes comments in YAML, numbers for ports, and null for what is not there', async ({ update, world }) => {
    arrange(world, { ...stood, inbound: [] })
    const stdin = `# the office
inbound:
  - action: ACCEPT # let in
    protocol: TCP
    ports: 22
    label: null
    addresses: {ipv4: [203.0.113.0/24], ipv6: null}
`
    expect((await update(stdin)).exit).toBe(0)
    expect(standing(world)?.inbound).toEqual([
      { action: 'ACCEPT', protocol: 'TCP', ports: '22', addresses: { ipv4: ['203.0.113.0/24'] } },
    ])
  })

  test('a plain address gets its mask, and that is said', async ({ update, world }) => {
    arrange(world)
    const inbound = [rule('ssh', { addresses: { ipv4: ['203.0.113.7'], ipv6: ['2001:db8::7'] } })]
    const { stderr } = await update({ inbound })
    expect(stderr).toContain('A plain address is a network of its own: 203.0.113.7/32, 2001:db8::7/128')
    expect(standing(world)?.inbound[0]?.addresses).toEqual({ ipv4: ['203.0.113.7/32'], ipv6: ['2001:db8::7/128'] })
  })

  test('--dry-run shows the difference and the request, and sends nothing', async ({ skyctl, world }) => {
    arrange(world)
    const stdin = JSON.stringify({ inbound: [ssh, web] })
    const { exit, stdout, stderr } = await skyctl('firewalls rules update edge --file - --dry-run', { stdin })
    expect(exit).toBe(0)
    expect(stdout).toContain('method: PUT')
    expect(stderr).toMatch(/^removed {2}inbound 3: ACCEPT ICMP/)
    expect(writes(world)).toEqual([])
  })

  test('off a terminal it needs --yes', async ({ skyctl, world }) => {
    arrange(world)
    const { exit, stderr } = await skyctl('firewalls rules update edge --file -', { stdin: '{"inbound": []}' })
    expect(exit).toBe(2)
    expect(stderr).toMatch(/Replace the rules of firewall "edge" \(9100\).*--yes/)
    expect(writes(world)).toEqual([])
  })

  test('--json prints the rules that stand afterwards', async ({ skyctl, world }) => {
    arrange(world)
    const { stdout, stderr } = await skyctl('firewalls rules update edge --inbound-policy ACCEPT --yes --json')
    expect({ rules: json(stdout), stderr }).toEqual({ rules: { ...stood, inbound_policy: 'ACCEPT' }, stderr: '' })
  })

  test('without a file and without a policy there is nothing to do', async ({ skyctl, world }) => {
    expect((await skyctl('firewalls rules update edge')).exit).toBe(2)
    expect(world.requests()).toEqual([])
  })
})

describe('what is wrong with rules is found before anything is sent', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => rule(`rule-${index}`))
  const hosts = (count: number) => Array.from({ length: count }, (_, index) => `10.0.${index >> 8}.${index & 255}/32`)
  const one = (more: Record<string, unknown>) => ({ inbound: [{ ...web, ...more }] })

  test.for<[string, object, string]>([
    ['ports 0', one({ ports: '0' }), 'inbound[0].ports'],
    ['ports 90-80', one({ ports: '90-80' }), 'inbound[0].ports'],
    ['16 pieces', one({ ports: Array.from({ length: 16 }, (_, index) => index + 1).join(',') }), 'inbound[0].ports'],
    ['ports with ICMP', one({ protocol: 'ICMP' }), 'inbound[0].ports'],
    ['a mask over 32', one({ addresses: { ipv4: ['10.0.0.0/33'] } }), 'inbound[0].addresses.ipv4[0]'],
    ['a zone id', one({ addresses: { ipv6: ['fe80::1%eth0/64'] } }), 'inbound[0].addresses.ipv6[0]'],
    ['an empty list', one({ addresses: { ipv4: [] } }), 'inbound[0].addresses.ipv4'],
    ['no addresses', one({ addresses: {} }), 'inbound[0].addresses'],
    ['256 addresses', one({ addresses: { ipv4: hosts(256) } }), '255'],
    ['26 rules over both sides', { inbound: many(13), outbound: many(13) }, '25'],
    ['a rule label of 2', one({ label: 'ab' }), 'inbound[0].label'],
    ['a rule label of 33', one({ label: 'a'.repeat(33) }), 'inbound[0].label'],
    ['a description of 101', one({ description: 'a'.repeat(101) }), 'inbound[0].description'],
    ['an unknown action', one({ action: 'reject' }), 'inbound[0].action'],
    ['an unknown protocol', one({ protocol: 'GRE' }), 'inbound[0].protocol'],
    [
      'no action',
      { inbound: [{ protocol: 'TCP', addresses: { ipv4: ['10.0.0.0/8'] } }] },
      'inbound[0].action is required',
    ],
    ['an unknown key of a rule', one({ adresses: 1 }), 'inbound[0].adresses'],
    ['an unknown key', { rules: {} }, 'inbound, inbound_policy, outbound, outbound_policy'],
    ['an unknown policy', { inbound_policy: 'REJECT' }, 'inbound_policy'],
  ])('%s', async ([, body, said], { update, world }) => {
    const { exit, stdout, stderr } = await update(JSON.stringify(body, null, 2))
    expect({ exit, stdout, sent: world.requests() }).toEqual({ exit: 2, stdout: '', sent: [] })
    expect(stderr).toContain(said)
    expect(stderr).toMatch(said === '25' || said.startsWith('inbound, ') || said === '255' ? /./ : /\(line \d+\)/)
  })

  test('actions, policies and protocols may be in lower case, as in flags', async ({ skyctl, update, world }) => {
    const rule = { action: 'accept', protocol: 'tcp', ports: '22', addresses: { ipv4: ['10.0.0.0/8'] } }
    const rules = { inbound: [rule], inbound_policy: 'drop', outbound: [], outbound_policy: 'Accept' }
    const sent = {
      inbound: [{ ...rule, action: 'ACCEPT', protocol: 'TCP' }],
      inbound_policy: 'DROP',
      outbound: [],
      outbound_policy: 'ACCEPT',
    }
    const stdin = JSON.stringify(rules)
    arrange(world)
    await update(stdin)
    await skyctl('firewalls create --label low --file -', { stdin })
    await skyctl('firewalls create --label low-2 --body -', { stdin: JSON.stringify({ rules }) })
    expect(world.requests('PUT').map(({ body }) => body)).toEqual([sent])
    expect(world.requests('POST').map(({ body }) => body)).toMatchObject([{ rules: sent }, { rules: sent }])
    const added = await skyctl('firewalls rules add low inbound --body - --dry-run --json', {
      stdin: JSON.stringify(rule),
    })
    expect(JSON.parse(added.stdout).body.inbound).toEqual([...sent.inbound, ...sent.inbound])
  })

  test('the line is that of the field', async ({ update }) => {
    const stdin =
      'inbound:\n  - action: ACCEPT\n    protocol: TCP\n    addresses:\n      ipv4:\n        - 10.0.0.0/8\n        - 10.0.0.0/33\n'
    const { stderr } = await update(stdin)
    expect(stderr).toMatch(/inbound\[0\]\.addresses\.ipv4\[1\]: .*\(line 7\)/)
  })

  test('an unquoted 080 of YAML is what was written, not 80', async ({ update, world }) => {
    const stdin = 'inbound:\n  - {action: ACCEPT, protocol: TCP, ports: 080, addresses: {ipv4: [10.0.0.0/8]}}\n'
    expect((await update(stdin)).exit).toBe(2)
    expect(world.requests()).toEqual([])
  })

  test.for(['[]', '"text"', '{', 'a: [', ''])('a file that holds %s is no rules', async (stdin, { update, world }) => {
    expect((await update(stdin)).exit).toBe(2)
    expect(world.requests()).toEqual([])
  })

  test('a file that is not there is exit 12', async ({ skyctl, world }) => {
    expect((await skyctl(`firewalls rules update edge --file ${nowhere}/rules.yaml`)).exit).toBe(12)
    expect(world.requests()).toEqual([])
  })

  test('25 rules with those of the side that is left out are counted before the write', async ({ update, world }) => {
    arrange(world, { ...stood, outbound: [rule('out')] })
    const { exit } = await update({ inbound: many(25) })
    expect({ exit, writes: writes(world) }).toEqual({ exit: 6, writes: [] })
  })

  test('a rule that stands is the affair of the service, which may know more than api.md', async ({
    skyctl,
    world,
  }) => {
    const known = { ...ssh, priority: 1 } as FirewallRule
    arrange(world, { ...stood, inbound: [known, web] })
    const { exit, stdout } = await skyctl('firewalls rules move edge inbound label:web --at 1 --dry-run --json')
    expect({ exit, inbound: json(stdout).body.inbound }).toEqual({ exit: 0, inbound: [web, known] })
  })

  test('--no-validate leaves it to the service', async ({ update, world }) => {
    arrange(world)
    const { exit, stderr } = await update(one({ ports: '0' }), '--no-validate')
    expect({ exit, sent: writes(world).length }).toEqual({ exit: 6, sent: 1 })
    expect(stderr).toContain('inbound[0].ports')
  })

  test.for<[string, unknown]>([
    ['inbound', 'all'],
    ['inbound[0]', [5]],
    ['inbound[0].addresses', [{ action: 'DROP', protocol: 'TCP', addresses: 'all' }]],
    ['inbound[0].addresses.ipv4', [{ action: 'DROP', protocol: 'TCP', addresses: { ipv4: '0.0.0.0/0' } }]],
  ])('--no-validate sends nothing that cannot be compared: %s', async ([field, inbound], { update, world }) => {
    arrange(world)
    const { exit, stderr } = await update({ inbound }, '--no-validate --json')
    expect({ exit, sent: writes(world) }).toEqual({ exit: 2, sent: [] })
    expect(json(stderr).error.errors).toMatchObject([{ field }])
  })

  const anyone = { addresses: { ipv4: ['0.0.0.0/0'] } }
  test.for<[string, Partial<FirewallRules>]>([
    ['203.0.113.9/24 has host bits set', { inbound: [{ ...ssh, addresses: { ipv4: ['203.0.113.9/24'] } }] }],
    ['inbound rule 2 is never reached', { inbound: [ssh, { ...ssh, addresses: { ipv4: ['203.0.113.7/32'] } }] }],
    ['inbound rule 2 is the same as rule 1', { inbound: [ssh, { ...ssh, label: 'again' }] }],
    ['port 22 (SSH) (line 1)', { inbound: [rule('open', { ports: '22', ...anyone })] }],
    ['port 3389 (RDP)', { inbound: [rule('open', { ports: '3000-4000', addresses: { ipv6: ['::/0'] } })] }],
    ['all inbound traffic is blocked', { inbound: [], inbound_policy: 'DROP' }],
  ])('a warning does not stop: %s', async ([said, rules], { update, world }) => {
    arrange(world)
    const { exit, stderr } = await update(rules)
    expect({ exit, rules: standing(world) }).toEqual({ exit: 0, rules: { ...stood, ...rules } })
    expect(stderr.split('\n').filter((line) => line.startsWith('skyctl: warning: '))).toEqual([
      expect.stringContaining(said),
    ])
  })
})

describe('rules add, remove, move', () => {
  test('add puts a rule at its place', async ({ skyctl, world }) => {
    arrange(world)
    const line =
      'inbound --action drop --protocol udp --port 53,100-200 --from 198.51.100.7,192.0.2.0/24,2001:db8::/32 --label dns --description "No DNS" --at 2'
    expect((await skyctl(`firewalls rules add edge ${line}`)).exit).toBe(0)
    const dns: FirewallRule = {
      action: 'DROP',
      protocol: 'UDP',
      ports: '53,100-200',
      addresses: { ipv4: ['198.51.100.7/32', '192.0.2.0/24'], ipv6: ['2001:db8::/32'] },
      label: 'dns',
      description: 'No DNS',
    }
    expect(standing(world)).toEqual({ ...stood, inbound: [ssh, dns, web, ping] })
  })

  test.for([
    ['--file - --port 8443 --from 10.0.0.0/8', { ipv4: ['10.0.0.0/8'] }],
    // The flags of an earlier version replace the addresses of one family.
    ['--body - --ports 8443 --ipv4 10.0.0.0/8', { ipv4: ['10.0.0.0/8'], ipv6: ['::/0'] }],
  ] as const)('add takes the rule of a file, and flags win: %s', async ([flags, addresses], { skyctl, world }) => {
    arrange(world)
    const stdin = JSON.stringify({ ...web, addresses: { ipv6: ['::/0'] } })
    await skyctl(`firewalls rules add edge inbound ${flags}`, { stdin })
    expect(standing(world)?.inbound.at(-1)).toEqual({ ...web, ports: '8443', addresses })
  })

  test('remove takes several rules at once', async ({ skyctl, world }) => {
    arrange(world)
    expect((await skyctl('firewalls rules remove edge inbound match:icmp ssh --yes')).exit).toBe(0)
    expect(standing(world)?.inbound).toEqual([web])
  })

  test('remove asks', async ({ skyctl, world }) => {
    arrange(world)
    const { exit, stderr } = await skyctl('firewalls rules remove edge inbound label:ssh')
    expect({ exit, writes: writes(world) }).toEqual({ exit: 2, writes: [] })
    expect(stderr).toContain(
      'Remove inbound rule 1 (ACCEPT TCP 22 "ssh" from 203.0.113.0/24) of firewall "edge" (9100)',
    )
  })

  test('move changes the order', async ({ skyctl, world }) => {
    arrange(world)
    await skyctl('firewalls rules move edge inbound match:icmp --at 1')
    expect(standing(world)?.inbound).toEqual([ping, ssh, web])
  })

  test.for([
    ['add edge inbound --protocol tcp --from 10.0.0.0/8', '--action is required'],
    ['add edge inbound --action accept --from 10.0.0.0/8', '--protocol is required'],
    ['add edge inbound --action accept --protocol tcp', '--from is required'],
    ['add edge outbound --action accept --protocol tcp', '--to is required'],
    ['add edge inbound --action accept --protocol tcp --to 10.0.0.0/8', 'Pass the addresses with --from'],
    ['add edge outbound --action accept --protocol tcp --from 10.0.0.0/8', 'Pass the addresses with --to'],
    ['add edge inbound --action accept --protocol tcp --from ::/0,10.0.0.0/8 --from 10.x', 'value 3 of --from: must'],
    ['add edge inbound --action accept --protocol tcp --from anywhere,10::/129', 'value 2 of --from: must'],
    ['add edge inbound --action accept --protocol tcp --ipv4 ::/0 --from 10.0.0.0/8', 'value 1 of --ipv4: must'],
    ['add edge inbound --action accept --protocol icmp --port 22 --from 10.0.0.0/8', 'ports'],
    ['add edge inbund --action accept --protocol tcp --from 10.0.0.0/8', 'Did you mean "inbound"?'],
    ['move edge inbound ssh', '--at is required'],
  ])('%s is refused before anything is sent', async ([line, said], { skyctl, world }) => {
    const { exit, stderr } = await skyctl(`firewalls rules ${line}`)
    expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
    expect(stderr).toContain(said)
  })

  test.for([
    ['remove edge inbound 4 --dry-run', 5],
    ['move edge inbound 4 --at 1 --dry-run', 5],
    ['move edge inbound ssh --at 4', 2],
    ['add edge outbound --action accept --protocol tcp --to 10.0.0.0/8 --at 2', 2],
  ] as const)('%s names no rule or place that is there', async ([line, code], { skyctl, world }) => {
    arrange(world)
    expect({ exit: (await skyctl(`firewalls rules ${line}`)).exit, writes: writes(world) }).toEqual({
      exit: code,
      writes: [],
    })
  })
})

describe('no change is lost', () => {
  test('someone else changed the rules meanwhile: exit 6 with the difference, and nothing is sent', async ({
    skyctl,
    world,
    home,
    sandbox,
  }) => {
    arrange(world)
    const put = `node -e "fetch(process.env.SKYCTL_BASE_URL + '/networking/firewalls/9100/rules', {method: 'PUT', headers: {authorization: 'Bearer ' + process.env.OTHER_TOKEN, 'content-type': 'application/json'}, body: '{\\"inbound_policy\\": \\"ACCEPT\\"}'})" && sed -i s/443/8443/`
    const { exit, stderr } = await skyctl('firewalls rules edit edge --yes --json', {
      env: { EDITOR: put, OTHER_TOKEN: sandbox.ownerToken, PATH: process.env.PATH },
    })
    expect(exit).toBe(6)
    expect(json(stderr).error).toMatchObject({
      code: 'changed',
      errors: [{ field: 'inbound', reason: 'policy   inbound: DROP -> ACCEPT' }],
    })
    expect(standing(world)).toEqual({ ...stood, inbound_policy: 'ACCEPT' })
    expect(readdirSync(join(home, 'state/drafts'))).toHaveLength(1)
  })

  test('what stands after the write is compared with what was sent', async ({ skyctl, world, sandbox }) => {
    arrange(world)
    const proxy = await between(sandbox.baseUrl, {
      after({ method }) {
        if (method === 'PUT') arrange(world, { ...stood, outbound_policy: 'DROP' })
      },
    })
    const line = 'firewalls rules update edge --inbound-policy accept --yes'
    const { exit, stderr } = await skyctl(line, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await proxy.close()
    expect(exit).toBe(6)
    expect(stderr).toContain('policy   outbound: ACCEPT -> DROP\n')
    expect(stderr).toContain('differ from the rules that were sent')
  })

  const adding = (label: string) =>
    `firewalls rules add edge inbound --action accept --protocol icmp --from 10.0.0.0/8 --label ${label}`
  const labels = (world: Fixtures['world']) => standing(world)?.inbound.map(({ label }) => label)

  test('one that comes while another is writing waits, looks again, and adds its rule to what stands then', async ({
    skyctl,
    world,
    sandbox,
    home,
  }) => {
    arrange(world)
    const locks = join(home, 'state/locks')
    const heldLock = () => readdirSync(locks).map((name) => readFileSync(join(locks, name), 'utf8'))
    let second: Promise<Result> | undefined
    const proxy = await between(sandbox.baseUrl, {
      async before({ method }) {
        if (method !== 'PUT' || second) return
        second = skyctl(adding('second'), { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
        // It knocks at the lock; without one it would have written meanwhile.
        await vi.waitFor(() => expect(heldLock().some((text) => text.endsWith('\n'))).toBe(true), 5_000)
      },
    })
    const first = await skyctl(adding('first'), { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    const waited = await second
    await proxy.close()
    expect({ exits: [first.exit, waited?.exit], last: labels(world)?.slice(-2) }).toEqual({
      exits: [0, 0],
      last: ['first', 'second'],
    })
    expect(waited?.stderr).toContain('meanwhile; skyctl keeps these changes:\nadded    inbound 4: ACCEPT ICMP "first"')
  })

  test('of many that add at once, each lands', async ({ skyctl, world }) => {
    arrange(world, { ...stood, inbound: [] })
    const names = Array.from({ length: 8 }, (_, index) => `rule-${index}`)
    const results = await Promise.all(names.map((name) => skyctl(adding(name))))
    expect(results.map(({ exit }) => exit)).toEqual(names.map(() => 0))
    expect(labels(world)?.sort()).toEqual(names)
  })

  test.for(['answer lost', 'request lost'] as const)(
    '%s: what stands decides whether to send again',
    async (fate, { skyctl, world, sandbox }) => {
      arrange(world)
      const proxy = await lossyProxy(sandbox.baseUrl)
      const path = `/networking/firewalls/${id}/rules`
      proxy.lose('PUT', path, fate)
      const { exit } = await skyctl('firewalls rules remove edge inbound label:ssh --yes', {
        env: { SKYCTL_BASE_URL: proxy.baseUrl },
      })
      await proxy.close()
      expect({ exit, puts: world.requests('PUT').length, rules: standing(world)?.inbound }).toEqual({
        exit: 0,
        puts: 1,
        rules: [web, ping],
      })
    },
  )
})
