/** Network names on the command line, from the file of the context or in the current folder. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test as base } from '../support/in-process-shell'
import { gateOf } from '../support/openings'

interface Fixtures {
  /** A folder with networks.yaml. */
  folder: string
  /** Writes a file below the home, and returns its path. */
  file(name: string, text: string): string
}

const networks = `networks:
  office: [203.0.113.0/24, "2001:db8:1::/48"]
  vpn: 198.51.100.7
`

const test = base.extend<Fixtures>({
  file: async ({ home }, use) =>
    use((name, text) => {
      const path = join(home, name)
      writeFileSync(path, text)
      return path
    }),
  folder: async ({ home }, use) => {
    const folder = join(home, 'folder')
    mkdirSync(folder)
    writeFileSync(join(folder, 'networks.yaml'), networks)
    await use(folder)
  },
})

const addresses = { ipv4: ['203.0.113.0/24', '198.51.100.7/32'], ipv6: ['2001:db8:1::/48'] }

/** Signs in to a context, which the environment does not name. */
const login =
  'printenv SKYCTL_TOKEN | skyctl auth login --with-token --context lab --base-url "$SKYCTL_BASE_URL" -q >/dev/null'

describe('An exported file', () => {
  const hosts = (count: number) => Array.from({ length: count }, (_, at) => `192.0.2.${at}/32`)
  const rules = {
    inbound_policy: 'DROP',
    inbound: [
      { action: 'ACCEPT', protocol: 'TCP', ports: '22', addresses, label: 'ssh' },
      { action: 'ACCEPT', protocol: 'TCP', ports: '80, 443', addresses: { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] } },
      { action: 'DROP', protocol: 'UDP', addresses: { ipv4: hosts(10) }, description: 'noise' },
    ],
    outbound_policy: 'ACCEPT',
    outbound: [{ action: 'DROP', protocol: 'ICMP', addresses: { ipv4: ['0.0.0.0/0', '203.0.113.0/24'] } }],
  }
  const short = (inbound: string) => `    rules:
      inbound_policy: drop
      inbound:
${inbound}
        - { action: accept, protocol: tcp, ports: "80, 443", from: anywhere }
        - action: drop
          protocol: udp
          from:
            [192.0.2.0, 192.0.2.1, 192.0.2.2, 192.0.2.3, 192.0.2.4, 192.0.2.5, 192.0.2.6, 192.0.2.7,
             192.0.2.8, 192.0.2.9]
          description: noise
      outbound_policy: accept
      outbound:
        - { action: drop, protocol: icmp, to: [0.0.0.0/0, 203.0.113.0/24] }
    devices: { computes: [], balancers: [] }
`

  test('has rules in short form, and defines the networks that they name', async ({ shell, folder: cwd, world }) => {
    world.network.firewall({ label: 'edge', rules: rules as never })
    const { stdout } = await shell('skyctl export firewalls --filter label=edge', { cwd })
    expect(stdout).toContain(`# names in rules, as on command lines: skyctl help networks
networks: { office: [203.0.113.0/24, "2001:db8:1::/48"], vpn: [198.51.100.7] }
firewalls:
`)
    expect(stdout).toContain(
      short('        - { action: accept, protocol: tcp, ports: 22, from: [office, vpn], label: ssh }'),
    )
    expect(await shell('skyctl export | skyctl plan - --exit-code', { cwd })).toMatchObject({ exit: 0 })
    expect((await shell('skyctl export firewalls --filter label=web', { cwd })).stdout).not.toContain('networks:')
  })

  test('has addresses without such a file, and the same names in JSON', async ({ shell, folder: cwd, home, world }) => {
    world.network.firewall({ label: 'edge', rules: rules as never })
    const line = 'skyctl export firewalls --filter label=edge'
    expect((await shell(line, { cwd: home })).stdout).toContain(
      short(
        '        - { action: accept, protocol: tcp, ports: 22, from: [203.0.113.0/24, 198.51.100.7, "2001:db8:1::/48"], label: ssh }',
      ),
    )
    const { firewalls, networks } = JSON.parse((await shell(`${line} --json`, { cwd })).stdout)
    expect(firewalls.edge.rules.inbound[0].from).toEqual(['office', 'vpn'])
    expect(networks).toEqual({ office: ['203.0.113.0/24', '2001:db8:1::/48'], vpn: ['198.51.100.7'] })
    expect(await shell('skyctl export --json | skyctl plan - --exit-code', { cwd })).toMatchObject({ exit: 0 })
  })

  test('gets the names that it defines itself with --into', async ({ shell, folder: cwd, file, world }) => {
    world.network.firewall({ label: 'edge', rules: rules as never })
    const path = file(
      'folder/account.yaml',
      'networks:\n  home: [198.51.100.7, 203.0.113.0/24, "2001:db8:1::/48"] # ours\n',
    )
    expect(await shell(`skyctl export firewalls --into ${path}`, { cwd })).toMatchObject({ exit: 0 })
    const { stdout: text } = await shell(`cat ${path}`, { cwd })
    expect(text).toContain('# ours\nfirewalls:\n')
    expect(text).toContain('        - { action: accept, protocol: tcp, ports: 22, from: home, label: ssh }\n')
    expect(await shell(`skyctl plan ${path} --exit-code`, { cwd })).toMatchObject({ exit: 0 })
  })
})

