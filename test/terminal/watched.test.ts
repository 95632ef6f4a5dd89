/** Changes that a person confirms, and openings that end with their terminal. */
import { describe, expect } from 'vitest'
import { gateOf, ping, ssh, until } from '../support/openings'
import { keys, test } from '../support/terminal'
import { watchersOf } from '../support/watchers'

const remove = 'firewalls rules remove gate inbound label:ssh --yes --confirm-within'
const question = /Keep the rules of firewall "gate" \(9100\)\? \(90 s\).*\(y\/N\)/s
const both = [ssh, ping]

describe('A change of rules with --confirm-within, on a terminal', () => {
  test('is kept on yes, although --yes has answered all else', async ({ terminal, world, home }) => {
    const gate = gateOf(world)
    const { until: shown, type, end } = terminal(`${remove} 90s`)
    await shown(question)
    expect(gate.rules().inbound).toEqual([ping])
    type(`y${keys.enter}`)
    expect((await end).exit).toBe(0)
    expect(gate.rules().inbound).toEqual([ping])
    await until(() => watchersOf(home).length === 0)
  })

  test.for<[string, string, number]>([
    ['no', `n${keys.enter}`, 6],
    ['an empty answer', keys.enter, 6],
    ['the end of input', keys.ctrlD, 6],
    ['Ctrl-C', keys.ctrlC, 130],
  ])('is put back on %s', async ([, typed, code], { terminal, world }) => {
    const gate = gateOf(world)
    const { until: shown, type, end } = terminal(`${remove} 90s`)
    await shown(question)
    type(typed)
    const { exit, screen } = await end
    expect({ exit, screen: screen.join(' ') }).toEqual({
      exit: code,
      screen: expect.stringContaining('Put back the rules'),
    })
    expect(gate.rules().inbound).toEqual(both)
  })

  test('is put back without an answer', async ({ terminal, world }) => {
    const gate = gateOf(world)
    const { exit, screen } = await terminal(`${remove} 2s`).end
    expect({ exit, screen: screen.join(' ') }).toEqual({
      exit: 6,
      screen: expect.stringContaining('no answer was given within 2 s'),
    })
    expect(gate.rules().inbound).toEqual(both)
  })

  test('is put back where the terminal is closed', async ({ terminal, world, home }) => {
    const gate = gateOf(world)
    const { until: shown, close } = terminal(`${remove} 90s`)
    await shown(question)
    close()
    await until(() => gate.rules().inbound.length === 2 && watchersOf(home).length === 0)
    expect(gate.rules().inbound).toEqual(both)
  })
})

describe('A firewall that is open while a command runs, on a terminal', () => {
  const open = ['firewalls', 'open', 'gate', '--port', '22', '--from', '198.51.100.7', '--']

  test('is closed where the terminal is closed', async ({ terminal, world, home }) => {
    const gate = gateOf(world)
    const { until: shown, close } = terminal([...open, 'sh', '-c', 'echo running; read -r _'])
    await shown('running')
    expect(gate.open()).toEqual(['22'])
    close()
    await until(() => gate.open().length === 0 && watchersOf(home).length === 0)
    expect(gate.rules().inbound).toEqual(both)
  })

  test('leaves Ctrl-C to the command, each time', async ({ terminal, world }) => {
    const gate = gateOf(world)
    const script = 'trap "echo caught" INT; echo running; while :; do read -r line && break; done; exit 5'
    const { until: shown, type, end } = terminal([...open, 'sh', '-c', script])
    await shown('running')
    type(keys.ctrlC)
    await shown(/caught/)
    type(keys.ctrlC)
    await shown(/caught.*caught/s)
    expect(gate.open()).toEqual(['22'])
    type(keys.enter)
    expect((await end).exit).toBe(5)
    expect(gate.rules().inbound).toEqual(both)
  })
})
