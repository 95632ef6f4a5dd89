/** Rules of other clients: null lists, and protocols that api.md does not document (gaps.md, Null lists in answers). */
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { test } from './support/skyctl'

const all = { action: 'ACCEPT', protocol: 'ALL', addresses: { ipv4: ['203.0.113.0/24'], ipv6: null }, label: 'office' }
const numbered = { action: 'DROP', protocol: 47, addresses: { ipv4: ['198.51.100.0/24'] } }
const ssh = { action: 'ACCEPT', protocol: 'TCP', ports: '22', addresses: { ipv4: ['0.0.0.0/0'] }, label: 'ssh' }
const foreign = { inbound: [all, numbered, ssh], inbound_policy: 'DROP', outbound: null, outbound_policy: 'ACCEPT' }

/** Starts a service with one firewall that accepts and returns any rules. */
async function service(rules: object = foreign) {
  const state = { rules, writes: [] as unknown[] }
  const firewall = () => ({ id: 7, label: 'edge', status: 'enabled', tags: [], created: time, updated: time, ...state })
  const time = '2026-01-02T03:04:05'
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (request.method === 'PUT') {
      state.rules = JSON.parse(Buffer.concat(chunks).toString())
      state.writes.push(state.rules)
    }
    const { url = '' } = request
    const answer = /\/rules$/.test(url) ? state.rules : /\/devices/.test(url) ? pageOf([]) : firewall()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(/firewalls(\?|$)/.test(url) ? pageOf([firewall()]) : answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  return { state, env: { SKYCTL_BASE_URL: `http://127.0.0.1:${port}/v4` } }
}

const pageOf = (data: unknown[]) => ({ data, page: 1, pages: 1, results: data.length })

describe('rules that api.md does not document', () => {
  test.for<[string, string]>([
    ['firewalls rules list edge', 'ACCEPT ALL "office"'],
    ['firewalls view edge', 'DROP 47'],
    ['firewalls list --columns label,rules.outbound_policy', 'ACCEPT, 0 rules'],
    ['firewalls rules list edge -o csv', 'inbound,2,DROP,47,'],
  ])('are printed by %s', async ([line, shown], { skyctl }) => {
    const { env } = await service()
    for (const columns of [80, 40]) {
      const { exit, stdout, stderr } = await skyctl(line, { env: { ...env, NO_COLOR: '1' }, columns })
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(shown)
    }
  })

  test.for(['--json', '-o yaml', '-o ndjson'])(
    'have an empty list instead of null with %s',
    async (format, { skyctl }) => {
      const { env } = await service()
      const { stdout } = await skyctl(`firewalls rules list edge ${format}`, { env })
      expect(stdout).toMatch(/"?outbound"?: ?\[\]/)
    },
  )

  const { ipv6: _, ...addresses } = all.addresses
  const keptRules = [{ ...all, addresses }, numbered]
  test.for<[string, unknown[]]>([
    ['add edge inbound --action drop --protocol icmp --from 192.0.2.0/24', [...keptRules, ssh, expect.anything()]],
    ['remove edge inbound label:ssh --yes', keptRules],
    ['move edge inbound match:tcp/22 --at 1', [ssh, ...keptRules]],
    ['update edge --inbound-policy accept --yes', [...keptRules, ssh]],
    ['update edge inbound label:ssh --label web', [...keptRules, { ...ssh, label: 'web' }]],
    ['update edge inbound label:office --label web', [{ ...all, addresses, label: 'web' }, numbered, ssh]],
    [
      'update edge inbound match:47 --from 192.0.2.0/24 --yes',
      [keptRules[0], { ...numbered, addresses: { ipv4: ['192.0.2.0/24'] } }, ssh],
    ],
    ['edit edge --yes', [...keptRules, { ...ssh, ports: '2222' }]],
    ['remove edge inbound match:all --yes', [numbered, ssh]],
    ['remove edge inbound match:47@198.51.100.0/24 --yes', [keptRules[0], ssh]],
  ])('are sent back unchanged by rules %s', async ([line, inbound], { skyctl }) => {
    const { env, state } = await service()
    const { exit, stderr } = await skyctl(`firewalls rules ${line}`, {
      env: { ...env, EDITOR: 'sed -i s/22/2222/' },
    })
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.stringContaining('Updated the rules') })
    expect(state.writes).toEqual([expect.objectContaining({ inbound, outbound: [] })])
  })

  test('are sent back unchanged by rules undo', async ({ skyctl }) => {
    const { env, state } = await service()
    await skyctl('firewalls rules remove edge inbound label:office --yes', { env })
    const { exit, stderr } = await skyctl('firewalls rules undo edge --yes', { env })
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.stringContaining('added    inbound 1: ACCEPT ALL') })
    expect(state.writes.at(-1)).toEqual({ ...foreign, inbound: [...keptRules, ssh], outbound: [] })
  })

  test('are compared field by field by rules diff, with null as an empty list', async ({ skyctl, home }) => {
    const { env } = await service()
    const path = join(home, 'rules.json')
    writeFileSync(path, JSON.stringify({ ...foreign, inbound: [ssh], outbound: [] }))
    const line = ['firewalls', 'rules', 'diff', 'edge', '--file', path]
    expect(await skyctl(line, { env })).toEqual({
      exit: 0,
      stdout: [
        'removed  inbound 1: ACCEPT ALL "office" from 203.0.113.0/24 [unknown effect]',
        'removed  inbound 2: DROP 47 from 198.51.100.0/24 [unknown effect]',
        'unknown effect, because a rule cannot be judged, at the services of firewall "edge" (7): ' +
          'tcp/22 from 198.51.100.0/24; tcp (but 22), udp, icmp, ipencap, other protocols from 203.0.113.0/24',
        'The firewall protects nothing yet\n',
      ].join('\n'),
      stderr: expect.not.stringContaining('outbound'),
    })
  })

  test('have an unknown effect if one is replaced by another that cannot be judged either', async ({
    skyctl,
    home,
  }) => {
    const path = join(home, 'rules.json')
    const diff = async (protocol: unknown) => {
      const { env } = await service({ ...foreign, inbound: [all, ssh] })
      writeFileSync(path, JSON.stringify({ ...foreign, inbound: [{ ...all, protocol }, ssh], outbound: [] }))
      return (await skyctl(['firewalls', 'rules', 'diff', 'edge', '--no-validate', '--file', path], { env })).stdout
    }
    expect(await diff(47)).toContain('unknown effect, because a rule cannot be judged')
    expect(await diff('ALL')).not.toContain('unknown effect')
  })

  test.for([
    'add edge outbound --action drop --protocol icmp --to 192.0.2.0/24',
    'remove edge outbound label:x --if-present --yes',
  ])('have null as an empty list for rules %s', async (line, { skyctl }) => {
    const { env, state } = await service()
    const { exit } = await skyctl(`firewalls rules ${line}`, { env })
    const sent = state.writes.map((body) => (body as { outbound: unknown[] }).outbound.length)
    expect({ exit, sent }).toEqual({ exit: 0, sent: line.startsWith('add') ? [1] : [] })
  })

  test.for<[string, number]>([
    ['remove edge outbound label:x --yes', 5],
    ['move edge outbound label:x --at 1', 5],
  ])('have no rule in a null list for rules %s', async ([line, code], { skyctl }) => {
    const { env } = await service()
    const { exit, stderr } = await skyctl(`firewalls rules ${line}`, { env })
    expect({ exit, stderr }).toEqual({ exit: code, stderr: expect.stringContaining('There is none') })
  })

  test('have the same hash with null and an empty list', async ({ skyctl }) => {
    const line = 'firewalls rules list edge --hash'
    const hashes = await Promise.all(
      [foreign, { ...foreign, outbound: [] }].map(async (rules) => (await skyctl(line, await service(rules))).stdout),
    )
    expect(new Set(hashes).size).toBe(1)
  })

  test('have no difference to the output of rules list', async ({ skyctl, home }) => {
    const { env } = await service()
    const path = join(home, 'rules.yaml')
    writeFileSync(path, (await skyctl('firewalls rules list edge -o yaml', { env })).stdout)
    expect(readFileSync(path, 'utf8')).toContain('protocol: 47')
    const { exit, stderr } = await skyctl(['firewalls', 'rules', 'diff', 'edge', '--exit-code', '--file', path], {
      env,
    })
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.stringContaining('(7) do not differ\n') })
  })

  test('can have null instead of an empty list in a file', async ({ skyctl, home }) => {
    const { state, env } = await service({ ...foreign, inbound: [ssh], outbound: [ssh] })
    const file = join(home, 'rules.json')
    writeFileSync(file, JSON.stringify({ ...foreign, inbound: [ssh] }))
    expect(await skyctl(`firewalls rules update edge --file ${file} --yes`, { env })).toMatchObject({ exit: 0 })
    expect(state.writes).toEqual([expect.objectContaining({ outbound: [] })])
  })

  test('can lack addresses and all lists', async ({ skyctl }) => {
    const { env } = await service({
      inbound: [{ action: 'DROP', protocol: 'ALL', addresses: null }],
      inbound_policy: 'DROP',
      outbound: null,
      outbound_policy: 'DROP',
    })
    const { exit, stdout } = await skyctl('firewalls rules list edge', { env })
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringContaining('DROP ALL\n      from nowhere') })
  })

  test('are an invalid response if a list is a text', async ({ skyctl }) => {
    const { env } = await service({ inbound: 'none' })
    const { exit, stderr } = await skyctl('firewalls rules list edge', { env })
    expect({ exit, stderr }).toEqual({
      exit: 1,
      stderr: expect.stringContaining('rules.inbound is a text, not a list'),
    })
  })
})