describe('A network name on the command line', () => {
  test('is replaced by the addresses in networks.yaml of the folder', async ({ shell, folder: cwd, world }) => {
    gateOf(world)
    const dry = await shell('skyctl firewalls open gate --port 22 --from office,vpn --for 30m --dry-run --json', {
      cwd,
    })
    expect({ exit: dry.exit, stderr: dry.stderr }).toEqual({ exit: 0, stderr: '' })
    expect(JSON.parse(dry.stdout).body.inbound[0].addresses).toEqual(addresses)
    const opened = await shell('skyctl firewalls open gate --port 22 --from vpn,198.51.100.7 -- true', { cwd })
    expect(opened).toMatchObject({ exit: 0, stderr: expect.stringContaining('to tcp/22 from 198.51.100.7/32 ') })
    const line = 'skyctl firewalls rules add gate'
    const inbound = `${line} inbound --action accept --protocol tcp --port 80 --from office,vpn --json -v`
    const added = await shell(inbound, { cwd })
    expect(JSON.parse(added.stdout).inbound.at(-1).addresses).toEqual(addresses)
    expect(added.stderr).toContain('networks: \\"networks.yaml\\", in the current folder')
    const outbound = await shell(`${line} outbound --action drop --protocol tcp --to vpn --json`, { cwd })
    expect(JSON.parse(outbound.stdout).outbound).toEqual([
      { action: 'DROP', protocol: 'TCP', addresses: { ipv4: ['198.51.100.7/32'] } },
    ])
    expect(outbound.stderr).not.toContain('networks.yaml')
  })

  test('is looked up in the file of the context instead of the folder', async ({ shell, folder: cwd, file, world }) => {
    gateOf(world)
    file('team.yaml', 'networks: { office: 192.0.2.7 }')
    const update = 'skyctl context update lab --networks team.yaml --json'
    const { stdout, stderr } = await shell(`${login} && cd .. && ${update}`, { cwd })
    expect({ stderr, networks: JSON.parse(stdout).defaults.networks }).toEqual({
      stderr: '',
      networks: join(cwd, '..', 'team.yaml'),
    })
    const line = 'skyctl --context lab firewalls open gate --port 22 --for 30m --dry-run -v -o json --from'
    const office = await shell(`${line} office`, { cwd })
    expect(JSON.parse(office.stdout).body.inbound[0].addresses).toEqual({ ipv4: ['192.0.2.7/32'] })
    expect(office.stderr).toContain('team.yaml\\", set in the context')
    expect(await shell(`${line} vpn`, { cwd })).toMatchObject({ exit: 2 })
    await shell('skyctl context update lab --networks ""', { cwd })
    const own = await shell(`${line} vpn`, { cwd })
    expect(JSON.parse(own.stdout).body.inbound[0].addresses).toEqual({ ipv4: ['198.51.100.7/32'] })
  })

  test('is rejected before any request if the file does not define it', async ({ shell, folder: cwd, world }) => {
    gateOf(world)
    const lines = [
      'firewalls open gate --port 22 --for 30m --from 192.0.2.7,offce',
      'firewalls rules add gate inbound --action accept --protocol tcp --from 192.0.2.7,offce',
      'firewalls rules remove gate inbound label:ssh --yes --keep-open tcp/22@192.0.2.7,offce',
      'firewalls test gate --port 22 --from offce',
    ]
    for (const line of lines) {
      const { exit, stdout, stderr } = await shell(`skyctl ${line}`, { cwd })
      expect({ line, exit, stdout, stderr }).toEqual({
        ...{ line, exit: 2, stdout: '' },
        stderr: expect.stringMatching(
          /^skyctl: .*: no network has the name "offce" in "networks\.yaml"\. Did you mean "office"\?\n$/,
        ),
      })
    }
    const outside = await shell('skyctl firewalls open gate --port 22 --for 30m --from office', {
      cwd: join(cwd, '..'),
    })
    expect(outside).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('"office" is not an address, and there is no file that names networks'),
    })
    expect(world.requests()).toEqual([])
  })

  test('is looked up only if needed: addresses alone do not read the file', async ({
    shell,
    folder: cwd,
    file,
    world,
  }) => {
    gateOf(world)
    file('folder/networks.yaml', 'networks: [')
    const line = 'skyctl firewalls open gate --port 22 --for 30m --dry-run --json --from'
    expect(await shell(`${line} anywhere,192.0.2.7`, { cwd })).toMatchObject({ exit: 0 })
    expect(await shell(`${line} office`, { cwd })).toMatchObject({ exit: 2 })
  })

  test('works in --keep-open, and a context stores its addresses', async ({ shell, folder: cwd, world }) => {
    gateOf(world)
    const close = 'skyctl --context lab firewalls rules remove gate inbound label:ssh --yes'
    await shell(login, { cwd })
    const result = await shell(`${close} --keep-open tcp/22@vpn`, { cwd })
    expect(result).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining('--keep-open: tcp/22 from 198.51.100.7 would be blocked'),
    })
    const { stdout } = await shell('skyctl context update lab --keep-open tcp/22@vpn,192.0.2.9 --json', { cwd })
    expect(JSON.parse(stdout).defaults.keep_open).toEqual(['tcp/22@198.51.100.7,192.0.2.9'])
    expect(world.requests('PUT')).toEqual([])
  })

  test('works for the address of a packet if the network is one address', async ({ shell, folder: cwd, file }) => {
    const rules = file(
      'rules.yaml',
      'inbound_policy: drop\noutbound_policy: accept\ninbound: [{ action: accept, protocol: tcp, addresses: 198.51.100.7 }]',
    )
    const line = `skyctl firewalls test --file ${rules} --port 22 --json`
    const vpn = await shell(`${line} --from vpn`, { cwd })
    expect(JSON.parse(vpn.stdout)).toMatchObject({ action: 'ACCEPT', from: '198.51.100.7' })
    expect(await shell(`${line} --to vpn`, { cwd })).toMatchObject({ exit: 0 })
    expect(await shell(`skyctl firewalls test --file ${rules} --port 22 --from office`, { cwd })).toMatchObject({
      exit: 2,
      stderr:
        'skyctl: --from: a packet has one address, and "office" is 203.0.113.0/24, 2001:db8:1::/48. ' +
        'Write one, such as --from 198.51.100.7. Who has access to each port: skyctl firewalls view FIREWALL\n',
    })
  })
})

