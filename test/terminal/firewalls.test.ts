/** Firewalls on a terminal: rules are replaced, edited and tested. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { sandboxToken } from '../../src/sandbox/secrets'
import { dns, rule, ruleSet, ssh, web } from '../support/firewall-rules'
import { keys, test } from '../support/terminal'

const noRules = JSON.stringify({ inbound: [] })

describe('firewalls rules update', () => {
  test.for([
    ['y', 0, 0],
    ['', 6, 1],
  ] as const)(
    'shows the difference and asks: "%s" ends with exit code %i',
    async ([answer, exit, left], { terminal, world, home }) => {
      writeFileSync(join(home, 'rules.json'), noRules)
      const { until, type, end } = terminal(`firewalls rules update web-strict --file ${join(home, 'rules.json')}`)
      const screen = await until('(y/N)')
      expect(screen.join(' ').replaceAll(/\s+/g, ' ')).toContain('Replace the rules of firewall "web-strict" (4002)?')
      expect(screen).toContain('removed  inbound 1: ACCEPT TCP 443 "accept-http" from 0.0.0.0/0, ::/0')
      type(answer + keys.enter)
      expect((await end).exit).toBe(exit)
      expect(world.network.firewalls.get(4002)?.rules.inbound).toHaveLength(left)
    },
  )
})

describe('An assignment of an instance that another firewall protects', () => {
  const step = 'skyctl firewalls devices delete 4001 --compute-id 1001'
  const textOf = (screen: readonly string[]) => screen.join(' ').replaceAll(/\s+/g, ' ')

  test('fails with the next step, before anything is previewed and asked', async ({ terminal, skyctl, world }) => {
    const { exit, screen } = await terminal('firewalls devices add spare --compute-id web-1').end
    expect({ exit, text: textOf(screen) }).toEqual({
      exit: 6,
      text: expect.stringMatching(/^skyctl: compute 1001 is protected by firewall "web" \(4001\)/),
    })
    expect(textOf(screen)).toContain(step)
    expect(world.requests('POST')).toEqual([])
    expect(await skyctl(`${step.slice('skyctl '.length)} --yes`)).toMatchObject({ exit: 0 })
    expect(await skyctl('firewalls devices add spare --compute-id web-1 --yes')).toMatchObject({ exit: 0 })
  })

  test('is left out of the question about others', async ({ terminal, world }) => {
    const { until, type, end } = terminal('firewalls devices add spare --compute-id 1001,1004')
    const text = textOf(await until('(y/N)'))
    expect(text).toContain('1 of 2 will not be assigned: compute 1001 is protected by firewall "web" (4001)')
    expect(text).toContain(step)
    expect(text).toContain('Assign firewall "spare" (4005) to compute 1004?')
    type(`y${keys.enter}`)
    expect((await end).exit).toBe(9)
    expect(world.network.devicesOf(4005)).toMatchObject([{ entity: 1004 }])
  })

  test('is made if the assigned firewall is disabled', async ({ terminal, skyctl, world }) => {
    await skyctl('firewalls disable spare --yes')
    expect((await terminal('firewalls devices add spare --compute-id 1001').end).exit).toBe(0)
    expect(world.network.devicesOf(4005)).toMatchObject([{ entity: 1001 }])
  })
})

test('A change with --yes is shown on narrow terminals and for the sandbox too', async ({ terminal }) => {
  const { end } = terminal('--context sandbox firewalls rules remove web inbound label:accept-ping --yes', {
    columns: 40,
    env: { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined },
  })
  const { exit, screen } = await end
  expect({ exit, screen: screen.slice(0, 3) }).toEqual({
    exit: 0,
    screen: ['removed  inbound 3: ACCEPT ICMP', '         "accept-ping" from 0.0.0.0/0,', '         ::/0'],
  })
})

test('A dry run on a terminal ends with the difference and the place of the request, with -v with all of it', async ({
  terminal,
  skyctl,
}) => {
  const line = 'firewalls rules update web inbound label:accept-ssh --from 203.0.113.0/24 --dry-run'
  const { screen } = await terminal(line, { columns: 80 }).end
  expect(screen).toEqual([
    'changed  inbound 2 "accept-ssh": addresses.ipv6 -2001:db8:f::/48',
    'newly blocked at web-1, web-2, front-1: tcp/22 from 2001:db8:f::/48',
    'method: PUT',
    'path: /networking/firewalls/4001/rules',
    'Nothing was sent. To print the body of the request, add -v',
  ])
  const whole = await terminal(`${line} -v`, { columns: 80, rows: 60 }).end
  expect(whole.screen.join('\n')).toContain('inbound_policy: DROP')
  expect((await skyctl(line)).stdout).toContain('inbound_policy: DROP')
})

describe('Newly blocked traffic', () => {
  test('is shown between the difference and the question', async ({ terminal, world }) => {
    const { until, type, end } = terminal('firewalls rules remove web inbound label:accept-ssh')
    const screen = (await until('(y/N)')).join(' ').replaceAll(/\s+/g, ' ')
    const lines = ['removed inbound 2', 'newly blocked at web-1, web-2, front-1: tcp/22 from', 'Remove inbound rule']
    const positions = lines.map((line) => screen.indexOf(line))
    expect(positions).not.toContain(-1)
    expect(positions).toEqual([...positions].sort((a, b) => a - b))
    type(`n${keys.enter}`)
    expect((await end).exit).toBe(6)
    expect(world.network.firewalls.get(4001)?.rules.inbound).toHaveLength(3)
  })
})

describe('A firewall with 25 rules and 255 addresses', () => {
  const addresses = Array.from({ length: 255 }, (_, index) => `203.0.113.${index}/32`)
  const full = Array.from({ length: 25 }, (_, index) => ({
    action: 'ACCEPT',
    protocol: 'TCP',
    ports: `${8000 + index}`,
    addresses: { ipv4: index === 12 ? addresses : ['192.0.2.0/24'] },
    label: `rule-${index + 1}`,
  }))
  const rules = { inbound: full, inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' }
  const EDITOR = 'sed -i s,203.0.113.254/32,198.51.100.7/32,'

  test.for([80, 40])('loses nothing in an edit: %i columns', async (columns, { terminal, world }) => {
    const { id } = world.network.firewall({ label: 'edge', rules })
    const { until, type, end } = terminal('firewalls rules edit edge', { columns, env: { EDITOR } })
    const screen = await until('(y/N)')
    const shown = screen.join(' ').replaceAll(/\s+/g, ' ')
    expect(shown).toContain('Replace the rules of firewall "edge"')
    expect(shown).toContain('changed inbound 13 "rule-13": addresses.ipv4 -203.0.113.254/32 +198.51.100.7/32')
    expect(shown.match(/(added|removed|moved|changed|policy) /g)).toEqual(['changed '])
    type(`y${keys.enter}`)
    expect((await end).exit).toBe(0)
    const after = structuredClone(rules)
    after.inbound[12]?.addresses.ipv4.splice(-1, 1, '198.51.100.7/32')
    expect(world.network.firewalls.get(id)?.rules).toEqual(after)
  })

  test.for([80, 40])('is printed completely: %i columns', async (columns, { terminal, world }) => {
    world.network.firewall({ label: 'edge', rules })
    const { exit, screen } = await terminal('firewalls view edge', { columns, env: { NO_COLOR: '1' } }).end
    expect(exit).toBe(0)
    const shown = screen.join(' ').replaceAll(/\s+/g, ' ')
    expect(shown).toContain(`from ${addresses.join(', ')} 14 ACCEPT`)
    for (const { label } of full) expect(shown).toContain(`"${label}"`)
  })

  test.for([80, 40])('is tested up to its last address: %i columns', async (columns, { terminal, world }) => {
    world.network.firewall({ label: 'edge', rules })
    const line = 'firewalls test edge --protocol tcp --port 8012 --from 203.0.113.254 --expect accept'
    const { exit, screen } = await terminal(line, { columns }).end
    expect({ exit, text: screen.map((text) => text.trim()).join(' ') }).toEqual({
      exit: 0,
      text: 'ACCEPT inbound TCP 8012 from 203.0.113.254: rule 13 "rule-13"',
    })
  })
})

describe('A rule chosen by number', () => {
  test.for([
    [
      'remove edge inbound 2',
      'Remove inbound rule 2 (ACCEPT TCP 443 "web" from 203.0.113.0/24) of firewall "edge"',
      [ssh],
    ],
    [
      'move edge inbound 2 --at 1',
      'Move inbound rule 2 (ACCEPT TCP 443 "web" from 203.0.113.0/24) of firewall "edge"',
      [web, ssh],
    ],
    [
      'update edge inbound 2 --label shop',
      'Update inbound rule 2 (ACCEPT TCP 443 "web" from 203.0.113.0/24) of firewall "edge"',
      [ssh, rule('shop', '443')],
    ],
  ] as const)('is shown in the question: %s', async ([line, question, then], { terminal, world }) => {
    world.network.firewall({ id: 9100, label: 'edge', rules: ruleSet(ssh, web) })
    const { until, type, end } = terminal(`firewalls rules ${line}`, { columns: 200 })
    expect((await until('(y/N)')).join(' ')).toContain(question)
    type(`y${keys.enter}`)
    expect((await end).exit).toBe(0)
    expect(world.network.firewalls.get(9100)?.rules.inbound).toEqual(then)
  })

  test.for([
    ['2', 6, [dns, ssh, web]],
    ['label:web', 0, [dns, ssh]],
  ] as const)(
    'is not removed if others change the rules during the question, unlike one chosen by label: %s, exit code %i',
    async ([name, exit, then], { terminal, world }) => {
      world.network.firewall({ id: 9100, label: 'edge', rules: ruleSet(ssh, web) })
      const { until, type, end } = terminal(`firewalls rules remove edge inbound ${name}`)
      await until('(y/N)')
      world.network.firewall({ id: 9100, label: 'edge', rules: ruleSet(dns, ssh, web) })
      type(`y${keys.enter}`)
      expect((await end).exit).toBe(exit)
      expect(world.network.firewalls.get(9100)?.rules.inbound).toEqual(then)
    },
  )
})

describe('firewalls rules edit during changes of somebody else', () => {
  const rules = ruleSet(ssh, web)
  const put = (theirs: object) =>
    `curl -sS -o /dev/null -X PUT -H "Authorization: Bearer ${sandboxToken('owner')}" -H "Content-Type: application/json" -d '${JSON.stringify(Array.isArray(theirs) ? { inbound: theirs } : theirs)}' "$SKYCTL_BASE_URL/networking/firewalls/9100/rules"`

  /** Returns an editor; while it is open for the first time, somebody else changes the rules. */
  function editor(home: string, theirs: object, lines: { first: string; later: string }) {
    const path = join(home, 'editor')
    const first = `touch ${home}/opened; ${put(theirs)}; ${lines.first}`
    writeFileSync(path, `#!/bin/sh\nif [ -e ${home}/opened ]; then\n${lines.later}\nelse\n${first}\nfi\n`, {
      mode: 0o755,
    })
    return { EDITOR: path }
  }
  const flat = (screen: string[]) => screen.join(' ').replaceAll(/\s+/g, ' ')
  const currentRules = (world: { network: { firewalls: { get(id: number): { rules: unknown } | undefined } } }) =>
    world.network.firewalls.get(9100)?.rules

  test.for([80, 40])('shows, merges and sends both changes: %i columns', async (columns, { terminal, world, home }) => {
    world.network.firewall({ id: 9100, label: 'edge', rules })
    const theirs = [rule('ssh', '22'), rule('web', '8443')]
    const env = editor(home, theirs, { first: 'sed -i s/22/2222/ "$1"', later: 'true' })
    const { until, type, end } = terminal('firewalls rules edit edge', { columns, env })
    const shown = flat(await until('(y/N)'))
    expect(shown).toContain(
      'Somebody else changed firewall "edge" (9100) meanwhile: changed inbound 2 "web": ports 443 -> 8443 Your changes on top: changed inbound 1 "ssh": ports 22 -> 2222',
    )
    expect(shown).toContain('with the changes of both?')
    type(`y${keys.enter}`)
    expect((await end).exit).toBe(0)
    expect(currentRules(world)).toEqual({ ...rules, inbound: [rule('ssh', '2222'), rule('web', '8443')] })
  })

  const both = [rule('ssh', '22'), rule('web', '8443'), rule('dns', '53')]

  test('opens the text again with both sides if both changed one rule', async ({ terminal, world, home }) => {
    world.network.firewall({ id: 9100, label: 'edge', rules })
    const later = `cp "$1" ${home}/opened-text; sed -i '/#!/d' "$1"`
    const env = editor(home, both, { first: 'sed -i s/443/9443/ "$1"', later })
    const { until, type, end } = terminal('firewalls rules edit edge', { env })
    await until('with the changes of both?')
    type(`y${keys.enter}`)
    expect((await end).exit).toBe(0)
    expect(currentRules(world)).toEqual({
      ...rules,
      inbound: [rule('ssh', '22'), rule('web', '9443'), rule('dns', '53')],
    })
    expect(readFileSync(join(home, 'opened-text'), 'utf8')).toContain(
      `  #! inbound 2 was: ACCEPT TCP 443 "web" from 203.0.113.0/24
  #! Theirs: ACCEPT TCP 8443 "web" from 203.0.113.0/24
  #! Yours:  ACCEPT TCP 9443 "web" from 203.0.113.0/24
  - action: ACCEPT
`,
    )
  })

  const from = 'addresses: { ipv4: [203.0.113.0/24] }'
  const line = (action: string, label: string, ports: string) =>
    `  - { action: ${action}, protocol: TCP, ports: "${ports}", ${from}, label: ${label} }`
  const anyPort = (network: string) => ({ action: 'ACCEPT', protocol: 'TCP', addresses: { ipv4: [network] } })
  const anyPortLine = (network: string) => `  - { action: ACCEPT, protocol: TCP, addresses: { ipv4: [${network}] } }`
  const text = (policy: string, ...lines: string[]) =>
    ['inbound:', ...lines, `inbound_policy: ${policy}`, 'outbound: []', 'outbound_policy: ACCEPT', ''].join('\n')

  test.for<[conflict: string, base: object, mine: string, theirs: object, expected: string]>([
    [
      'the policy above it',
      { ...rules, inbound_policy: 'LATER' },
      text('DROP', line('ACCEPT', 'ssh', '22'), line('ACCEPT', 'web', '443')),
      { inbound: [ssh, web], inbound_policy: 'ACCEPT' },
      '#! The policy was LATER; theirs is ACCEPT\ninbound_policy: DROP\n',
    ],
    [
      'a removed rule above the first rule',
      ruleSet(ssh, web, dns),
      text('DROP', line('ACCEPT', 'ssh', '22'), line('ACCEPT', 'dns', '53')),
      { inbound: [ssh, rule('web', '8443'), dns] },
      `  #! inbound 2 was: ACCEPT TCP 443 "web" from 203.0.113.0/24
  #! Theirs: ACCEPT TCP 8443 "web" from 203.0.113.0/24
  #! Yours:  removed
${line('ACCEPT', 'ssh', '22')}
`,
    ],
    [
      'an unlabeled rule without ports, which both narrowed',
      ruleSet(web, anyPort('203.0.113.0/24')),
      text('DROP', line('ACCEPT', 'web', '443'), anyPortLine('203.0.113.0/25')),
      { inbound: [web, anyPort('203.0.113.7/32')] },
      `  #! inbound 2 was: ACCEPT TCP all ports from 203.0.113.0/24
  #! Theirs: ACCEPT TCP all ports from 203.0.113.7/32
  #! Yours:  ACCEPT TCP all ports from 203.0.113.0/25
${anyPortLine('203.0.113.0/25')}
`,
    ],
    [
      'the order above the own rule',
      rules,
      text('DROP', line('ACCEPT', 'ssh', '22'), line('ACCEPT', 'web', '443'), line('DROP', 'mine', '53')),
      { inbound: [ssh, web, dns] },
      `  #! The order of these rules is ambiguous: "DROP TCP 53 "mine" from 203.0.113.0/24", "ACCEPT TCP 53 "dns" from 203.0.113.0/24"
${line('DROP', 'mine', '53')}
`,
    ],
  ])('shows both sides of %s', async ([, base, mine, theirs, expected], { terminal, world, home }) => {
    world.network.firewall({ id: 9100, label: 'edge', rules: base as never })
    writeFileSync(join(home, 'mine'), mine)
    const first = `cp ${home}/mine "$1"`
    const env = editor(home, theirs, { first, later: `cp "$1" ${home}/opened-text` })
    const { exit } = await terminal('firewalls rules edit edge', { env }).end
    expect({ exit, text: readFileSync(join(home, 'opened-text'), 'utf8') }).toEqual({
      exit: 6,
      text: expect.stringContaining(expected),
    })
  })

  test('sends nothing and saves the text if the conflict stays', async ({ terminal, world, home }) => {
    world.network.firewall({ id: 9100, label: 'edge', rules })
    const env = editor(home, both, { first: 'sed -i s/443/9443/ "$1"', later: 'true' })
    const { exit, screen } = await terminal('firewalls rules edit edge', { env }).end
    expect({ exit, rules: currentRules(world) }).toEqual({ exit: 6, rules: { ...rules, inbound: both } })
    expect(flat(screen)).not.toContain('rules update')
    const [draft = ''] = readdirSync(join(home, 'state/drafts'))
    expect(readFileSync(join(home, 'state/drafts', draft), 'utf8')).toMatch(/9443/)
  })

  test('saves the text on Ctrl-C at the question, if it was changed', async ({ terminal, world, home }) => {
    world.network.firewall({ id: 9100, label: 'edge', rules })
    const { until, type, end } = terminal('firewalls rules edit edge', { env: { EDITOR: 'sed -i s/443/9443/' } })
    await until('(y/N)')
    type(keys.ctrlC)
    expect((await end).exit).toBe(130)
    expect(readdirSync(join(home, 'state/drafts'))).toHaveLength(1)
    expect((await terminal('firewalls rules edit edge', { env: { EDITOR: 'true' } }).end).exit).toBe(0)
    expect(readdirSync(join(home, 'state/drafts'))).toHaveLength(1)
  })

  test('asks before an undo of later changes of others, with the difference', async ({ terminal, world }) => {
    world.network.firewall({ id: 9100, label: 'edge', rules })
    await terminal('firewalls rules remove edge inbound label:ssh --yes').end
    world.network.firewall({ id: 9100, label: 'edge', rules: { ...rules, inbound: [rule('dns', '53')] } })
    const { until, type, end } = terminal('firewalls rules undo')
    const shown = flat(await until('(y/N)'))
    expect(shown).toContain('Since then, firewall "edge" (9100) was changed by somebody else:')
    expect(shown).toContain('Changes of others since then will be lost.')
    type(`y${keys.enter}`)
    expect((await end).exit).toBe(0)
    expect(currentRules(world)).toEqual(rules)
  })
})