describe('firewalls test with a rule of an undocumented protocol', () => {
  const line = 'firewalls test edge --protocol tcp --port 22 --from'

  test('prints UNKNOWN if that rule could decide', async ({ skyctl }) => {
    const { env } = await service()
    expect(await skyctl(`${line} 203.0.113.9`, { env })).toEqual({
      exit: 0,
      stdout:
        'UNKNOWN inbound TCP 22 from 203.0.113.9: rule 1 cannot be judged: the API does not document what protocol ALL matches\n',
      stderr: '',
    })
    const { stdout } = await skyctl(`${line} 198.51.100.9 --json`, { env })
    expect(JSON.parse(stdout)).toMatchObject({ action: null, by: 'unknown', number: 2, rule: numbered })
  })

  test.for(['accept', 'drop'])('fails with --expect %s', async (action, { skyctl }) => {
    const { env } = await service()
    expect((await skyctl(`${line} 203.0.113.9 --expect ${action}`, { env })).exit).toBe(13)
  })

  test('fails in a file of cases, too', async ({ skyctl, home }) => {
    const path = join(home, 'cases.yaml')
    writeFileSync(path, '- {protocol: tcp, port: 22, from: 203.0.113.9, expect: accept}\n')
    const { env } = await service()
    expect((await skyctl(['firewalls', 'test', 'edge', '--cases', path], { env })).exit).toBe(13)
  })
})