describe('The rules of a firewall', () => {
  const list = 'skyctl firewalls rules list gate'

  test('show the network with exactly their addresses, in text only', async ({ shell, folder: cwd, world }) => {
    gateOf(world)
    const line = 'skyctl firewalls rules add gate outbound --action accept --protocol tcp --port'
    await shell(`${line} 80 --to office && ${line} 81 --to office,vpn && ${line} 82 --to 203.0.113.0/24`, { cwd })
    const texts = [await shell(list, { cwd }), await shell('skyctl firewalls view gate', { cwd })]
    for (const { stdout } of texts) {
      expect(stdout.match(/ {6}to .*/g)).toEqual([
        '      to 203.0.113.0/24, 2001:db8:1::/48 (office)',
        '      to 203.0.113.0/24, 198.51.100.7/32, 2001:db8:1::/48',
        '      to 203.0.113.0/24',
      ])
    }
    const data = await shell(`${list} -o csv && ${list} --json && ${list} -o yaml`, { cwd })
    expect(data.exit).toBe(0)
    expect(data.stdout).not.toContain('office')
  })

  test('are listed without network names if the file is invalid; -v reports the error', async ({
    shell,
    folder: cwd,
    file,
    world,
  }) => {
    gateOf(world)
    const { stdout } = await shell(list, { cwd })
    file('folder/networks.yaml', 'networks: { office: [] }')
    expect(await shell(list, { cwd })).toMatchObject({ exit: 0, stdout, stderr: '' })
    expect(await shell(`${list} -v`, { cwd })).toMatchObject({
      ...{ exit: 0, stdout },
      stderr: expect.stringContaining('no names of networks: networks.yaml:1:13: networks.office: Must not be empty\n'),
    })
  })
})

