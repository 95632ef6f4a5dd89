/** `rules update FIREWALL inbound RULE` changes fields of one rule; all others stay as the service sent them. */
import { describe, expect } from 'vitest'
import type { FirewallRule } from '../src/catalogue/firewall-rules'
import { dns, ssh, web } from './support/firewall-rules'
import { type Fixtures, test } from './support/skyctl'

type World = Fixtures['world']

const office = {
  action: 'ACCEPT',
  protocol: 'TCP',
  ports: '22',
  addresses: { ipv4: ['198.51.100.0/24'], ipv6: ['2001:db8::/32'] },
  label: 'office',
  description: 'Office',
}
const ntp = { action: 'DROP', protocol: 'UDP', ports: '123', addresses: { ipv4: ['0.0.0.0/0'] }, label: 'ntp' }
const original = { inbound: [web, office, dns], inbound_policy: 'DROP', outbound: [ntp], outbound_policy: 'ACCEPT' }

const id = 9100
const arrange = ({ network }: World, rules: object = original) =>
  void network.firewall({ id, label: 'edge', rules: rules as never })
const current = ({ network }: World) => network.firewalls.get(id)?.rules
const bodies = (world: World) => world.requests('PUT').map(({ body }) => body)
const update = 'firewalls rules update edge inbound'

describe('one field of one rule', () => {
  test.for<[string, Partial<Record<keyof FirewallRule, unknown>>]>([
    ['--action drop', { action: 'DROP' }],
    ['--protocol udp', { protocol: 'UDP' }],
    ['--port 22,2222', { ports: '22,2222' }],
    ['--from 203.0.113.0/24', { addresses: { ipv4: ['203.0.113.0/24'] } }],
    ['--from 203.0.113.9,2001:db8:f::/48', { addresses: { ipv4: ['203.0.113.9/32'], ipv6: ['2001:db8:f::/48'] } }],
    ['--label branch', { label: 'branch' }],
    ['--description Branch', { description: 'Branch' }],
  ])('changes alone: %s', async ([flags, fields], { skyctl, world }) => {
    for (const name of ['label:office', 'office', 'match:tcp/22', 'match:tcp@2001:db8::/32,198.51.100.0/24']) {
      arrange(world)
      const { exit, stderr } = await skyctl(`${update} ${name} ${flags} --yes`)
      const line = flags.startsWith('--label') ? 'inbound 2: label office -> branch' : 'inbound 2 "office": '
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.stringContaining(`changed  ${line}`) })
      expect(current(world)).toEqual({ ...original, inbound: [web, { ...office, ...fields }, dns] })
    }
  })

  test('changes in an outbound rule with --to', async ({ skyctl, world }) => {
    arrange(world)
    expect(await skyctl('firewalls rules update edge outbound ntp --to 192.0.2.0/24')).toMatchObject({ exit: 0 })
    const outbound = [{ ...ntp, addresses: { ipv4: ['192.0.2.0/24'] } }]
    expect(current(world)).toEqual({ ...original, outbound })
  })

  test('changes by the number of the rule with the hash of its rules', async ({ skyctl, world }) => {
    arrange(world)
    expect(await skyctl(`${update} 2 --port 2222 --yes`)).toMatchObject({ exit: 2 })
    const hash = (await skyctl('firewalls rules list edge --hash')).stdout.trim()
    expect(await skyctl(`${update} 2 --port 2222 --if-match ${hash} --yes`)).toMatchObject({ exit: 0 })
    expect(current(world)?.inbound[1]).toEqual({ ...office, ports: '2222' })
  })

  test('is removed by an empty text', async ({ skyctl, world }) => {
    arrange(world)
    const line = [...`${update} office --yes`.split(' '), '--port', '', '--label', '', '--description', '']
    expect(await skyctl(line)).toMatchObject({ exit: 0 })
    const { action, protocol, addresses } = office
    expect(current(world)?.inbound[1]).toEqual({ action, protocol, addresses })
  })

  test('that is so already sends nothing', async ({ skyctl, world }) => {
    arrange(world)
    const { exit, stderr } = await skyctl(`${update} office --port 22 --from 2001:db8::/32,198.51.100.0/24`)
    expect({ exit, stderr, sent: bodies(world) }).toEqual({ exit: 0, stderr: 'No changes\n', sent: [] })
  })
})

