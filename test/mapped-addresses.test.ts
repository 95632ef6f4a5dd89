/** IPv4-mapped addresses (RFC 4291, 2.5.5.2) are the IPv4 address wherever an address is typed or compared. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { FirewallRule } from '../src/catalogue/firewall-rules'
import { ruleThat as rule, rulesOf } from './support/firewall-rules'
import { type Fixtures, test } from './support/skyctl'

const spellings = ['::ffff:203.0.113.9', '::FFFF:cb00:7109', '0:0:0:0:0:ffff:203.0.113.9']
const ssh = rule({ label: 'ssh', ipv4: ['203.0.113.0/24'] })

type World = Fixtures['world']

function arrange(world: World, ...inbound: FirewallRule[]) {
  world.network.firewall({ id: 9100, label: 'edge', rules: rulesOf(inbound) as never })
  world.compute({ id: 9002, label: 'app' })
  world.network.device(9100, 'compute', 9002)
}
const rulesIn = ({ network }: World) => network.firewalls.get(9100)?.rules.inbound
const puts = (world: World) => world.requests('PUT').length

describe.for(spellings)('%s', (address) => {
  test('is kept open by --keep-open', async ({ skyctl, world }) => {
    arrange(world, ssh, rule({ label: 'ssh6', ipv4: [], ipv6: ['::/0'] }))
    const line = `firewalls rules remove edge inbound label:ssh --yes --keep-open tcp/22@${address}`
    expect(await skyctl(line)).toMatchObject({ exit: 6, stderr: expect.stringContaining('would be blocked') })
    expect(await skyctl(line.replace(address, `${address}/128`))).toMatchObject({ exit: 6 })
    expect(puts(world)).toBe(0)
  })

  test('is the client of an SSH connection', async ({ skyctl, world }) => {
    arrange(world, ssh)
    world.network.address({ address: '203.0.113.10', compute_id: 9002 })
    const env = { SSH_CONNECTION: `${address} 50022 ::ffff:cb00:710a 22` }
    const { exit, stderr } = await skyctl('firewalls rules remove edge inbound label:ssh --yes', { env })
    expect({ exit, stderr }).toMatchObject({ exit: 6, stderr: expect.stringContaining('tcp/22 from 203.0.113.9') })
  })

  test('is a source of a rule: --from', async ({ skyctl, world }) => {
    arrange(world)
    const line = 'firewalls rules add edge inbound --action accept --protocol tcp --port 22 --yes'
    expect((await skyctl(`${line} --from ${address}`)).exit).toBe(0)
    expect((await skyctl(`${line} --from ${address}/128 --if-absent`)).exit).toBe(0)
    expect((await skyctl(`${line} --from ${address}/120,2001:db8::/32`)).exit).toBe(0)
    expect(rulesIn(world)?.map(({ addresses }) => addresses)).toEqual([
      { ipv4: ['203.0.113.9/32'] },
      { ipv4: ['203.0.113.9/24'], ipv6: ['2001:db8::/32'] },
    ])
  })

  test('is judged as the IPv4 address: test and cases', async ({ skyctl, world, home }) => {
    arrange(world, ssh)
    const line = `firewalls test edge --protocol tcp --port 22 --from ${address} --expect accept`
    expect((await skyctl(line)).exit).toBe(0)
    const cases = join(home, 'cases.yaml')
    writeFileSync(cases, `- { protocol: tcp, port: 22, from: "${address}", expect: accept }\n`)
    expect((await skyctl(['firewalls', 'test', 'edge', '--cases', cases])).exit).toBe(0)
  })

  test('is opened as the IPv4 address', async ({ skyctl, world }) => {
    arrange(world)
    const { exit, stderr } = await skyctl(`firewalls open edge --port 22 --from ${address} --for 1h --dry-run`)
    expect({ exit, stderr }).toMatchObject({ exit: 0 })
    expect((await skyctl(`firewalls open edge --port 22 --from ${address} --for 1h`)).exit).toBe(0)
    expect(rulesIn(world)?.[0]?.addresses).toEqual({ ipv4: ['203.0.113.9/32'] })
    expect((await skyctl('firewalls close edge')).exit).toBe(0)
  })

  test('selects a rule: match:', async ({ skyctl, world }) => {
    arrange(world, rule({ ipv4: ['203.0.113.9/32'] }))
    expect((await skyctl(`firewalls rules remove edge inbound match:tcp/22@${address} --yes`)).exit).toBe(0)
  })

  test('is the IPv4 address in rules files and networks files', async ({ skyctl, world, home }) => {
    arrange(world)
    mkdirSync(home, { recursive: true })
    const file = join(home, 'rules.yaml')
    const text = (form: string) => `inbound: [{ action: accept, protocol: tcp, ports: "22", addresses: ${form} }]\n`
    for (const form of [`["${address}"]`, `{ ipv6: ["${address}/128"] }`, `{ ipv6: "${address}" }`]) {
      writeFileSync(file, text(form))
      expect(await skyctl(['firewalls', 'rules', 'update', 'edge', '--file', file, '--yes'])).toMatchObject({ exit: 0 })
      expect(rulesIn(world)?.[0]?.addresses).toEqual({ ipv4: ['203.0.113.9/32'] })
    }
    expect(puts(world)).toBe(1)
  })

  test('is the IPv4 address in account files', async ({ skyctl, world }) => {
    arrange(world, rule({ label: 'ssh', ipv4: ['203.0.113.9/32'] }))
    const file = `networks: { office: ["${address}"] }\nfirewalls: { edge: { rules: { inbound_policy: drop, outbound_policy: accept, inbound: [{ action: accept, protocol: tcp, ports: "22", label: ssh, from: [office] }] } } }\n`
    const { exit, stdout, stderr } = await skyctl('plan - --json', { stdin: file })
    expect(stderr).toBe('')
    expect({ exit, objects: JSON.parse(stdout).objects }).toEqual({ exit: 0, objects: [] })
  })

  test('names an address: ips view, rdns, assign and share', async ({ skyctl, world }) => {
    arrange(world)
    world.network.address({ address: '203.0.113.9', compute_id: 9002 })
    expect(JSON.parse((await skyctl(`ips view ${address} --json`)).stdout)).toMatchObject({ address: '203.0.113.9' })
    expect((await skyctl(`ips rdns ${address} app.example.net`)).exit).toBe(0)
    const body = JSON.stringify({ region: 'us-east', assignments: [{ address, compute_id: 9002 }] })
    for (const [line, stdin] of [[`ips assign ${address}=9002`], ['ips assign --body -', body]]) {
      const { exit, stdout } = await skyctl(`${line} --dry-run --json`, { stdin })
      expect({ exit, stdout }).toMatchObject({ exit: 0, stdout: expect.stringContaining('"203.0.113.9"') })
    }
    for (const [line, stdin] of [
      [`ips share ${address}`],
      ['ips share --body -', JSON.stringify({ ips: [address] })],
    ]) {
      const { exit, stdout } = await skyctl(`${line} --compute-id 9002 --dry-run --json`, { stdin })
      expect({ exit, stdout }).toMatchObject({ exit: 0, stdout: expect.stringContaining('"203.0.113.9"') })
    }
    expect((await skyctl(`ips list --filter address=${address} -q`)).stdout).toBe('203.0.113.9\n')
  })
})

test('stored rules with mapped addresses mean the IPv4 addresses, and are printed as stored', async ({
  skyctl,
  world,
}) => {
  arrange(world, rule({ label: 'ssh', ipv4: [], ipv6: ['::ffff:203.0.113.9/128'] }))
  const { stdout } = await skyctl('firewalls rules list edge')
  expect(stdout).toContain('::ffff:203.0.113.9')
  expect((await skyctl('firewalls test edge --protocol tcp --port 22 --from 203.0.113.9 --expect accept')).exit).toBe(0)
  const line =
    'firewalls rules add edge inbound --action accept --protocol tcp --port 22 --from 203.0.113.9 --if-absent'
  expect((await skyctl(line)).exit).toBe(0)
  expect(puts(world)).toBe(0)
})