describe('A rules file', () => {
  const rules = (from: string) =>
    `{"inbound_policy":"DROP","outbound_policy":"ACCEPT","outbound":[],\n"inbound":[{"action":"accept","protocol":"tcp","ports":"22",\n"from":${from}}]}`

  test('can name networks like account files, in each command', async ({ shell, folder: cwd, file, world }) => {
    const gate = gateOf(world)
    file('folder/rules.json', rules('["office", "198.51.100.7"]'))
    file(
      'folder/rule.ndjson',
      '{"action":"drop","protocol":"udp","to":"vpn"}\n{"action":"drop","protocol":"tcp","to":["anywhere"]}',
    )
    const update = 'skyctl firewalls rules update gate --file rules.json --yes -q'
    expect(await shell(update, { cwd })).toMatchObject({ exit: 0, stderr: '' })
    expect(gate.rules().inbound).toEqual([{ action: 'ACCEPT', protocol: 'TCP', ports: '22', addresses }])
    const diff = await shell('skyctl firewalls rules diff gate --file rules.json', { cwd })
    expect(diff).toMatchObject({ exit: 0 })
    const packet = 'skyctl firewalls test --file rules.json --port 22 --from vpn --query action -o tsv'
    expect(await shell(packet, { cwd })).toMatchObject({ exit: 0, stdout: 'ACCEPT\n' })
    const add = 'skyctl firewalls rules add gate outbound --file rule.ndjson --yes -q'
    expect(await shell(add, { cwd })).toMatchObject({ exit: 0, stderr: '' })
    expect(gate.rules().outbound).toEqual([
      { action: 'DROP', protocol: 'UDP', addresses: { ipv4: ['198.51.100.7/32'] } },
      { action: 'DROP', protocol: 'TCP', addresses: { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] } },
    ])
  })

  test.for([
    [
      rules('["offce"]'),
      'inbound[0].from[0] (line 3): no network has the name "offce" in "networks.yaml". Did you mean "office"?',
    ],
    [
      rules('["office"], "addresses": {"ipv4": ["192.0.2.0/24"]}'),
      'inbound[0].from: addresses sets the same, so set only one of them (line 3)',
    ],
    [rules('["office"], "to": ["vpn"]'), 'inbound[0].to: cannot be used in an inbound rule, which has "from" (line 3)'],
    [rules('[]'), 'inbound[0].from: must not be empty (line 3)'],
    [
      rules('null, "use": "ssh"'),
      'inbound[0].use: groups of rules are for account files only: skyctl help account-file (line 3)',
    ],
    [
      rules('null, "addresses": ["office"]'),
      'inbound[0].addresses: must be an object, not a list. For the name of a network, write "from" or "to" instead of "addresses" (line 3)',
    ],
  ] as const)(
    'is rejected with the line of its error: %s',
    async ([text, problem], { shell, folder: cwd, file, world }) => {
      gateOf(world)
      file('folder/rules.json', text)
      for (const line of ['rules update gate', 'rules diff gate', 'test --port 22 --from 192.0.2.1']) {
        const { exit, stderr } = await shell(`skyctl firewalls ${line} --file rules.json`, { cwd })
        expect({ line, exit, stderr }).toEqual({ line, exit: 2, stderr: expect.stringContaining(problem) })
      }
    },
  )

  test('is rejected with the line of an unknown network name', async ({ shell, folder: cwd, file, world }) => {
    gateOf(world)
    file(
      'folder/rules.ndjson',
      '{"action":"drop","protocol":"udp","to":"vpn"}\n{"action":"drop","protocol":"udp","to":"vnp"}',
    )
    const line = 'skyctl firewalls rules add gate outbound --file rules.ndjson'
    const { exit, stderr } = await shell(line, { cwd })
    expect(exit).toBe(2)
    expect(stderr).toContain('no network has the name "vnp" in "networks.yaml" (line 2). Did you mean "vpn"?')
  })
})

