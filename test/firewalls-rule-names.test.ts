/** Rules are identified by label or match; by number only in a question or with the hash of the list. */
import { describe, expect } from 'vitest'
import type { FirewallRule, FirewallRules } from '../src/catalogue/firewall-rules'
import { type Fixtures, test } from './support/skyctl'

const rule = (label: string | undefined, ports: string | undefined, ...ipv4: string[]): FirewallRule => ({
  action: 'ACCEPT',
  protocol: 'TCP',
  ...(ports && { ports }),
  addresses: { ipv4 },
  ...(label && { label }),
})
const ssh = rule('ssh', '22', '203.0.113.0/24')
const office = rule('office', '22', '198.51.100.0/24', '192.0.2.0/24')
const web = rule('web', '80, 443', '0.0.0.0/0')
const any = rule(undefined, undefined, '10.0.0.0/8')
const ping: FirewallRule = { action: 'DROP', protocol: 'ICMP', addresses: { ipv6: ['2001:db8::/32'] }, label: '2001' }
const original: FirewallRules = {
  inbound: [ssh, office, web, any, ping],
  inbound_policy: 'DROP',
  outbound: [web],
  outbound_policy: 'ACCEPT',
}

const id = 9100
const arrange = ({ network }: Fixtures['world'], rules = original) =>
  network.firewall({ id, label: 'edge', rules: rules as never })
const inbound = ({ network }: Fixtures['world']) => network.firewalls.get(id)?.rules.inbound
const countPuts = (world: Fixtures['world']) => world.requests('PUT').length
const hashNow = async ({ skyctl }: Pick<Fixtures, 'skyctl'>) =>
  (await skyctl('firewalls rules list edge --hash')).stdout.trim()

describe('a rule is identified by', () => {
  test.for<[string, FirewallRule]>([
    ['label:ssh', ssh],
    ['ssh', ssh],
    ['match:tcp/22@203.0.113.0/24', ssh],
    ['match:tcp@192.0.2.0/24,198.51.100.0/24', office],
    ['match:tcp/443,80', web],
    ['match:icmp@2001:0db8:0::/32', ping],
  ])('%s', async ([name, rule], { skyctl, world }) => {
    arrange(world)
    const { exit, stderr } = await skyctl(`firewalls rules remove edge inbound ${name} --yes`)
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.stringContaining('Updated the rules') })
    expect(inbound(world)).toEqual(original.inbound.filter((one) => one !== rule))
    arrange(world)
    expect((await skyctl(`firewalls rules move edge inbound ${name} --at 3`)).exit).toBe(0)
    expect(inbound(world)?.[2]).toEqual(rule)
  })

  test('several names of the same rule remove it once', async ({ skyctl, world }) => {
    arrange(world)
    expect((await skyctl('firewalls rules remove edge inbound web match:tcp/80,443 --yes')).exit).toBe(0)
    expect(inbound(world)).toEqual([ssh, office, any, ping])
  })
})

describe('a name of no rule or several rules', () => {
  test('of several rules lists them, with their hash: exit 6', async ({ skyctl, world }) => {
    arrange(world)
    for (const verb of ['remove', 'move --at 2']) {
      const line = `firewalls rules ${verb} edge inbound match:tcp/22 --yes`
      const { exit, stderr } = await skyctl(line)
      expect({ exit, puts: countPuts(world) }).toEqual({ exit: 6, puts: 0 })
      expect(stderr).toBe(
        `skyctl: 2 inbound rules of firewall "edge" (9100) match "tcp/22": 1 (ACCEPT TCP 22 "ssh" from 203.0.113.0/24), ` +
          `2 (ACCEPT TCP 22 "office" from 198.51.100.0/24, 192.0.2.0/24). ` +
          `Be more specific, such as match:tcp/22@192.0.2.0/24, or use a number with --if-match ${await hashNow({ skyctl })}\n`,
      )
    }
    const { stderr } = await skyctl('firewalls rules remove edge inbound match:tcp/22 --yes --json')
    expect(JSON.parse(stderr).error).toMatchObject({
      exit_code: 6,
      errors: [{ field: 'inbound[0]' }, { field: 'inbound[1]', reason: expect.stringContaining('"office"') }],
    })
  })

  test.for([
    // A rule with more ports or networks is another one.
    'match:tcp/80',
    'match:tcp/22@198.51.100.0/24',
    'label:SSH',
    'label:5',
  ])('%s matches none: exit 5 with the existing rules', async (name, { skyctl, world }) => {
    arrange(world)
    const { exit, stderr } = await skyctl(`firewalls rules remove edge inbound ${name} --yes`)
    expect({ exit, puts: countPuts(world) }).toEqual({ exit: 5, puts: 0 })
    expect(stderr).toContain('There are 1 (ACCEPT TCP 22 "ssh" from 203.0.113.0/24), 2 (')
    expect(stderr).toContain('5 (DROP ICMP "2001" from 2001:db8::/32)\n')
    expect((await skyctl(`firewalls rules move edge inbound ${name} --at 1`)).exit).toBe(5)
  })

  test.for([
    ['match:', 'begins with a protocol'],
    ['match:tcp/22@203.0.113.0/33', 'neither an address'],
    ['label:', 'the name of the rule is empty'],
    ['0', 'count from 1'],
    ['1.5', 'not the number of a rule'],
  ])('%s is rejected with exit 2 before any request', async ([name, message], { skyctl, world }) => {
    for (const line of [`remove edge inbound ${name} --yes`, `move edge inbound ${name} --at 1`]) {
      const { exit, stderr } = await skyctl(`firewalls rules ${line}`)
      expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
      expect(stderr).toContain(message)
    }
  })
})