describe('a change of one rule', () => {
  test('sends what --dry-run printed', async ({ skyctl, world }) => {
    arrange(world)
    const line = `${update} office --action drop --protocol udp --port 53 --from 192.0.2.0/24 --label branch`
    const preview = await skyctl(`${line} --dry-run --json`)
    expect({ exit: preview.exit, sent: bodies(world) }).toEqual({ exit: 0, sent: [] })
    const { exit } = await skyctl(`${line} --yes`)
    expect({ exit, sent: bodies(world) }).toEqual({ exit: 0, sent: [JSON.parse(preview.stdout).body] })
  })

  test('prints the rules of the firewall with --json', async ({ skyctl, world }) => {
    arrange(world)
    const { exit, stdout } = await skyctl(`${update} office --label branch --json`)
    expect({ exit, rules: JSON.parse(stdout) }).toEqual({ exit: 0, rules: current(world) })
  })

  test('asks only if it blocks traffic', async ({ skyctl, world }) => {
    arrange(world)
    expect(await skyctl(`${update} office --port 22,2222`)).toMatchObject({ exit: 0 })
    world.compute({ id: 9001, label: 'app-1' })
    world.network.device(id, 'compute', 9001)
    const { exit, stderr } = await skyctl(`${update} office --port 2222`)
    expect({ exit, puts: bodies(world).length }).toEqual({ exit: 2, puts: 1 })
    expect(stderr).toContain('newly blocked at app-1: tcp/22 from 198.51.100.0/24, 2001:db8::/32\n')
  })

  test('is refused if it blocks traffic that must stay open', async ({ skyctl, world }) => {
    arrange(world)
    world.compute({ id: 9001, label: 'app-1' })
    world.network.device(id, 'compute', 9001)
    const line = `${update} match:tcp/22 --from 203.0.113.0/24 --keep-open tcp/22@198.51.100.7 --yes`
    const { exit, stderr } = await skyctl(line)
    expect({ exit, sent: bodies(world) }).toEqual({ exit: 6, sent: [] })
    expect(stderr).toContain('--keep-open: tcp/22 from 198.51.100.7 would be blocked at app-1; nothing was sent')
  })

  test('is restored if the command of --keep-if fails', async ({ skyctl, world }) => {
    arrange(world)
    const { exit } = await skyctl(`${update} office --port 2222 --yes --confirm-within 1s --keep-if false`)
    expect({ exit, now: current(world), puts: bodies(world).length }).toEqual({ exit: 6, now: original, puts: 2 })
  })

  test.for(['firewalls rules undo edge --yes', 'history undo 1 --yes'])(
    'is undone by %s',
    async (undo, { skyctl, world }) => {
      arrange(world)
      await skyctl(`${update} office --port 2222 --from 192.0.2.0/24 --label branch --yes`)
      expect(current(world)).not.toEqual(original)
      expect(await skyctl(undo)).toMatchObject({ exit: 0 })
      expect(current(world)).toEqual(original)
    },
  )

  test.for(['answer lost', 'request lost'] as const)(
    'is sent again only if it was not made: %s',
    async (fate, { skyctl, world, lossy }) => {
      arrange(world)
      lossy.lose('PUT', `/networking/firewalls/${id}/rules`, fate)
      const { exit } = await skyctl(`${update} office --port 2222 --yes`)
      expect({ exit, puts: bodies(world).length, inbound: current(world)?.inbound }).toEqual({
        exit: 0,
        puts: 1,
        inbound: [web, { ...office, ports: '2222' }, dns],
      })
    },
  )
})

describe('a name of no rule or several rules', () => {
  test('of none ends with exit code 5 and the existing rules', async ({ skyctl, world }) => {
    arrange(world)
    const { exit, stderr } = await skyctl(`${update} label:ofice --port 2222`)
    expect({ exit, sent: bodies(world) }).toEqual({ exit: 5, sent: [] })
    expect(stderr).toContain('Did you mean "office"? There are 1 (ACCEPT TCP 443 "web" from 203.0.113.0/24), 2 (')
  })

  test('of several ends with exit code 6 and these rules', async ({ skyctl, world }) => {
    arrange(world, { ...original, inbound: [ssh, office] })
    const { exit, stderr } = await skyctl(`${update} match:tcp/22 --port 2222`)
    expect({ exit, sent: bodies(world) }).toEqual({ exit: 6, sent: [] })
    expect(stderr).toContain('2 inbound rules of firewall "edge" (9100) match "tcp/22": 1 (ACCEPT TCP 22 "ssh"')
  })
})