describe('An audit', () => {
  test('names the network of a rule that allows too many addresses', async ({ shell, folder: cwd, file, world }) => {
    gateOf(world)
    world.network.device(9100, 'compute', world.compute({ id: 2002 }).id)
    file('folder/networks.yaml', 'networks: { carrier: [20.0.0.0/8] }')
    const added = await shell(
      'skyctl firewalls rules add gate inbound --at 1 --action accept --protocol tcp --port 5432 --from carrier --label postgres -q',
      { cwd },
    )
    expect(added).toMatchObject({ exit: 0, stderr: '' })
    const audit = 'skyctl audit --code large-network-open --query "findings[].reason" -o tsv'
    const reason = 'PostgreSQL (5432) from as many IPv4 addresses as a /8, allowed by inbound rule 1 "postgres"'
    expect(await shell(audit, { cwd })).toMatchObject({ exit: 0, stdout: `${reason} (carrier); gives away data\n` })
    expect(await shell(audit, { cwd: join(cwd, '..') })).toMatchObject({
      exit: 0,
      stdout: `${reason}; gives away data\n`,
    })
  })
})

describe('A networks file', () => {
  test.for([
    [
      'networks: { office: [] }\nowner: me',
      ['2:1: owner: a file of networks has no other key than networks', '1:13: networks.office: Must not be empty'],
    ],
    ['- office', [' Must be an object with the key networks']],
    ['networks: [', ['1:12: neither JSON nor YAML: ']],
    [
      'networks: { a: 10.0.0.0/33 }',
      ['1:13: networks.a[0]: Must contain only valid IPv4 addresses or networks: the mask must be 0 to 32'],
    ],
  ] as const)(
    'is rejected with the lines of its errors: %j',
    async ([text, problems], { shell, folder: cwd, file }) => {
      file('folder/networks.yaml', text)
      const line = 'skyctl firewalls open gate --port 22 --for 30m --from office'
      const { exit, stderr } = await shell(line, { cwd })
      expect(exit).toBe(2)
      for (const problem of problems) expect(stderr).toContain(`networks.yaml:${problem}`)
      expect(await shell(`${login} && skyctl context update lab --networks networks.yaml`, { cwd })).toMatchObject({
        exit: 2,
      })
    },
  )
})
