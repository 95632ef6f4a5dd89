/** How long a change of rules may wait for its confirmation, who counts that, and what confirms nothing. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { before, ping, test, until } from '../support/openings'
import { catches } from '../support/process'
import { isOfBun, preloading } from '../support/program'
import { folderOf, isAlive } from '../support/watchers'

const remove = 'firewalls rules remove gate inbound label:ssh --yes'
/** What was being written is looked for some seconds. */
const faster = join(import.meta.dirname, '../support/faster.cjs')
const without = { ...before, inbound: [ping] }
const restored = expect.stringContaining('Restored the previous rules of firewall "gate" (9100)')

/** A line that runs it. */
function script(home: string, text: string): string {
  const file = join(home, 'script.sh')
  writeFileSync(file, text)
  return `sh ${file}`
}

describe.concurrent('The time to confirm a change', () => {
  test('is over although skyctl is stopped before its answer', async ({ proxy, start, gate, watchers }) => {
    const held = proxy.hold('PUT', /rules$/)
    const env = { SKYCTL_BASE_URL: proxy.baseUrl, ...preloading(faster), FASTER: '8' }
    const { kill, end } = start(`${remove} --confirm-within 8s --keep-if true`, { env })
    await held.arrived
    kill('SIGSTOP')
    held.release()
    await held.gone
    await until(() => gate.rules().inbound.length === 2)
    expect(watchers()).toHaveLength(1)
    kill('SIGCONT')
    expect(await end).toMatchObject({ exit: 6 })
    expect(gate.rules()).toEqual(before)
    await until(() => watchers().length === 0)
  })

  test('is over although the first process is stopped: the watcher puts the rules back', async ({ start, gate }) => {
    const { until: shown, kill, end } = start(`${remove} --confirm-within 2s --keep-if "echo tried >&2; sleep 3"`)
    await shown('tried')
    kill('SIGSTOP')
    expect(gate.rules()).toEqual(without)
    await until(() => gate.rules().inbound.length === 2)
    expect(gate.rules()).toEqual(before)
    kill('SIGCONT')
    const { exit, stderr } = await end
    expect({ exit, stderr, rules: gate.rules() }).toEqual({ exit: 6, stderr: restored, rules: before })
    expect(stderr).not.toContain('Kept')
  })

  test('begins with the first write: what comes late is put back', async ({ proxy, start, world, gate, watchers }) => {
    const held = proxy.hold('PUT', /rules$/)
    const env = { SKYCTL_BASE_URL: proxy.baseUrl }
    const { end } = start(`${remove} --confirm-within 1s --keep-if true`, { env })
    await held.arrived
    const looks = world.requests('GET').length
    // The watcher looks for it.
    await until(() => world.requests('GET').length > looks)
    expect(gate.rules()).toEqual(before)
    held.release()
    const { exit, stderr } = await end
    expect({ exit, stderr, rules: gate.rules() }).toEqual({
      exit: 6,
      stderr: expect.stringContaining('it did not succeed within 1 s'),
      rules: before,
    })
    await until(() => watchers().length === 0)
    expect(world.requests('PUT')).toHaveLength(2)
  })

  test('is over for a change that has to be made again', async ({ proxy, start, world, gate, watchers }) => {
    const stood = proxy.hold('PUT', /rules$/)
    const { end } = start(`${remove} --confirm-within 1s --keep-if true`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await stood.arrived
    const looks = world.requests('GET').length
    await until(() => world.requests('GET').length > looks)
    // Somebody who read before it arrived writes over it: it would be made again of what stands then.
    const look = proxy.hold('GET', /rules$/)
    stood.release()
    await stood.gone
    gate.write(() => ({ ...before, outbound_policy: 'DROP' }))
    await look.arrived
    look.release()
    expect(await end).toMatchObject({ exit: 6, stderr: expect.stringContaining('it did not succeed within 1 s') })
    await until(() => watchers().length === 0)
    expect(gate.rules()).toEqual({ ...before, outbound_policy: 'DROP' })
    expect(world.requests('PUT')).toHaveLength(1)
  })

  test('is over for all firewalls at once: one that cannot be reached keeps no other open', async ({
    proxy,
    start,
    world,
    gate,
    home,
    watchers,
  }) => {
    world.network.firewall({ id: 9101, label: 'wall', rules: before } as never)
    const stdin = JSON.stringify({ firewalls: { gate: { rules: without }, wall: { rules: without } } })
    const check = `--confirm-within 1h --keep-if "touch ${join(home, 'tried')}; false"`
    const { kill } = start(`apply - --yes ${check}`, { stdin, env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await until(() => existsSync(join(home, 'tried')))
    const held = proxy.hold('GET', '/networking/firewalls/9100/rules')
    kill('SIGKILL')
    await held.arrived
    await until(() => world.network.firewalls.get(9101)?.rules.inbound.length === 2)
    expect(gate.rules()).toEqual(without)
    held.release()
    await until(() => watchers().length === 0)
    expect(gate.rules()).toEqual(before)
  })
})

describe.concurrent('A check that is being ended confirms nothing', () => {
  const obliging = `trap 'exit 0' TERM; echo running >&2; while :; do sleep 0.1; done`

  test('where the time is over: exit 0 on SIGTERM is too late', async ({ start, gate, home, records }) => {
    const { exit, stderr } = await start(`${remove} --confirm-within 1s --keep-if "${script(home, obliging)}"`).end
    expect({ exit, stderr, rules: gate.rules() }).toEqual({ exit: 6, stderr: restored, rules: before })
    expect(stderr).toContain('--keep-if: it did not succeed within 1 s; it was still running')
    expect(stderr).not.toContain('Kept')
    expect(records()).toEqual([])
  })

  test('where skyctl is terminated', async ({ start, gate, home }) => {
    const check = script(home, obliging)
    const { until: shown, kill, end } = start(`${remove} --confirm-within 1h --keep-if "${check}"`)
    await shown('running')
    kill('SIGTERM')
    const { exit, stderr } = await end
    expect({ exit, stderr, rules: gate.rules() }).toEqual({ exit: 143, stderr: restored, rules: before })
  })

  test('and is killed with its children where it ignores SIGTERM', async ({ ended, gate, home }) => {
    const file = join(home, 'child')
    const stubborn = `trap '' TERM; sleep 300 & echo $! > ${file}; while :; do wait; done`
    const { exit, stderr } = await ended(`${remove} --confirm-within 3s --keep-if "${script(home, stubborn)}"`)
    expect({ exit, stderr, rules: gate.rules() }).toEqual({ exit: 6, stderr: restored, rules: before })
    await until(() => !isAlive(Number(readFileSync(file, 'utf8'))))
  })

  test('and leaves no child that ignores SIGTERM where it does not itself', async ({ ended, gate, home }) => {
    const file = join(home, 'child')
    const half = `(trap '' TERM; exec sleep 300) & echo $! > ${file}; wait`
    expect(await ended(`${remove} --confirm-within 3s --keep-if "${script(home, half)}"`)).toMatchObject({
      exit: 6,
    })
    await until(() => !isAlive(Number(readFileSync(file, 'utf8'))))
    expect(gate.rules()).toEqual(before)
  })

  test.for(['SIGHUP', 'SIGQUIT'] as const)(
    'and does not outlive skyctl, which %s ends',
    async (signal, { start, gate, home, watchers }) => {
      const file = join(home, 'child')
      const { kill, end } = start(`${remove} --confirm-within 1h --keep-if "echo $$ > ${file}; exec sleep 300"`)
      await until(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'))
      kill(signal)
      expect(await end).toMatchObject({ signal })
      await until(() => !isAlive(Number(readFileSync(file, 'utf8'))) && watchers().length === 0)
      expect(gate.rules()).toEqual(before)
    },
  )

  test('and does not outlive skyctl that is killed, nor do its children', async ({ start, gate, home, watchers }) => {
    const file = join(home, 'children')
    const reached = join(home, 'reached')
    // The check itself ends at once, and one of its children ignores that.
    const check = `(trap '' TERM; sleep 300; touch ${reached}) & echo $! > ${file}; echo $$ >> ${file}; wait`
    const { kill } = start(`${remove} --confirm-within 1h --keep-if "${script(home, check)}"`)
    const numbers = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [])
    await until(() => numbers().length === 2)
    kill('SIGKILL')
    await until(() => watchers().length === 0)
    expect({ alive: numbers().filter(isAlive), rules: gate.rules() }).toEqual({ alive: [], rules: before })
  })

  test('while it runs where the user is, the watcher leaves that folder', async ({ start, gate, home, watchers }) => {
    const cwd = join(home, 'here')
    mkdirSync(cwd)
    const { end } = start(`${remove} --confirm-within 1h --keep-if "echo tried >> tries; test -e reached"`, { cwd })
    await until(() => existsSync(join(cwd, 'tries')))
    const [watcher = 0] = watchers()
    expect(folderOf(watcher)).toBe('/')
    writeFileSync(join(cwd, 'reached'), '')
    expect(await end).toMatchObject({ exit: 0 })
    expect(gate.rules()).toEqual(without)
  })
})

/** But for SIGKILL, those of faults of the program itself, and those that Node keeps for itself. */
const endingSignals = [
  ...(['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR1', 'SIGUSR2'] as const),
  ...(['SIGALRM', 'SIGVTALRM', 'SIGXCPU', 'SIGIO', 'SIGPWR', 'SIGABRT', 'SIGPROF', 'SIGSTKFLT', 'SIGSYS'] as const),
]

describe.concurrent('A watcher', () => {
  const open = 'firewalls open gate --port 22 --from 198.51.100.7'

  // Node itself catches the last three, so that it shows in no list whether skyctl does.
  test.for(['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGUSR1'] as const)(
    'takes %s, which would end it, as its time to act',
    async (signal, { ended, gate, watchers }) => {
      expect(await ended(`${open} --for 1h`)).toMatchObject({ exit: 0 })
      expect(gate.open()).toEqual(['22'])
      const [watcher = 0] = watchers()
      process.kill(watcher, signal)
      await until(() => watchers().length === 0)
      expect(gate.rules()).toEqual(before)
    },
  )

  test('catches every signal that would end it', async ({ ended, gate, watchers, skip }) => {
    skip(process.platform !== 'linux', 'only Linux tells what a process catches')
    expect(await ended(`${open} --for 1h`)).toMatchObject({ exit: 0 })
    expect(gate.open()).toEqual(['22'])
    const [watcher = 0] = watchers()
    const missing = endingSignals.filter(
      (signal) => !(isOfBun && /PWR|STKFLT/.test(signal)) && !catches(watcher, signal),
    )
    expect(missing).toEqual([])
  })

  test('that is ended before the write leaves nothing to write', async ({ proxy, start, world, gate, watchers }) => {
    proxy.pass('GET', /rules$/)
    const held = proxy.hold('GET', /rules$/)
    const { end } = start(`${open} --for 1h`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await held.arrived
    const [watcher = 0] = watchers()
    process.kill(watcher, 'SIGTERM')
    await until(() => watchers().length === 0)
    held.release()
    const { exit, stderr } = await end
    expect({ exit, stderr, puts: world.requests('PUT') }).toEqual({
      exit: 6,
      stderr: 'skyctl: the background process undid the change before it was complete\n',
      puts: [],
    })
    expect(gate.rules()).toEqual(before)
  })

  test('closes a firewall when SIGTERM ends skyctl, though the command ignores it', async ({ start, gate, home }) => {
    const command = script(home, `trap '' TERM; echo running; read -r _`)
    const { until: shown, stdin, kill, end } = start(`${open} -- ${command}`)
    await shown('running')
    kill('SIGTERM')
    await until(() => gate.open().length === 0)
    stdin.write('\n')
    await end
    expect(gate.rules()).toEqual(before)
  })
})
