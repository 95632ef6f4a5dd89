/** Firewalls on a terminal: their rules are replaced, edited and judged by. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { keys, test } from '../support/terminal'

const shut = JSON.stringify({ inbound: [] })

describe('firewalls rules update', () => {
  test.for([
    ['y', 0, 0],
    ['n', 6, 1],
    ['', 6, 1],
  ] as const)(
    'shows the difference and asks; "%s" ends with %i',
    async ([answer, exit, left], { terminal, world, home }) => {
      writeFileSync(join(home, 'rules.json'), shut)
      const { until, type, end } = terminal(`firewalls rules update web-strict --file ${join(home, 'rules.json')}`)
      const screen = await until('Replace the rules of firewall "web-strict" (4002)?')
      expect(screen).toContain('removed  inbound 1: ACCEPT TCP 443 "accept-http" from 0.0.0.0/0, ::/0')
      type(answer + keys.enter)
      expect((await end).exit).toBe(exit)
      expect(world.network.firewalls.get(4002)?.rules.inbound).toHaveLength(left)
    },
  )
})

describe('a firewall of 25 rules and 255 addresses', () => {
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

  test.for([80, 40])('is edited on %i columns, and loses nothing', async (columns, { terminal, world }) => {
    const { id } = world.network.firewall({ label: 'edge', rules })
    const { until, type, end } = terminal('firewalls rules edit edge', { columns, env: { EDITOR } })
    const screen = await until('(y/N)')
    const shown = screen.join(' ').replaceAll(/\s+/g, ' ')
    expect(shown).toContain('Replace the rules of firewall "edge"')
    expect(shown).toContain('changed inbound 13: addresses.ipv4 -203.0.113.254/32 +198.51.100.7/32')
    expect(shown.match(/(added|removed|moved|changed|policy) /g)).toEqual(['changed '])
    type(`y${keys.enter}`)
    expect((await end).exit).toBe(0)
    const after = structuredClone(rules)
    after.inbound[12]?.addresses.ipv4.splice(-1, 1, '198.51.100.7/32')
    expect(world.network.firewalls.get(id)?.rules).toEqual(after)
  })

  test.for([80, 40])('is shown on %i columns whole', async (columns, { terminal, world }) => {
    world.network.firewall({ label: 'edge', rules })
    const { exit, screen } = await terminal('firewalls view edge', { columns, env: { NO_COLOR: '1' } }).end
    expect(exit).toBe(0)
    const shown = screen.join(' ').replaceAll(/\s+/g, ' ')
    expect(shown).toContain(`from ${addresses.join(', ')} 14 ACCEPT`)
    for (const { label } of full) expect(shown).toContain(`"${label}"`)
  })

  test.for([80, 40])('is judged by on %i columns to its last address', async (columns, { terminal, world }) => {
    world.network.firewall({ label: 'edge', rules })
    const line = 'firewalls test edge --protocol tcp --port 8012 --from 203.0.113.254 --expect accept'
    const { exit, screen } = await terminal(line, { columns }).end
    expect({ exit, text: screen.map((text) => text.trim()).join(' ') }).toEqual({
      exit: 0,
      text: 'ACCEPT inbound TCP 8012 from 203.0.113.254: rule 13 "rule-13"',
    })
  })
})
