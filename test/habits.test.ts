/** Forms of other tools in files, bodies and flags: accepted, or the answer names the right form. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { rulesOf } from './support/firewall-rules'
import { type Fixtures, test } from './support/skyctl'

const arrange = ({ network }: Fixtures['world']) =>
  network.firewall({ id: 9100, label: 'edge', rules: rulesOf([]) as never })

const rule = 'action: accept, protocol: tcp, ports: 22, addresses: [192.0.2.0/24], label: ssh'
const rules = `inbound_policy: drop, outbound_policy: accept, inbound: [{ ${rule} }], outbound: []`
const json = { action: 'ACCEPT', protocol: 'TCP', ports: 22, addresses: { ipv4: ['192.0.2.0/24'] }, label: 'ssh' }

describe('ports: 22 as a number', () => {
  test.for([
    ['firewalls rules update edge --file FILE --yes', `{ ${rules} }`],
    ['firewalls rules add edge inbound --file FILE', `{ ${rule} }`],
    ['firewalls rules add edge inbound --body FILE', `[{ ${rule} }]`],
    ['firewalls rules add edge inbound --file FILE', JSON.stringify(json)],
    ['firewalls create --label edge-2 --file FILE', `{ ${rules} }`],
    ['firewalls create --body FILE', `{ label: edge-2, rules: { ${rules} } }`],
    ['apply FILE --yes', `{ firewalls: { edge-2: { rules: { ${rules} } } } }`],
    [
      'apply FILE --yes',
      `{ rules: { ssh: [{ ${rule} }] }, firewalls: { edge-2: { rules: { inbound_policy: drop, outbound_policy: accept, inbound: [{ use: ssh }] } } } }`,
    ],
  ] as const)('works: %s, %s', async ([line, text], { skyctl, world, home }) => {
    arrange(world)
    const file = join(home, 'file.yaml')
    writeFileSync(file, text)
    const { exit, stderr } = await skyctl(line.split(' ').map((word) => (word === 'FILE' ? file : word)))
    expect({ exit, stderr: exit === 0 ? '' : stderr }).toEqual({ exit: 0, stderr: '' })
    const label = line.includes('edge ') ? 'edge' : 'edge-2'
    const [created] = world.network.firewalls.all().filter((one) => one.label === label)
    expect(created?.rules.inbound.map(({ ports }) => ports)).toEqual(['22'])
  })

  test.for([0, -22, 22.5, 70_000])('is refused if it is no port: %s', async (ports, { skyctl, world }) => {
    arrange(world)
    const stdin = JSON.stringify({ ...json, ports })
    const { exit, stderr } = await skyctl('firewalls rules add edge inbound --file -', { stdin })
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining('ports: ') })
  })
})

const allPorts = 'For all ports, leave ports out, or write 1-65535'
const each = 'Write a rule for each of TCP, UDP, ICMP and IPENCAP'
const icmp = 'Write ICMP: with IPv6 addresses, it is ICMPv6'
const add = 'firewalls rules add edge inbound --action accept --from anywhere'

describe('the answer names the right form', () => {
  test.for([
    [`${add} --protocol tcp --port any`, allPorts],
    [`${add} --protocol tcp --port all`, allPorts],
    [`${add} --protocol tcp --port 30000:32767`, 'Write 30000-32767'],
    [`${add} --protocol tcp --port 22,8000:8010`, 'Write 8000-8010'],
    [`${add} --protocol all`, each],
    [`${add} --protocol icmpv6`, icmp],
    ['firewalls open edge --protocol icmpv6 --from 192.0.2.1 --for 1m', icmp],
    ['firewalls open edge --port all --from 192.0.2.1 --for 1m', allPorts],
    ['firewalls test edge --protocol icmpv6 --from 2001:db8::1', icmp],
    ['firewalls test edge --protocol all --from 2001:db8::1', each],
    ['firewalls rules remove edge inbound match:tcp/80:90 --yes', 'Write 80-90'],
    ['firewalls rules update edge --inbound-policy drop --yes --keep-open icmpv6@2001:db8::1', icmp],
    ['firewalls rules update edge --inbound-policy drop --yes --keep-open tcp/any', allPorts],
  ] as const)('for flags: %s', async ([line, advice], { skyctl, world }) => {
    arrange(world)
    const { exit, stderr } = await skyctl(line)
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining(`. ${advice}`) })
  })

  const wrong = (fields: string) => `action: accept, protocol: tcp, label: ssh, addresses: [192.0.2.0/24], ${fields}`
  test.for([
    [wrong('ports: any'), allPorts],
    [wrong('ports: "30000:32767"'), 'Write 30000-32767'],
    [wrong('ports: [22, 443]'), 'Write them as one text, such as "22, 80-90"'],
    ['action: accept, protocol: all, addresses: [192.0.2.0/24]', each],
    ['action: accept, protocol: icmpv6, addresses: ["2001:db8::/32"]', icmp],
    [
      'action: accept, protocol: tcp, label: ssh, ipv4: [192.0.2.0/24]',
      'ipv4: unknown key. Write it below "addresses"',
    ],
  ] as const)('in every file with rules: %s', async ([fields, advice], { skyctl, world }) => {
    arrange(world)
    const whole = `inbound_policy: drop, outbound_policy: accept, inbound: [{ ${fields} }]`
    for (const [line, stdin] of [
      ['firewalls rules update edge --file - --yes', `{ ${whole} }`],
      ['firewalls rules add edge inbound --file -', `{ ${fields} }`],
      ['firewalls create --label edge-2 --file -', `{ ${whole} }`],
      ['firewalls create --body -', `{ label: edge-2, rules: { ${whole} } }`],
      ['plan -', `{ firewalls: { edge-2: { rules: { ${whole} } } } }`],
    ] as const) {
      const { exit, stderr } = await skyctl(line, { stdin })
      expect({ line, exit, stderr }).toEqual({ line, exit: 2, stderr: expect.stringContaining(advice) })
    }
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test('for a list in the place of the rules of a firewall', async ({ skyctl, world }) => {
    arrange(world)
    const list = `[{ ${rule} }]`
    for (const [line, stdin] of [
      ['firewalls rules update edge --file - --yes', list],
      ['firewalls rules diff edge --file -', list],
      ['firewalls create --label edge-2 --file -', list],
      ['firewalls create --body -', `{ label: edge-2, rules: ${list} }`],
      ['firewalls create --inbound-policy drop --outbound-policy drop --body -', `{ label: edge-2, rules: ${list} }`],
      ['plan -', `{ firewalls: { edge-2: { rules: ${list} } } }`],
    ] as const) {
      const { exit, stderr } = await skyctl(line, { stdin })
      expect({ line, exit, stderr }).toEqual({
        ...{ line, exit: 2 },
        stderr: expect.stringContaining('Put the rules below "inbound" or "outbound"'),
      })
    }
  })
})

test('a final dot of a reverse DNS name is left out', async ({ skyctl, world }) => {
  world.network.address({ address: '203.0.113.200', compute_id: 1001 })
  const rdns = () => world.network.addresses.all().find(({ address }) => address === '203.0.113.200')?.rdns
  const sent = () => world.requests('PUT').length
  expect((await skyctl('ips rdns 203.0.113.200 mail.example.net.')).exit).toBe(0)
  expect(rdns()).toBe('mail.example.net')
  const body = '{"address":"203.0.113.200","rdns":"mail.example.net."}'
  expect((await skyctl('ips rdns --body -', { stdin: body })).exit).toBe(0)
  const file = 'rdns: { 203.0.113.200: mail.example.net. }'
  expect((await skyctl('apply - --yes', { stdin: file })).exit).toBe(0)
  expect(sent()).toBe(1)
  expect((await skyctl('apply - --yes', { stdin: file.replace('mail', 'www') })).exit).toBe(0)
  expect({ rdns: rdns(), sent: sent() }).toEqual({ rdns: 'www.example.net', sent: 2 })
  expect((await skyctl('ips rdns 203.0.113.200 mail.example.net..')).exit).toBe(2)
})