describe('a rule with a prefix list', () => {
  const listed = (ipv4: string[]) => ({ ...ssh, addresses: { ipv4 }, label: 'cdn' })
  const only = { ...foreign, inbound: [listed(['pl:system:cdn'])] }
  const mixed = { ...foreign, inbound: [listed(['203.0.113.0/24', 'pl:system:cdn'])] }
  const reason = '"pl:system:cdn" is neither an address nor a network'
  const line = 'firewalls test edge --protocol tcp --port 22 --from'

  test.for(['accept', 'drop'])(
    'is not judged by firewalls test, with 13 for --expect %s',
    async (action, { skyctl }) => {
      const { env } = await service(only)
      expect(await skyctl(`${line} 203.0.113.9 --expect ${action}`, { env })).toEqual({
        exit: 13,
        stdout: expect.stringContaining(`UNKNOWN inbound TCP 22 from 203.0.113.9: rule 1 cannot be judged: ${reason}`),
        stderr: expect.stringContaining('1 of 1 verdicts are not as expected'),
      })
      const { stdout } = await skyctl(`${line} 203.0.113.9 --json`, { env })
      expect(JSON.parse(stdout)).toMatchObject({ action: null, by: 'unknown', number: 1, reason })
    },
  )

  test('decides about its networks, and its ports and family alone are uncertain', async ({ skyctl }) => {
    const { env } = await service(mixed)
    expect((await skyctl(`${line} 203.0.113.9 --expect accept`, { env })).exit).toBe(0)
    expect((await skyctl(`${line} 198.51.100.9 --expect drop`, { env })).exit).toBe(13)
    expect((await skyctl(`${line} 2001:db8::9 --expect drop`, { env })).exit).toBe(0)
    const other = line.replace('22', '23')
    expect((await skyctl(`${other} 198.51.100.9 --expect drop`, { env })).exit).toBe(0)
  })

  test('is not judged in the picture of firewalls view', async ({ skyctl }) => {
    const { env } = await service(mixed)
    const { stdout } = await skyctl('firewalls view edge', { env: { ...env, NO_COLOR: '1' }, columns: 120 })
    const words = stdout.replaceAll(/\s+/g, ' ')
    expect(words).toContain('tcp/22 203.0.113.0/24')
    expect(words).toContain('tcp/22 not judged: any IPv4 address but 203.0.113.0/24')
    expect(words).toContain(`Rule 1 "cdn" cannot be judged: ${reason}`)
  })

  test('has an unknown effect in rules diff', async ({ skyctl, home }) => {
    const { env } = await service(only)
    const path = join(home, 'rules.json')
    writeFileSync(path, JSON.stringify({ ...foreign, inbound: [], outbound: [] }))
    const { stdout } = await skyctl(['firewalls', 'rules', 'diff', 'edge', '--file', path], { env })
    expect(stdout).toContain('removed  inbound 1: ACCEPT TCP 22 "cdn" from pl:system:cdn [unknown effect]')
    expect(stdout).toContain('unknown effect, because a rule cannot be judged, at the services of firewall "edge" (7)')
  })

  test.for([
    ['--port 2222', { ports: '2222' }],
    ['--from 192.0.2.0/24', { addresses: { ipv4: ['192.0.2.0/24'], tags: ['cdn'] } }],
  ] as const)(
    'keeps it, and what api.md does not name, if another field changes: %s',
    async ([flags, fields], { skyctl }) => {
      const [cdn] = mixed.inbound
      const foreignRule = { ...cdn, addresses: { ...cdn?.addresses, tags: ['cdn'] }, origin: 'import' }
      const { env, state } = await service({ ...mixed, inbound: [foreignRule, ssh] })
      const { exit, stderr } = await skyctl(`firewalls rules update edge inbound label:cdn ${flags} --yes`, { env })
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.stringContaining('Updated the rules') })
      expect(state.writes).toEqual([expect.objectContaining({ inbound: [{ ...foreignRule, ...fields }, ssh] })])
    },
  )

  test('does not prove to --keep-open that access stays', async ({ skyctl }) => {
    const { env } = await service({ ...only, inbound: [...only.inbound, { ...ssh, label: 'all' }] })
    const remove = 'firewalls rules remove edge inbound label:all --yes --keep-open tcp/22@198.51.100.7'
    const { exit, stderr } = await skyctl(remove, { env })
    expect({ exit, stderr }).toEqual({
      exit: 6,
      stderr: expect.stringContaining('skyctl cannot tell whether tcp/22 from 198.51.100.7 would be allowed'),
    })
  })
})
