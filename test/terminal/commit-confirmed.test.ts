/** Rule changes that a person confirms, and openings that end with their terminal. */
import { describe, expect } from 'vitest'
import { answer503, lossyProxy } from '../support/lossy-proxy'
import { gateOf, ping, ssh, until } from '../support/openings'
import { keys, processTest as test } from '../support/terminal'
import { watchersOf } from '../support/watchers'

const removeSsh = 'firewalls rules remove gate inbound label:ssh --yes --confirm-within'
/** On a busy machine, some of the 90 s are over. */
const question = /Keep the rules of firewall "gate" \(9100\)\? \((90|[78]\d) s\).*\(y\/N\)/s
const both = [ssh, ping]

describe.concurrent('A rule change with --confirm-within on a terminal', () => {
  test('is kept only on yes, also with --yes', async ({ terminal, world, home }) => {
    const gate = gateOf(world)
    const { until: waitFor, type, end } = terminal(`${removeSsh} 90s`)
    await waitFor(question)
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
  ])('is undone on %s', async ([, input, code], { terminal, world }) => {
    const gate = gateOf(world)
    const { until: waitFor, type, end } = terminal(`${removeSsh} 90s`)
    await waitFor(question)
    type(input)
    const { exit, screen } = await end
    expect({ exit, screen: screen.join(' ') }).toEqual({
      exit: code,
      screen: expect.stringContaining('Restored the previous rules'),
    })
    expect(gate.rules().inbound).toEqual(both)
  })

  test.for([80, 40])(
    'shows the time in its question, and is undone without an answer: %i columns',
    async (columns, { terminal, world }) => {
      const gate = gateOf(world)
      const { end } = terminal(`${removeSsh} 6s`, { columns })
      const { exit, screen } = await end
      expect({ exit, screen: screen.join(' ') }).toEqual({
        exit: 6,
        screen: expect.stringMatching(/\([1-6] s\) \(y\/N\) skyctl: no answer was given within 6 s/),
      })
      expect(screen.join(' ').match(/Keep the/g)).toHaveLength(1)
      expect(gate.rules().inbound).toEqual(both)
    },
  )

  test('is a plain line on a dumb terminal, and is undone without an answer', async ({ terminal, world }) => {
    const gate = gateOf(world)
    const { end, raw } = terminal(`${removeSsh} 6s`, { env: { TERM: 'dumb' } })
    expect((await end).exit).toBe(6)
    expect(raw().match(/\([1-6] s\)/g)).toHaveLength(1)
    expect(raw()).toMatch(/^[\r\n\x20-\x7e]*$/)
    expect(gate.rules().inbound).toEqual(both)
  })

  test.for([
    ['the end of the time', '', '6s', 6],
    ['Ctrl-C', keys.ctrlC, '90s', 130],
    ['an answer', `y${keys.enter}`, '90s', 0],
  ] as const)('restores the terminal: %s', async ([, input, time, code], { shellTerminal, world }) => {
    gateOf(world)
    const line = `stty -g; skyctl ${removeSsh} ${time}; echo exit $?; stty -g`
    const { until: waitFor, type, end, raw } = shellTerminal(line, { columns: 200 })
    await waitFor('(y/N)')
    type(input)
    const { screen } = await end
    expect(screen.slice(-2)).toEqual([`exit ${code}`, screen[0]])
    expect(raw().lastIndexOf('\x1b[?25l')).toBeLessThanOrEqual(raw().lastIndexOf('\x1b[?25h'))
  })

  test('is undone if the terminal is closed', async ({ terminal, world, home }) => {
    const gate = gateOf(world)
    const { until: waitFor, close } = terminal(`${removeSsh} 90s`)
    await waitFor(question)
    close()
    await until(() => gate.rules().inbound.length === 2 && watchersOf(home).length === 0)
    expect(gate.rules().inbound).toEqual(both)
  })
})

describe.concurrent('A firewall that is open while a command runs on a terminal', () => {
  const open = ['firewalls', 'open', 'gate', '--port', '22', '--from', '198.51.100.7', '--']

  test('is closed if the terminal is closed', async ({ terminal, world, home }) => {
    const gate = gateOf(world)
    const { until: waitFor, close } = terminal([...open, 'sh', '-c', 'echo running; read -r _'])
    await waitFor('running')
    expect(gate.open()).toEqual(['22'])
    close()
    await until(() => gate.open().length === 0 && watchersOf(home).length === 0)
    expect(gate.rules().inbound).toEqual(both)
  })

  test('is left to its watcher on Ctrl-C if the service is unavailable', async ({
    terminal,
    shell,
    world,
    sandbox,
    home,
  }) => {
    const gate = gateOf(world)
    const proxy = await lossyProxy(sandbox.baseUrl)
    try {
      const env = { SKYCTL_BASE_URL: proxy.baseUrl }
      const { until: waitFor, type, end } = terminal([...open, 'sh', '-c', 'echo running; read -r _'], { env })
      await waitFor('running')
      const service = proxy.away(Number.POSITIVE_INFINITY, answer503)
      type(keys.enter)
      await waitFor('trying again')
      type(keys.ctrlC)
      const { exit, screen } = await end
      expect({ exit, screen: screen.join(' ') }).toEqual({
        exit: 130,
        screen: expect.stringContaining('skyctl: interrupted; the undo continues in the background, and the next'),
      })
      expect({ open: gate.open(), watchers: watchersOf(home).length }).toEqual({ open: ['22'], watchers: 1 })
      service.back()
      await until(() => watchersOf(home).length === 0)
      expect(gate.open()).toEqual([])
      expect((await shell('skyctl regions view us-east -q')).stderr).toMatch(/^Since the last command, .*: Closed tcp/)
    } finally {
      await proxy.close()
    }
  })

  test('passes each Ctrl-C to the command only', async ({ terminal, world }) => {
    const gate = gateOf(world)
    const script = 'trap "echo caught" INT; echo running; while :; do read -r line && break; done; exit 5'
    const { until: waitFor, type, end } = terminal([...open, 'sh', '-c', script])
    await waitFor('running')
    type(keys.ctrlC)
    await waitFor(/caught/)
    type(keys.ctrlC)
    await waitFor(/caught.*caught/s)
    expect(gate.open()).toEqual(['22'])
    type(keys.enter)
    expect((await end).exit).toBe(5)
    expect(gate.rules().inbound).toEqual(both)
  })
})
