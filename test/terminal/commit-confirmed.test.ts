/** Changes that a person confirms, and openings that end with their terminal. */
import { describe, expect } from 'vitest'
import { answer503, lossyProxy } from '../support/lossy'
import { gateOf, ping, ssh, until } from '../support/openings'
import { keys, processTest as test } from '../support/terminal'
import { watchersOf } from '../support/watchers'

const remove = 'firewalls rules remove gate inbound label:ssh --yes --confirm-within'
/** Of the 90 s, some are over on a busy machine. */
const question = /Keep the rules of firewall "gate" \(9100\)\? \((90|[78]\d) s\).*\(y\/N\)/s
const both = [ssh, ping]

describe.concurrent('A change of rules with --confirm-within, on a terminal', () => {
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
      screen: expect.stringContaining('Restored the previous rules'),
    })
    expect(gate.rules().inbound).toEqual(both)
  })

  test.for([80, 40])(
    'counts down where it asks, and is put back without an answer: %i columns',
    async (columns, { terminal, world }) => {
      const gate = gateOf(world)
      const { end, raw } = terminal(`${remove} 3s`, { columns })
      const { exit, screen } = await end
      expect({ exit, screen: screen.join(' ') }).toEqual({
        exit: 6,
        screen: expect.stringMatching(/\(1 s\) \(y\/N\) skyctl: no answer was given within 3 s/),
      })
      expect(screen.join(' ').match(/Keep the/g)).toHaveLength(1)
      const counted = [...raw().matchAll(/\((\d+) s\)/g)].map(([, seconds]) => Number(seconds))
      expect(counted[0]).toBe(3)
      expect(counted).toEqual(counted.toSorted((one, other) => other - one))
      // Once for each second, and once more when it is over.
      expect(counted.length).toBeLessThanOrEqual(4)
      expect(gate.rules().inbound).toEqual(both)
    },
  )

  test('keeps what is being typed while it counts', async ({ terminal, world }) => {
    const gate = gateOf(world)
    const { until: shown, type, end } = terminal(`${remove} 90s`)
    await shown(question)
    type('ye')
    await shown(/\((89|8\d) s\) \(y\/N\) ye$/)
    type(`s${keys.enter}`)
    expect((await end).exit).toBe(0)
    expect(gate.rules().inbound).toEqual([ping])
  })

  test('does not count on a terminal that cannot draw, and is put back all the same', async ({ terminal, world }) => {
    const gate = gateOf(world)
    const { end, raw } = terminal(`${remove} 2s`, { env: { TERM: 'dumb' } })
    expect((await end).exit).toBe(6)
    expect(raw().match(/\(\d+ s\)/g)).toEqual(['(2 s)'])
    expect(raw()).toMatch(/^[\r\n\x20-\x7e]*$/)
    expect(gate.rules().inbound).toEqual(both)
  })

  test.for([
    ['the end of the time', '', '2s', 6],
    ['Ctrl-C', keys.ctrlC, '90s', 130],
    ['an answer', `y${keys.enter}`, '90s', 0],
  ] as const)('leaves the terminal as it was: %s', async ([, typed, time, code], { shellTerminal, world }) => {
    gateOf(world)
    const line = `stty -g; skyctl ${remove} ${time}; echo exit $?; stty -g`
    const { until: shown, type, end, raw } = shellTerminal(line, { columns: 200 })
    await shown('(y/N)')
    type(typed)
    const { screen } = await end
    expect(screen.slice(-2)).toEqual([`exit ${code}`, screen[0]])
    expect(raw().lastIndexOf('\x1b[?25l')).toBeLessThanOrEqual(raw().lastIndexOf('\x1b[?25h'))
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

describe.concurrent('A firewall that is open while a command runs, on a terminal', () => {
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

  test('leaves the closing to its watcher on Ctrl-C, where the service is away when the command has ended', async ({
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
      const { until: shown, type, end } = terminal([...open, 'sh', '-c', 'echo running; read -r _'], { env })
      await shown('running')
      const service = proxy.away(Number.POSITIVE_INFINITY, answer503)
      type(keys.enter)
      await shown('trying again')
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
