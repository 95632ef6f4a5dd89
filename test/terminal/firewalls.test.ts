/** Replacing the rules of a firewall on a terminal. */
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