describe('other changes at the same time', () => {
  /** Calls a function once, after the first answer to this method. */
  const onceAfter = (method: string, act: () => void) => {
    let isDone = false
    return {
      after(passing: { method: string; path: string }) {
        if (isDone || passing.method !== method || !passing.path.endsWith('/rules')) return
        isDone = true
        act()
      },
    }
  }
  const changed = { ...office, ports: '2222' }

  test.for(['GET', 'PUT'])(
    'are kept if they happen after the first %s',
    async (method, { skyctl, world, meanwhile }) => {
      arrange(world)
      await meanwhile(onceAfter(method, () => arrange(world, { ...original, inbound: [ssh, dns, web, office] })))
      const { exit, stderr } = await skyctl(`${update} office --port 2222 --yes`)
      expect({ exit, inbound: current(world)?.inbound }).toEqual({ exit: 0, inbound: [ssh, dns, web, changed] })
      expect(stderr).toContain('meanwhile; skyctl keeps these changes:\n')
    },
  )

  test('of the same rule end with exit code 6', async ({ skyctl, world, meanwhile }) => {
    arrange(world)
    const theirs = { ...original, inbound: [web, { ...office, action: 'DROP' }, dns] }
    await meanwhile(onceAfter('GET', () => arrange(world, theirs)))
    const { exit, stderr } = await skyctl(`${update} office --port 2222 --yes`)
    expect({ exit, now: current(world), sent: bodies(world) }).toEqual({ exit: 6, now: theirs, sent: [] })
    expect(stderr).toContain('inbound rule office of firewall "edge" (9100) was changed meanwhile')
  })

  test('that removed the rule end with exit code 5', async ({ skyctl, world, meanwhile }) => {
    arrange(world)
    await meanwhile(onceAfter('GET', () => arrange(world, { ...original, inbound: [web, dns] })))
    const { exit } = await skyctl(`${update} office --port 2222 --yes`)
    expect({ exit, sent: bodies(world) }).toEqual({ exit: 5, sent: [] })
  })

  test('make a change by number fail with exit code 6', async ({ skyctl, world, meanwhile }) => {
    arrange(world)
    const hash = (await skyctl('firewalls rules list edge --hash')).stdout.trim()
    await meanwhile(onceAfter('GET', () => arrange(world, { ...original, inbound: [ssh, ...original.inbound] })))
    const { exit } = await skyctl(`${update} 2 --port 2222 --if-match ${hash} --yes`)
    expect({ exit, sent: bodies(world) }).toEqual({ exit: 6, sent: [] })
  })
})

describe('a wrong line', () => {
  test.for<[string, string]>([
    [
      'edge --from 192.0.2.0/24',
      '--from changes one rule, and none is named. For example: skyctl firewalls rules update',
    ],
    [
      'edge --to 192.0.2.0/24',
      '--to changes one rule, and none is named. Write outbound and the rule after the firewall',
    ],
    [
      'edge --port 22 --file rules.yaml',
      '--file is for all rules, and --port changes one. Leave out --file, or --port',
    ],
    [
      'edge inbound ssh --port 22 --inbound-policy drop',
      '--inbound-policy is for all rules, and "inbound ssh" is one. Leave out --inbound-policy, or the direction and the rule',
    ],
    [
      'edge inbound --port 22',
      'no inbound rule is named. For example: skyctl firewalls rules update edge inbound match:tcp',
    ],
    ['edge inbound ssh', 'nothing to change. Pass --action, --protocol, --port, --from, --label or --description'],
    [
      'edge ssh --port 22',
      'the direction of rule "ssh" is missing. Write skyctl firewalls rules update edge inbound ssh --port 22',
    ],
    ['edge inbound ssh --to 192.0.2.0/24', '--to cannot be used for inbound rules'],
    [
      'edge inbound ssh --port 99999 --label a',
      '--port: "99999" is out of range: ports are 1 to 65535; --label: must be',
    ],
    ['edge inbound ssh --action=', '--action: must be one of: ACCEPT, DROP'],
    ['edge inbound ssh --protocol icmp --port 22', '--port: only TCP and UDP have ports'],
    ['edge inbound ssh --at 1', 'To move a rule: skyctl firewalls rules move edge inbound RULE --at 1'],
    ['edge --inbound []', 'Write the rules to a file: skyctl firewalls rules update edge --file rules.yaml'],
    ['edge rules.yaml', 'unexpected argument "rules.yaml". Did you mean --file rules.yaml?'],
  ])('is refused before any request: %s', async ([words, message], { skyctl, world }) => {
    const { exit, stderr } = await skyctl(`firewalls rules update ${words}`)
    expect({ exit, stderr, sent: world.requests() }).toEqual({
      exit: 2,
      stderr: expect.stringContaining(message),
      sent: [],
    })
  })

  test('has a protocol without ports for a rule that keeps its ports', async ({ skyctl, world }) => {
    arrange(world)
    const { exit, stderr } = await skyctl(`${update} office --protocol icmp --yes`)
    expect({ exit, stderr, sent: bodies(world) }).toEqual({
      exit: 2,
      stderr:
        "skyctl: the rule has ports, and only TCP and UDP have ports. To remove them from the rule, add --port ''\n",
      sent: [],
    })
  })
})
