/** Rules of a firewall: listing, comparing and replacing them without losing a change. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, vi } from 'vitest'
import type { FirewallRule, FirewallRules } from '../src/catalogue/firewall-rules'
import { backupsIn } from './support/backups'
import { ruleThat } from './support/firewall-rules'
import { lossyProxy } from './support/lossy-proxy'
import { missingPath } from './support/nonexistent'
import { openProxy } from './support/proxy'
import { test as base, type Fixtures, type Result } from './support/skyctl'

const test = base.extend<{
  /** Replaces the rules of "edge" by an object or a text. */
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
  ...ruleThat({ ports: '443', label }),
  ...more,
})
const ssh = rule('ssh', { ports: '22' })
const web = rule('web')
const ping: FirewallRule = {
  action: 'ACCEPT',
  protocol: 'ICMP',
  addresses: { ipv4: ['203.0.113.0/24'], ipv6: ['2001:db8::/32'] },
}
const original: FirewallRules = {
  inbound: [ssh, web, ping],
  inbound_policy: 'DROP',
  outbound: [],
  outbound_policy: 'ACCEPT',
}

const id = 9100

function arrange({ network }: Fixtures['world'], rules: FirewallRules = original): void {
  network.firewall({ id, label: 'edge', rules: rules as never })
}
const currentRules = ({ network }: Fixtures['world']) => network.firewalls.get(id)?.rules
const writes = (world: Fixtures['world']) => world.requests().filter(({ method }) => method !== 'GET')

