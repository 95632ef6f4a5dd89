/** Time limit for confirming a rule change, and the end of its check. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { initialRules, ping, test, until } from '../support/openings'
import { preloading } from '../support/program'
import { folderOf, isAlive } from '../support/watchers'

const removeSsh = 'firewalls rules remove gate inbound label:ssh --yes'
/** Shortens the time in which a watcher checks for a late request. */
const faster = join(import.meta.dirname, '../support/fast-clock.cjs')
/** Suspends the machine when a file exists. */
const suspended = join(import.meta.dirname, '../support/suspended-clock.cjs')
const withoutSsh = { ...initialRules, inbound: [ping] }
const restored = expect.stringContaining('Restored the previous rules of firewall "gate" (9100)')

/** Writes a shell script, and returns the line that runs it. */
function script(home: string, text: string): string {
  const file = join(home, 'script.sh')
  writeFileSync(file, text)
  return `sh ${file}`
}

describe.concurrent('The time to confirm a change', () => {
  test('ends although skyctl is stopped before it gets the answer', async ({ proxy, start, gate, watchers }) => {
    const request = proxy.hold('PUT', /rules$/)
    const env = { SKYCTL_BASE_URL: proxy.baseUrl, ...preloading(faster), FASTER: '8' }
    const { kill, end } = start(`${removeSsh} --confirm-within 8s --keep-if true`, { env })
    await request.arrived
    kill('SIGSTOP')
    request.release()
    await request.ended
    await until(() => gate.rules().inbound.length === 2)
    expect(watchers()).toHaveLength(1)
    kill('SIGCONT')
    expect(await end).toMatchObject({ exit: 6 })
    expect(gate.rules()).toEqual(initialRules)
    await until(() => watchers().length === 0)
  })

  test('ends although the first process is stopped: the watcher restores the rules', async ({ start, gate }) => {
    const { until: waitFor, kill, end } = start(`${removeSsh} --confirm-within 6s --keep-if "echo tried >&2; sleep 30"`)
    await waitFor('tried')
    kill('SIGSTOP')
    expect(gate.rules()).toEqual(withoutSsh)
    await until(() => gate.rules().inbound.length === 2)
    expect(gate.rules()).toEqual(initialRules)
    kill('SIGCONT')
    const { exit, stderr } = await end
    expect({ exit, stderr, rules: gate.rules() }).toEqual({ exit: 6, stderr: restored, rules: initialRules })
    expect(stderr).not.toContain('Kept')
  })

  test('ends while the machine is suspended: a command that succeeds afterwards confirms nothing', async ({
    start,
    gate,
    home,
  }) => {
    const file = join(home, 'suspended')
    const env = { ...preloading(suspended), SUSPENDED: file }
    const { exit, stderr } = await start(`${removeSsh} --confirm-within 1h --keep-if "touch ${file}"`, { env }).end
    expect({ exit, stderr, rules: gate.rules() }).toEqual({ exit: 6, stderr: restored, rules: initialRules })
    expect(stderr).toContain('it was confirmed too late')
    expect(stderr).not.toContain('Kept')
  })

  test('starts at the first write: a write that arrives too late is undone', async ({
    proxy,
    start,
    world,
    gate,
    watchers,
  }) => {
    const request = proxy.hold('PUT', /rules$/)
    const env = { SKYCTL_BASE_URL: proxy.baseUrl }
    const { end } = start(`${removeSsh} --confirm-within 1s --keep-if true`, { env })
    await request.arrived
    const reads = world.requests('GET').length
    // The watcher checks for it.
    await until(() => world.requests('GET').length > reads)
    expect(gate.rules()).toEqual(initialRules)
    request.release()
    const { exit, stderr } = await end
    expect({ exit, stderr, rules: gate.rules() }).toEqual({
      exit: 6,
      stderr: expect.stringContaining('--keep-if: it did not succeed within 1 s; '),
      rules: initialRules,
    })
    await until(() => watchers().length === 0)
    expect(world.requests('PUT')).toHaveLength(2)
  })

  test('has ended for a change that must be repeated', async ({ proxy, start, world, gate, watchers }) => {
    const request = proxy.hold('PUT', /rules$/)
    const { end } = start(`${removeSsh} --confirm-within 1s --keep-if true`, {
      env: { SKYCTL_BASE_URL: proxy.baseUrl },
    })
    await request.arrived
    const reads = world.requests('GET').length
    await until(() => world.requests('GET').length > reads)
    // Somebody else overwrites it from an older read, so skyctl would repeat it on the current rules.
    const read = proxy.hold('GET', /rules$/)
    request.release()
    await request.ended
    gate.write(() => ({ ...initialRules, outbound_policy: 'DROP' }))
    await read.arrived
    read.release()
    expect(await end).toMatchObject({ exit: 6, stderr: expect.stringContaining('it did not succeed within 1 s') })
    await until(() => watchers().length === 0)
    expect(gate.rules()).toEqual({ ...initialRules, outbound_policy: 'DROP' })
    expect(world.requests('PUT')).toHaveLength(1)
  })

  test('ends for all firewalls at once, although one is unreachable', async ({
    proxy,
    start,
    world,
    gate,
    home,
    watchers,
  }) => {
    world.network.firewall({ id: 9101, label: 'wall', rules: initialRules } as never)
    const stdin = JSON.stringify({ firewalls: { gate: { rules: withoutSsh }, wall: { rules: withoutSsh } } })
    const check = `--confirm-within 1h --keep-if "touch ${join(home, 'tried')}; false"`
    const { kill } = start(`apply - --yes ${check}`, { stdin, env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await until(() => existsSync(join(home, 'tried')))
    const request = proxy.hold('GET', '/networking/firewalls/9100/rules')
    kill('SIGKILL')
    await request.arrived
    await until(() => world.network.firewalls.get(9101)?.rules.inbound.length === 2)
    expect(gate.rules()).toEqual(withoutSsh)
    request.release()
    await until(() => watchers().length === 0)
    expect(gate.rules()).toEqual(initialRules)
  })
})

describe.concurrent('A check of --keep-if', () => {
  const exitsOnTerm = `trap 'exit 0' TERM; echo running >&2; while :; do sleep 0.1; done`

  test('confirms nothing by exit code 0 on SIGTERM after the time limit', async ({ start, gate, home, records }) => {
    const { exit, stderr } = await start(`${removeSsh} --confirm-within 5s --keep-if "${script(home, exitsOnTerm)}"`)
      .end
    expect({ exit, stderr, rules: gate.rules() }).toEqual({ exit: 6, stderr: restored, rules: initialRules })
    expect(stderr).toContain('--keep-if: it did not succeed within 5 s; it was still running')
    expect(stderr).not.toContain('Kept')
    expect(records()).toEqual([])
  })

  test('confirms nothing by exit code 0 if skyctl is terminated', async ({ start, gate, home }) => {
    const check = script(home, exitsOnTerm)
    const { until: waitFor, kill, end } = start(`${removeSsh} --confirm-within 1h --keep-if "${check}"`)
    await waitFor('running')
    kill('SIGTERM')
    const { exit, stderr } = await end
    expect({ exit, stderr, rules: gate.rules() }).toEqual({ exit: 143, stderr: restored, rules: initialRules })
  })

  test('is killed with its children if it ignores SIGTERM', async ({ runCommand, gate, home }) => {
    const file = join(home, 'child')
    const ignoresTerm = `trap '' TERM; sleep 300 & echo $! > ${file}; while :; do wait; done`
    const { exit, stderr } = await runCommand(
      `${removeSsh} --confirm-within 6s --keep-if "${script(home, ignoresTerm)}"`,
    )
    expect({ exit, stderr, rules: gate.rules() }).toEqual({ exit: 6, stderr: restored, rules: initialRules })
    await until(() => !isAlive(Number(readFileSync(file, 'utf8'))))
  })

  test('leaves no child that ignores SIGTERM, although it ends itself', async ({ runCommand, gate, home }) => {
    const file = join(home, 'child')
    const childIgnoresTerm = `(trap '' TERM; exec sleep 300) & echo $! > ${file}; wait`
    expect(
      await runCommand(`${removeSsh} --confirm-within 6s --keep-if "${script(home, childIgnoresTerm)}"`),
    ).toMatchObject({
      exit: 6,
    })
    await until(() => !isAlive(Number(readFileSync(file, 'utf8'))))
    expect(gate.rules()).toEqual(initialRules)
  })

  test.for(['SIGHUP', 'SIGQUIT'] as const)(
    'ends with skyctl on %s',
    async (signal, { start, gate, home, watchers }) => {
      const file = join(home, 'child')
      const { kill, end } = start(`${removeSsh} --confirm-within 1h --keep-if "echo $$ > ${file}; exec sleep 300"`)
      await until(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'))
      kill(signal)
      expect(await end).toMatchObject({ signal })
      await until(() => !isAlive(Number(readFileSync(file, 'utf8'))) && watchers().length === 0)
      expect(gate.rules()).toEqual(initialRules)
    },
  )

  test('runs in the folder of the user, which the watcher has left', async ({ start, gate, home, watchers }) => {
    const cwd = join(home, 'here')
    mkdirSync(cwd)
    const { end } = start(`${removeSsh} --confirm-within 1h --keep-if "echo tried >> tries; test -e reached"`, { cwd })
    await until(() => existsSync(join(cwd, 'tries')))
    const [watcher = 0] = watchers()
    expect(folderOf(watcher)).toBe('/')
    writeFileSync(join(cwd, 'reached'), '')
    expect(await end).toMatchObject({ exit: 0 })
    expect(gate.rules()).toEqual(withoutSsh)
  })
})

describe.concurrent('A watcher', () => {
  const open = 'firewalls open gate --port 22 --from 198.51.100.7'

  test.for(['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'] as const)(
    'undoes its change at once on %s',
    async (signal, { runCommand, gate, watchers }) => {
      expect(await runCommand(`${open} --for 1h`)).toMatchObject({ exit: 0 })
      expect(gate.open()).toEqual(['22'])
      const [watcher = 0] = watchers()
      process.kill(watcher, signal)
      await until(() => watchers().length === 0)
      expect(gate.rules()).toEqual(initialRules)
    },
  )

  test('that is ended before the write prevents the write', async ({ proxy, start, world, gate, watchers }) => {
    proxy.pass('GET', /rules$/)
    const request = proxy.hold('GET', /rules$/)
    const { end } = start(`${open} --for 1h`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await request.arrived
    const [watcher = 0] = watchers()
    process.kill(watcher, 'SIGTERM')
    await until(() => watchers().length === 0)
    request.release()
    const { exit, stderr } = await end
    expect({ exit, stderr, puts: world.requests('PUT') }).toEqual({
      exit: 6,
      stderr: 'skyctl: the background process undid the change before it was complete\n',
      puts: [],
    })
    expect(gate.rules()).toEqual(initialRules)
  })

  test('closes a firewall when SIGTERM ends skyctl, although the command ignores it', async ({ start, gate, home }) => {
    const command = script(home, `trap '' TERM; echo running; read -r _`)
    const { until: waitFor, stdin, kill, end } = start(`${open} -- ${command}`)
    await waitFor('running')
    kill('SIGTERM')
    await until(() => gate.open().length === 0)
    stdin.write('\n')
    await end
    expect(gate.rules()).toEqual(initialRules)
  })
})