describe('a rule number', () => {
  test.for([
    ['remove edge inbound 2 --yes', {}],
    ['remove edge inbound ssh 2 --yes', {}],
    ['remove edge inbound 2 --if-present --yes', {}],
    ['move edge inbound 2 --at 1', {}],
    ['remove edge inbound 2', { env: { SKYCTL_YES: '1' } }],
    // --yes skips the question.
    ['remove edge inbound 2 --yes', { interactive: true }],
    ['move edge inbound 2 --at 1 --yes', { interactive: true }],
  ] as const)('is rejected without a question: %s %j', async ([line, options], { skyctl, world }) => {
    arrange(world)
    const { exit, stderr } = await skyctl(`firewalls rules ${line}`, options)
    expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
    for (const alternative of ['label:', 'match:', '--if-match']) expect(stderr).toContain(alternative)
  })

  test('is accepted with --dry-run', async ({ skyctl, world }) => {
    arrange(world)
    const { exit, stdout } = await skyctl('firewalls rules remove edge inbound 1 --dry-run --json')
    expect({ exit, inbound: JSON.parse(stdout).body.inbound }).toEqual({ exit: 0, inbound: original.inbound.slice(1) })
  })

  test('is accepted with the hash of its rules', async ({ skyctl, world }) => {
    arrange(world)
    const hash = await hashNow({ skyctl })
    expect((await skyctl(`firewalls rules remove edge inbound 3 1 --if-match ${hash} --yes`)).exit).toBe(0)
    expect(inbound(world)).toEqual([office, any, ping])
    const next = await hashNow({ skyctl })
    expect((await skyctl(`firewalls rules move edge inbound 3 --at 1 --if-match ${next.toUpperCase()}`)).exit).toBe(0)
    expect(inbound(world)).toEqual([ping, office, any])
  })
})

test('A number means its rule also if an earlier one is equal', async ({ skyctl, world }) => {
  arrange(world, { ...original, inbound: [any, ping, any] })
  const hash = await hashNow({ skyctl })
  expect((await skyctl(`firewalls rules remove edge inbound 3 --if-match ${hash} --yes`)).exit).toBe(0)
  expect(inbound(world)).toEqual([any, ping])
})

describe('--if-match', () => {
  const lines = [
    'remove edge inbound 1 --yes',
    'remove edge inbound label:ssh --yes',
    'move edge inbound 1 --at 2',
    'add edge inbound --action drop --protocol udp --from 192.0.2.0/24',
    'update edge --inbound-policy accept --yes',
  ]

  test.for(lines)('%s fails with exit 6 if the rules have changed', async (line, { skyctl, world }) => {
    arrange(world)
    const hash = await hashNow({ skyctl })
    arrange(world, { ...original, inbound: [any, ...original.inbound] })
    const { exit, stderr } = await skyctl(`firewalls rules ${line} --if-match ${hash}`)
    expect({ exit, puts: countPuts(world) }).toEqual({ exit: 6, puts: 0 })
    const now = await hashNow({ skyctl })
    expect(stderr).toContain(`were changed since: their hash is ${now}, not ${hash}. Show the current rules: skyctl`)
  })

  test.for(lines)('%s succeeds if the rules have not changed', async (line, { skyctl, world }) => {
    arrange(world)
    const { exit } = await skyctl(`firewalls rules ${line} --if-match ${await hashNow({ skyctl })}`)
    expect({ exit, puts: countPuts(world) }).toEqual({ exit: 0, puts: 1 })
  })

  test('prints the difference if this machine has a backup of the rules with the hash', async ({ skyctl, world }) => {
    arrange(world)
    await skyctl('firewalls rules remove edge inbound label:web --yes')
    const hash = await hashNow({ skyctl })
    arrange(world, { ...original, inbound: [office, any, ping] })
    const line = `firewalls rules remove edge inbound 1 --if-match ${hash} --yes`
    const { exit, stderr } = await skyctl(line)
    expect({ exit, stderr }).toEqual({
      exit: 6,
      stderr: expect.stringContaining('Differences:\nremoved  inbound 1: ACCEPT TCP 22 "ssh" from 203.0.113.0/24\n'),
    })
    expect(JSON.parse((await skyctl(`${line} --json`)).stderr).error).toMatchObject({
      code: 'changed',
      errors: [{ field: 'inbound', reason: 'removed  inbound 1: ACCEPT TCP 22 "ssh" from 203.0.113.0/24' }],
      hint: 'Show the current rules: skyctl firewalls rules list 9100',
    })
  })

  test.for(['abc', '0123456789abX', '', '0123456789abcd'])('"%s" is not a hash', async (hash, { skyctl, world }) => {
    const { exit, stderr } = await skyctl([
      ...'firewalls rules remove edge inbound 1 --yes'.split(' '),
      `--if-match=${hash}`,
    ])
    expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
    expect(stderr).toContain('--if-match')
  })
})

describe('the hash of rules', () => {
  test('is printed by rules list, or alone with --hash', async ({ skyctl, world }) => {
    arrange(world)
    const hash = await hashNow({ skyctl })
    expect(hash).toMatch(/^[0-9a-f]{12}$/)
    expect((await skyctl('firewalls rules list edge')).stdout).toMatch(new RegExp(`\n\nHash: ${hash}\n$`))
    expect((await skyctl('firewalls rules list edge --hash --json')).stdout).toBe(`{\n  "hash": "${hash}"\n}\n`)
    expect((await skyctl('firewalls rules list edge --hash --quiet')).stdout).toBe(`${hash}\n`)
  })

  test('is not in the JSON of rules list', async ({ skyctl, world }) => {
    arrange(world)
    expect(JSON.parse((await skyctl('firewalls rules list edge --json')).stdout)).toEqual(original)
  })
})
