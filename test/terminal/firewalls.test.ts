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
      const { until, type, end } = terminal(`firewalls rules update mover --file ${join(home, 'rules.json')}`)
      const screen = await until('Replace the rules of firewall "mover" (4004)?')
      expect(screen).toContain('removed  inbound 1: ACCEPT TCP 22 "accept-ssh" from 0.0.0.0/0, ::/0')
      type(answer + keys.enter)
      expect((await end).exit).toBe(exit)
      expect(world.network.firewalls.get(4004)?.rules.inbound).toHaveLength(left)
    },
  )
})