describe('rules list and rules update', () => {
  test.for(['--json', '-o yaml', '-o ndjson'])(
    'update accepts the output of list %s',
    async (format, { skyctl, update, world }) => {
      arrange(world)
      const { stdout } = await skyctl(`firewalls rules list edge ${format}`)
      const { exit, stderr } = await update(`${stdout}`)
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: 'No changes\n' })
      const same = await update(stdout, '--json')
      expect({ printed: json(same.stdout), sent: writes(world) }).toEqual({ printed: original, sent: [] })
      world.network.firewall({ id: 9200, label: 'empty' })
      await skyctl('firewalls rules update empty --file - --yes', { stdin: stdout })
      expect(world.network.firewalls.get(9200)?.rules).toEqual(original)
    },
  )

  test('update warns about unknown keys of list, and leaves them out', async ({ skyctl, update, world }) => {
    arrange(world, { ...original, version: 3 } as FirewallRules)
    const { stdout } = await skyctl('firewalls rules list edge --json')
    expect(json(stdout).version).toBe(3)
    const { exit, stderr } = await update(stdout, '--outbound-policy drop')
    expect(exit).toBe(0)
    expect(stderr).toContain('Neither rules nor policies, and left out: version\n')
    expect(writes(world)[0]?.body).toEqual({ ...original, outbound_policy: 'DROP' })
  })

  test('CSV has a line for each rule', async ({ skyctl, world }) => {
    arrange(world)
    const { stdout } = await skyctl('firewalls rules list edge -o csv --columns direction,number,label')
    expect(stdout).toBe('direction,number,label\ninbound,1,ssh\ninbound,2,web\ninbound,3,\n')
  })

  test('update prints the difference rule by rule, and sends all four keys', async ({ update, world }) => {
    arrange(world)
    const next = { inbound: [rule('new'), { ...web, ports: '8443' }, ssh], outbound_policy: 'DROP' }
    const { exit, stdout, stderr } = await update(next)
    expect({ exit, stdout, stderr }).toEqual({
      exit: 0,
      stdout: '',
      stderr: `added    inbound 1: ACCEPT TCP 443 "new" from 203.0.113.0/24
changed  inbound 2 "web": ports 443 -> 8443
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

  test('update backs up the previous rules with the user', async ({ skyctl, world, home }) => {
    arrange(world)
    await skyctl('firewalls rules update edge --inbound-policy accept --yes')
    expect(backupsIn(home)).toMatchObject([
      {
        group: `rules ${id}`,
        before: original,
        written: { ...original, inbound_policy: 'ACCEPT' },
        user: { uid: 1, username: 'owner' },
      },
    ])
  })

  test('update accepts YAML comments, numbers as ports, and null for missing values', async ({ update, world }) => {
    arrange(world, { ...original, inbound: [] })
    const stdin = `# the office
inbound:
  - action: ACCEPT # let in
    protocol: TCP
    ports: 22
    label: null
    addresses: {ipv4: [203.0.113.0/24], ipv6: null}
`
    expect((await update(stdin)).exit).toBe(0)
    expect(currentRules(world)?.inbound).toEqual([
      { action: 'ACCEPT', protocol: 'TCP', ports: '22', addresses: { ipv4: ['203.0.113.0/24'] } },
    ])
  })

  test('update adds a mask to plain addresses, with a message', async ({ update, world }) => {
    arrange(world)
    const inbound = [rule('ssh', { addresses: { ipv4: ['203.0.113.7'], ipv6: ['2001:db8::7'] } })]
    const { stderr } = await update({ inbound })
    expect(stderr).toContain('A plain address is a network of its own: 203.0.113.7/32, 2001:db8::7/128')
    expect(currentRules(world)?.inbound[0]?.addresses).toEqual({ ipv4: ['203.0.113.7/32'], ipv6: ['2001:db8::7/128'] })
  })

  test('--dry-run prints the difference and the request, and sends nothing', async ({ skyctl, world }) => {
    arrange(world)
    const stdin = JSON.stringify({ inbound: [ssh, web] })
    const { exit, stdout, stderr } = await skyctl('firewalls rules update edge --file - --dry-run', { stdin })
    expect(exit).toBe(0)
    expect(stdout).toContain('method: PUT')
    expect(stderr).toMatch(/^removed {2}inbound 3: ACCEPT ICMP/)
    expect(writes(world)).toEqual([])
  })

  test('update needs --yes without a terminal', async ({ skyctl, world }) => {
    arrange(world)
    const { exit, stderr } = await skyctl('firewalls rules update edge --file -', { stdin: '{"inbound": []}' })
    expect(exit).toBe(2)
    expect(stderr).toMatch(/Replace the rules of firewall "edge" \(9100\).*--yes/)
    expect(writes(world)).toEqual([])
  })

  test('--json prints the new rules', async ({ skyctl, world }) => {
    arrange(world)
    const { stdout, stderr } = await skyctl('firewalls rules update edge --outbound-policy DROP --yes --json')
    expect({ rules: json(stdout), stderr }).toEqual({ rules: { ...original, outbound_policy: 'DROP' }, stderr: '' })
  })

  test('update needs a file or a policy', async ({ skyctl, world }) => {
    expect((await skyctl('firewalls rules update edge')).exit).toBe(2)
    expect(world.requests()).toEqual([])
  })
})

describe('invalid rules are rejected before any request:', () => {
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
  ])('%s', async ([, body, message], { update, world }) => {
    const { exit, stdout, stderr } = await update(JSON.stringify(body, null, 2))
    expect({ exit, stdout, sent: world.requests() }).toEqual({ exit: 2, stdout: '', sent: [] })
    expect(stderr).toContain(message)
    expect(stderr).toMatch(
      message === '25' || message.startsWith('inbound, ') || message === '255' ? /./ : /\(line \d+\)/,
    )
  })

  test('actions, policies and protocols can be lower case', async ({ skyctl, update, world }) => {
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

  test('the message has the line of the field', async ({ update }) => {
    const stdin =
      'inbound:\n  - action: ACCEPT\n    protocol: TCP\n    addresses:\n      ipv4:\n        - 10.0.0.0/8\n        - 10.0.0.0/33\n'
    const { stderr } = await update(stdin)
    expect(stderr).toMatch(/inbound\[0\]\.addresses\.ipv4\[1\]: .*\(line 7\)/)
  })

  test('an unquoted 080 in YAML does not mean 80', async ({ update, world }) => {
    const stdin = 'inbound:\n  - {action: ACCEPT, protocol: TCP, ports: 080, addresses: {ipv4: [10.0.0.0/8]}}\n'
    expect((await update(stdin)).exit).toBe(2)
    expect(world.requests()).toEqual([])
  })

  test.for(['[]', '"text"', '{', 'a: [', ''])('a file with %s has no rules', async (stdin, { update, world }) => {
    expect((await update(stdin)).exit).toBe(2)
    expect(world.requests()).toEqual([])
  })

  test('a missing file is exit 12', async ({ skyctl, world }) => {
    expect((await skyctl(`firewalls rules update edge --file ${missingPath}/rules.yaml`)).exit).toBe(12)
    expect(world.requests()).toEqual([])
  })

  test('the limit of 25 rules includes the direction that is not in the file', async ({ update, world }) => {
    arrange(world, { ...original, outbound: [rule('out')] })
    const { exit } = await update({ inbound: many(25) })
    expect({ exit, writes: writes(world) }).toEqual({ exit: 6, writes: [] })
  })

  test('existing rules are not validated, since the API may know more', async ({ skyctl, world }) => {
    const unknownToClient = { ...ssh, priority: 1 } as FirewallRule
    arrange(world, { ...original, inbound: [unknownToClient, web] })
    const { exit, stdout } = await skyctl('firewalls rules move edge inbound label:web --at 1 --dry-run --json')
    expect({ exit, inbound: json(stdout).body.inbound }).toEqual({ exit: 0, inbound: [web, unknownToClient] })
  })

  test('--no-validate leaves validation to the API', async ({ update, world }) => {
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
  ])('--no-validate still needs the structure of rules: %s', async ([field, inbound], { update, world }) => {
    arrange(world)
    const { exit, stderr } = await update({ inbound }, '--no-validate --json')
    expect({ exit, sent: writes(world) }).toEqual({ exit: 2, sent: [] })
    expect(json(stderr).error.errors).toMatchObject([{ field }])
  })

  const everyAddress = { addresses: { ipv4: ['0.0.0.0/0'] } }
  test.for<[string, Partial<FirewallRules>]>([
    ['203.0.113.9/24 has host bits set', { inbound: [{ ...ssh, addresses: { ipv4: ['203.0.113.9/24'] } }] }],
    ['inbound rule 2 is never reached', { inbound: [ssh, { ...ssh, addresses: { ipv4: ['203.0.113.7/32'] } }] }],
    ['inbound rule 2 is the same as rule 1', { inbound: [ssh, { ...ssh, label: 'again' }] }],
    ['SSH (22), which gives away a shell (line 1)', { inbound: [rule('open', { ports: '22', ...everyAddress })] }],
    ['RDP (3389)', { inbound: [rule('open', { ports: '3000-4000', addresses: { ipv6: ['::/0'] } })] }],
    ['all inbound traffic is blocked', { inbound: [], inbound_policy: 'DROP' }],
  ])('a warning does not prevent the change: %s', async ([message, rules], { update, world }) => {
    arrange(world)
    const { exit, stderr } = await update(rules)
    expect({ exit, rules: currentRules(world) }).toEqual({ exit: 0, rules: { ...original, ...rules } })
    expect(stderr.split('\n').filter((line) => line.startsWith('skyctl: warning: '))).toEqual([
      expect.stringContaining(message),
    ])
  })
})

describe('rules add, remove, move', () => {
  test('add inserts a rule at its position', async ({ skyctl, world }) => {
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
    expect(currentRules(world)).toEqual({ ...original, inbound: [ssh, dns, web, ping] })
  })

  test.for([
    ['--file - --port 8443 --from 10.0.0.0/8', { ipv4: ['10.0.0.0/8'] }],
    // The flags of an earlier version replace the addresses of one family.
    ['--body - --ports 8443 --ipv4 10.0.0.0/8', { ipv4: ['10.0.0.0/8'], ipv6: ['::/0'] }],
  ] as const)(
    'add accepts a rule in a file, which flags override: %s',
    async ([flags, addresses], { skyctl, world }) => {
      arrange(world)
      const stdin = JSON.stringify({ ...web, addresses: { ipv6: ['::/0'] } })
      await skyctl(`firewalls rules add edge inbound ${flags}`, { stdin })
      expect(currentRules(world)?.inbound.at(-1)).toEqual({ ...web, ports: '8443', addresses })
    },
  )

  test('remove accepts several rules', async ({ skyctl, world }) => {
    arrange(world)
    expect((await skyctl('firewalls rules remove edge inbound match:icmp ssh --yes')).exit).toBe(0)
    expect(currentRules(world)?.inbound).toEqual([web])
  })

  test('remove asks before it removes', async ({ skyctl, world }) => {
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
    expect(currentRules(world)?.inbound).toEqual([ping, ssh, web])
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
  ])('%s is rejected before any request', async ([line, message], { skyctl, world }) => {
    const { exit, stderr } = await skyctl(`firewalls rules ${line}`)
    expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
    expect(stderr).toContain(message)
  })

  test.for([
    ['remove edge inbound 4 --dry-run', 5],
    ['move edge inbound 4 --at 1 --dry-run', 5],
    ['move edge inbound ssh --at 4', 2],
    ['add edge outbound --action accept --protocol tcp --to 10.0.0.0/8 --at 2', 2],
  ] as const)('%s has no such rule or position', async ([line, code], { skyctl, world }) => {
    arrange(world)
    expect({ exit: (await skyctl(`firewalls rules ${line}`)).exit, writes: writes(world) }).toEqual({
      exit: code,
      writes: [],
    })
  })
})

describe('no change is lost:', () => {
  test('edit fails with the difference if somebody else has changed the rules meanwhile', async ({
    skyctl,
    world,
    home,
    sandbox,
  }) => {
    arrange(world)
    const editorCommand = `node -e "fetch(process.env.SKYCTL_BASE_URL + '/networking/firewalls/9100/rules', {method: 'PUT', headers: {authorization: 'Bearer ' + process.env.OTHER_TOKEN, 'content-type': 'application/json'}, body: '{\\"inbound_policy\\": \\"ACCEPT\\"}'})" && sed -i s/443/8443/`
    const { exit, stderr } = await skyctl('firewalls rules edit edge --yes --json', {
      env: { EDITOR: editorCommand, OTHER_TOKEN: sandbox.ownerToken, PATH: process.env.PATH },
    })
    expect(exit).toBe(6)
    expect(json(stderr).error).toMatchObject({
      code: 'changed',
      errors: [{ field: 'inbound', reason: 'policy   inbound: DROP -> ACCEPT' }],
    })
    expect(currentRules(world)).toEqual({ ...original, inbound_policy: 'ACCEPT' })
    expect(readdirSync(join(home, 'state/drafts'))).toHaveLength(1)
  })

  test('update compares the rules after its request with the rules that it sent', async ({
    skyctl,
    world,
    sandbox,
  }) => {
    arrange(world)
    const proxy = await openProxy(sandbox.baseUrl, {
      after({ method }) {
        if (method === 'PUT') arrange(world, { ...original, outbound_policy: 'DROP' })
      },
    })
    const line = 'firewalls rules update edge --inbound-policy accept --yes'
    const { exit, stderr } = await skyctl(line, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await proxy.close()
    expect(exit).toBe(6)
    expect(stderr).toContain('policy   outbound: ACCEPT -> DROP\n')
    expect(stderr).toContain('differ from the rules that were sent')
  })

  const addRule = (label: string) =>
    `firewalls rules add edge inbound --action accept --protocol icmp --from 10.0.0.0/8 --label ${label}`
  const labels = (world: Fixtures['world']) => currentRules(world)?.inbound.map(({ label }) => label)

  test('add waits for a concurrent one, reads again, and adds its rule to the new ones', async ({
    skyctl,
    world,
    sandbox,
  }) => {
    arrange(world)
    let reads = 0
    let second: Promise<Result> | undefined
    const proxy = await openProxy(sandbox.baseUrl, {
      async before({ method, path }) {
        if (method === 'GET' && path.endsWith('/rules')) reads += 1
        if (method !== 'PUT' || second) return
        second = skyctl(addRule('second'), { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
        // The first one has read twice; the second one reads once, and then waits.
        await vi.waitFor(() => expect(reads).toBe(3), 5_000)
      },
    })
    const first = await skyctl(addRule('first'), { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    const secondResult = await second
    await proxy.close()
    expect({ exits: [first.exit, secondResult?.exit], last: labels(world)?.slice(-2) }).toEqual({
      exits: [0, 0],
      last: ['first', 'second'],
    })
    expect(secondResult?.stderr).toContain(
      'meanwhile; skyctl keeps these changes:\nadded    inbound 4: ACCEPT ICMP "first"',
    )
  })

  test('concurrent adds of many rules all succeed', async ({ skyctl, world }) => {
    arrange(world, { ...original, inbound: [] })
    const names = Array.from({ length: 8 }, (_, index) => `rule-${index}`)
    const results = await Promise.all(names.map((name) => skyctl(addRule(name))))
    expect(results.map(({ exit }) => exit)).toEqual(names.map(() => 0))
    expect(labels(world)?.sort()).toEqual(names)
  })

  test.for(['answer lost', 'request lost'] as const)(
    'the current rules decide about a retry after: %s',
    async (fate, { skyctl, world, sandbox }) => {
      arrange(world)
      const proxy = await lossyProxy(sandbox.baseUrl)
      const path = `/networking/firewalls/${id}/rules`
      proxy.lose('PUT', path, fate)
      const { exit } = await skyctl('firewalls rules remove edge inbound label:ssh --yes', {
        env: { SKYCTL_BASE_URL: proxy.baseUrl },
      })
      await proxy.close()
      expect({ exit, puts: world.requests('PUT').length, rules: currentRules(world)?.inbound }).toEqual({
        exit: 0,
        puts: 1,
        rules: [web, ping],
      })
    },
  )
})
