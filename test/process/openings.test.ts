/** Temporary openings: skyctl closes firewalls again even if its processes are killed. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { openingRule } from '../../src/firewall/temporary-opening'
import { answer503, loseAsBadGateway, refusal } from '../support/lossy-proxy'
import { test as base, initialRules, ping, recordsIn, ssh, until } from '../support/openings'
import type { ProcessOptions, ProcessResult, Running } from '../support/process'
import { copyProgram, preloading } from '../support/program'
import { kill } from '../support/watchers'

const open = 'firewalls open gate --port 22 --from 198.51.100.7'
const faster = { ...preloading(join(import.meta.dirname, '../support/fast-clock.cjs')), FASTER: '5' }
/** A command that prints `running`, and ends after a line of input. */
const waiting = '-- sh -c "echo running; read -r _"'

const test = base.extend<{
  /** Opens the firewall while a command runs; `finish` ends the command. */
  running(options?: ProcessOptions): Promise<Running & { finish(): Promise<ProcessResult> }>
}>({
  running: async ({ start }, use) =>
    use(async (options) => {
      const running = start(`${open} ${waiting}`, options)
      await running.until('running')
      const finish = () => {
        running.stdin.write('\n')
        return running.end
      }
      return { ...running, finish }
    }),
})

describe.concurrent('A temporary opening of a firewall', () => {
  test('puts its rule first, and is closed on time', async ({ start, shell, gate, watchers }) => {
    const opened = await start(`${open} --for 6s`).end
    expect(opened).toMatchObject({ exit: 0 })
    expect(opened.stderr).toMatch(
      /^Opened firewall "gate" \(9100\) to tcp\/22 from 198\.51\.100\.7\/32 until 2026-01-15T12:00:0\dZ\. Close it earlier: skyctl firewalls close 9100\n$/,
    )
    expect(gate.rules().inbound.map(({ label }) => label)).toEqual([
      expect.stringMatching(/^open until/),
      'ssh',
      'ping',
    ])
    expect(gate.rules().inbound[0]).toMatchObject({
      ...ssh,
      addresses: { ipv4: ['198.51.100.7/32'] },
      label: expect.stringMatching(/^open/),
    })
    await until(() => gate.open().length === 0 && watchers().length === 0)
    expect(gate.rules()).toEqual(initialRules)
    // Reported once, before other messages.
    const [first, second] = [
      await shell('skyctl regions view us-east -q'),
      await shell('skyctl regions view us-east -q'),
    ]
    expect(first.stderr).toMatch(
      /^Since the last command, at \S+ \S+ UTC: Closed tcp\/22 from 198\.51\.100\.7\/32 of firewall "gate" \(9100\)\n$/,
    )
    expect(second.stderr).toBe('')
  })

  test('can be closed early by the command that it prints', async ({ runCommand, shell, gate, sandbox }) => {
    const env = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
    const login = `auth login --context prod --with-token --base-url ${sandbox.baseUrl}`
    expect(await runCommand(login, { stdin: sandbox.ownerToken })).toMatchObject({ exit: 0 })
    const { stderr } = await runCommand(`--context prod ${open} --for 1h`, { env })
    const [, line = ''] = /Close it earlier: (skyctl .*)\n/.exec(stderr) ?? []
    expect(line).toBe('skyctl firewalls close 9100 --context prod')
    expect(await shell(line, { env })).toMatchObject({ exit: 0 })
    expect(gate.rules()).toEqual(initialRules)
  })

  test('lasts as long as its command, whose exit code skyctl returns', async ({ start, gate, records }) => {
    const {
      stdin,
      until: waitFor,
      end,
    } = start(`${open} -- sh -c "echo running; read -r _; echo $SKYCTL_TOKEN.; exit 7"`)
    await waitFor('running')
    expect(gate.open()).toEqual(['22'])
    stdin.write('\n')
    const { exit, stdout, stderr } = await end
    expect({ exit, stdout }).toEqual({ exit: 7, stdout: 'running\n.\n' })
    expect(stderr).toContain('Closed tcp/22 from 198.51.100.7/32 of firewall "gate" (9100)\n')
    expect(gate.rules()).toEqual(initialRules)
    expect(records()).toEqual([])
  })

  test('is closed with exit code 128 + n if signal n ends the command', async ({ runCommand, gate }) => {
    expect(await runCommand(`${open} -- sh -c "kill -KILL $$"`)).toMatchObject({ exit: 137 })
    expect(gate.rules()).toEqual(initialRules)
  })

  test('is closed if the command cannot run', async ({ runCommand, gate }) => {
    expect(await runCommand(`${open} -- no-such-command`)).toMatchObject({
      exit: 12,
      stderr: expect.stringContaining('"no-such-command" cannot be run: no such program\n'),
    })
    expect(gate.rules()).toEqual(initialRules)
  })

  test('is closed if SIGTERM ends skyctl and its command', async ({ gate, running }) => {
    const { kill, end } = await running()
    kill('SIGTERM')
    expect(await end).toMatchObject({ exit: 143 })
    expect(gate.rules()).toEqual(initialRules)
  })

  test('is closed if skyctl is killed, and the next command reports it', async ({ shell, gate, records, running }) => {
    const { kill } = await running()
    kill('SIGKILL')
    await until(() => gate.open().length === 0 && records().some((text) => text.includes('"outcome"')))
    expect(gate.rules()).toEqual(initialRules)
    expect((await shell('skyctl regions view us-east')).stderr).toMatch(/^Since the last command, .* Closed tcp\/22 /)
  })

  test('gets a new watcher if the first one is killed', async ({ gate, watchers, running }) => {
    const { kill: killFirst, finish } = await running()
    const [watcher = 0] = watchers()
    kill(watcher)
    await until(() => watchers().some((pid) => pid !== watcher))
    expect(await finish()).toMatchObject({ exit: 0 })
    expect(gate.rules()).toEqual(initialRules)
    killFirst('SIGKILL')
  })

  test('stays open with an error if each watcher is killed, until the next command starts another one', async ({
    shell,
    gate,
    watchers,
    running,
  }) => {
    const { finish } = await running()
    for (let [kills, last] = [0, 0]; kills < 5; kills += 1) {
      await until(() => watchers().some((pid) => pid !== last))
      last = watchers().find((pid) => pid !== last) ?? 0
      kill(last)
    }
    await until(() => watchers().length === 0)
    const { exit, stderr } = await finish()
    expect({ exit, stderr }).toEqual({
      exit: 12,
      stderr: expect.stringContaining(
        'skyctl: the background process that should undo the change ends whenever it is started',
      ),
    })
    expect(gate.open()).toEqual(['22'])
    expect((await shell('skyctl regions view us-east')).stderr).toContain('. It was started again\n')
    await until(() => gate.open().length === 0)
  })

  test('gets a new watcher from the next command if skyctl and its watcher are killed', async ({
    runCommand,
    shell,
    gate,
    watchers,
  }) => {
    await runCommand(`${open} --for 1h`)
    for (const pid of watchers()) kill(pid)
    await until(() => watchers().length === 0)
    const [first, second] = [await shell('skyctl regions view us-east'), await shell('skyctl regions view us-east')]
    expect(first.stderr).toBe(
      'skyctl: warning: the background process was killed before it could undo the change: tcp/22 from 198.51.100.7/32 is open at firewall "gate" (9100). It was started again\n',
    )
    expect({ stderr: second.stderr, open: gate.open(), watchers: watchers().length }).toEqual({
      stderr: '',
      open: ['22'],
      watchers: 1,
    })
    process.kill(watchers()[0] ?? 0, 'SIGTERM')
    await until(() => watchers().length === 0)
    expect(gate.rules()).toEqual(initialRules)
  })

  test('stays open if skyctl and its watcher are killed, until a sweep after its time', async ({
    runCommand,
    shell,
    gate,
    watchers,
    clock,
  }) => {
    await runCommand(`${open} --for 1h`)
    for (const pid of watchers()) kill(pid)
    await until(() => watchers().length === 0)
    const elsewhere = { env: { SKYCTL_STATE_DIR: '/dev/null/state' } }
    expect(await shell('skyctl firewalls close --expired', elsewhere)).toMatchObject({ exit: 0 })
    expect(gate.open()).toEqual(['22'])
    clock.advance(3_600_001)
    expect(await shell('skyctl firewalls close --expired', elsewhere)).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('Closed tcp/22 from 198.51.100.7/32 of firewall "gate" (9100)\n'),
    })
    expect(gate.rules()).toEqual(initialRules)
  })

  test('is reported with others in the order of closing', async ({ runCommand, shell, gate, watchers }) => {
    for (const port of [21, 22, 23, 25, 53])
      await runCommand(`firewalls open gate --port ${port} --from 198.51.100.7 --for 1h`)
    const order: unknown[] = []
    for (const pid of watchers()) {
      const open = gate.open()
      // A watcher that gets SIGTERM undoes its change at once.
      process.kill(pid, 'SIGTERM')
      await until(() => gate.open().length < open.length && !watchers().includes(pid))
      order.push(...open.filter((port) => !gate.open().includes(port)))
    }
    const { stderr } = await shell('skyctl regions view us-east -q')
    expect([...stderr.matchAll(/Closed tcp\/(\d+)/g)].map(([, port]) => port)).toEqual(order)
    expect(order).toHaveLength(5)
  })

  test('is closed early by "firewalls close", which ends its watcher', async ({
    runCommand,
    shell,
    gate,
    watchers,
    records,
  }) => {
    await runCommand(`${open} --for 1h`)
    // An opening from another machine that was changed since stays.
    const foreign = { ...openingRule(ssh, { mark: '0123456789abcdef', until: 0 }), ports: '24' }
    gate.write(({ inbound }) => ({ inbound: [...inbound, foreign] }))
    expect(await shell('skyctl firewalls close --json')).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('"firewall": "gate"'),
    })
    expect(gate.rules()).toEqual({ ...initialRules, inbound: [...initialRules.inbound, foreign] })
    await until(() => watchers().length === 0)
    expect(records()).toEqual([])
  })

  test('leaves no watcher if "firewalls close" has closed it and the service is unavailable then', async ({
    proxy,
    runCommand,
    gate,
    watchers,
    records,
  }) => {
    await runCommand(`${open} --for 1h`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    // Only the watcher cannot reach it.
    proxy.away(120_000, answer503)
    expect(await runCommand('firewalls close gate')).toMatchObject({ exit: 0 })
    expect(gate.rules()).toEqual(initialRules)
    await until(() => watchers().length === 0)
    expect(records()).toEqual([])
  })

  test('removes only its own rule, although others change the rest', async ({ gate, watchers, running }) => {
    const { finish } = await running()
    const rival = { ...ssh, ports: '2222', label: 'rival' }
    gate.write(({ inbound }) => ({ inbound: [rival, ...inbound.toReversed()], outbound: [{ ...ssh, label: 'out' }] }))
    await finish()
    expect(gate.rules().inbound).toEqual([rival, ping, ssh])
    expect(gate.rules().outbound.map(({ label }) => label)).toEqual(['out'])
    await until(() => watchers().length === 0)
  })

  test('is opened although its output cannot be written', async ({ shell, gate }) => {
    await shell(`skyctl ${open} --for 1h --json | true`, { isProcess: true })
    expect(gate.open()).toEqual(['22'])
    expect(await shell(`skyctl ${open} --for 1h > /dev/full`, { isProcess: true })).toMatchObject({ exit: 12 })
    expect(gate.open()).toEqual(['22', '22'])
  })

  test('is closed at once if its command and skyctl cannot write their output', async ({ shell, gate, watchers }) => {
    const line = `skyctl ${open} --for 1h --json -- sh -c "echo x" > /dev/full 2> /dev/full`
    const { exit } = await shell(line, { isProcess: true })
    expect({ isFailure: exit !== 0, rules: gate.rules() }).toEqual({ isFailure: true, rules: initialRules })
    await until(() => watchers().length === 0)
  })

  test('is not restored by "rules undo"', async ({ runCommand, shell, gate }) => {
    await shell('skyctl firewalls rules remove gate inbound label:ssh --yes')
    await runCommand(`${open} -- true`)
    expect(await shell('skyctl firewalls rules undo gate --yes')).toMatchObject({ exit: 0 })
    expect(gate.rules().inbound.map(({ label }) => label)).toEqual(['ssh', 'ping'])
  })

  test('does not affect another opening of the same port', async ({ start, gate }) => {
    const [one, other] = [start(`${open} ${waiting}`), start(`${open} ${waiting}`)]
    await Promise.all([one.until('running'), other.until('running')])
    expect(gate.open()).toEqual(['22', '22'])
    one.stdin.write('\n')
    expect(await one.end).toMatchObject({ exit: 0 })
    expect(gate.open()).toEqual(['22'])
    other.stdin.write('\n')
    expect(await other.end).toMatchObject({ exit: 0 })
    expect(gate.rules()).toEqual(initialRules)
  })

  test('leaves a rule that somebody has changed, with exit code 6', async ({ shell, gate, running }) => {
    const { finish } = await running()
    gate.write(({ inbound: [rule, ...others] }) => ({ inbound: [{ ...(rule ?? ssh), label: 'vpn' }, ...others] }))
    expect(await finish()).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining('it was not removed. Run: skyctl firewalls rules list 9100\n'),
    })
    expect(gate.rules().inbound.map(({ label }) => label)).toEqual(['vpn', 'ssh', 'ping'])
    expect(await shell('skyctl firewalls close gate --json')).toMatchObject({ exit: 6, stdout: '' })
    expect(await shell('skyctl firewalls close --expired')).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('was not removed'),
    })
    expect(gate.rules().inbound).toHaveLength(3)
  })

  test('is rejected before any change if the firewall has the maximum number of rules', async ({
    runCommand,
    gate,
    world,
    watchers,
  }) => {
    gate.write(() => ({
      inbound: Array.from({ length: 20 }, () => ssh),
      outbound: Array.from({ length: 5 }, () => ssh),
    }))
    expect(await runCommand(`${open} --for 1h`)).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining('has 25 rules, the maximum'),
    })
    expect(world.requests('PUT')).toEqual([])
    expect(watchers()).toEqual([])
  })

  test('is closed if the process is killed during its request', async ({ proxy, start, gate, sandbox, watchers }) => {
    const request = proxy.hold('PUT', /rules$/)
    const { kill, end } = start(`${open} ${waiting}`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await request.arrived
    kill('SIGKILL')
    await end
    // The request arrives after the first check of the watcher.
    const reads = sandbox.world.requests('GET').length
    await until(() => sandbox.world.requests('GET').length > reads)
    request.release()
    await request.ended
    await until(() => gate.open().length === 0 && watchers().length === 0)
    expect(gate.rules()).toEqual(initialRules)
  })

  test('is closed if the process is terminated during its request', async ({
    proxy,
    start,
    gate,
    sandbox,
    watchers,
    records,
  }) => {
    const request = proxy.hold('PUT', /rules$/)
    const {
      until: waitFor,
      kill,
      end,
    } = start(`${open} ${waiting}`, { env: { ...faster, SKYCTL_BASE_URL: proxy.baseUrl } })
    await request.arrived
    kill('SIGTERM')
    // skyctl waits a few seconds for the answer; the request may arrive later.
    await waitFor('waiting up to')
    const reads = sandbox.world.requests('GET').length
    await until(() => sandbox.world.requests('GET').length > reads)
    request.release()
    expect(await end).toMatchObject({ exit: 11, stderr: expect.stringContaining('Closed tcp/22 from 198.51.100.7') })
    expect(gate.rules()).toEqual(initialRules)
    await until(() => watchers().length === 0)
    expect(records()).toEqual([])
  })

  test('is closed if a gateway answers 502 three times, because it may be open', async ({
    proxy,
    runCommand,
    gate,
    watchers,
    records,
  }) => {
    loseAsBadGateway(proxy)
    const { exit, stderr } = await runCommand(`${open} --for 1h`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    expect({ exit, stderr, left: proxy.pending() }).toEqual({
      exit: 11,
      stderr: expect.stringContaining('Closed tcp/22 from 198.51.100.7'),
      left: 0,
    })
    expect(gate.rules()).toEqual(initialRules)
    await until(() => watchers().length === 0)
    expect(records()).toEqual([])
  })

  test('leaves no watcher if the API rejects it', async ({ proxy, runCommand, gate, watchers, records }) => {
    proxy.lose('PUT', /rules$/, { done: false, reply: refusal })
    expect(await runCommand(`${open} --for 1h`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })).toMatchObject({
      exit: 6,
      stderr: expect.stringMatching(/^skyctl: .*not today.*\n$/),
    })
    expect(gate.rules()).toEqual(initialRules)
    await until(() => watchers().length === 0)
    expect(records()).toEqual([])
  })

  test('is not attempted if the rules cannot be read, and reports no closing', async ({
    proxy,
    runCommand,
    world,
    gate,
    records,
  }) => {
    // skyctl reads the rules twice: to count them, and right before the change.
    proxy.pass('GET', /rules$/)
    proxy.lose('GET', /rules$/, { done: false, reply: refusal })
    expect(await runCommand(`${open} --for 1h`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })).toMatchObject({
      exit: 6,
      stderr: expect.stringMatching(/^skyctl: .*not today.*\n$/),
    })
    expect({ puts: world.requests('PUT'), open: gate.open(), records: records(), left: proxy.pending() }).toEqual({
      puts: [],
      open: [],
      records: [],
      left: 0,
    })
  })

  test('ends without an error if somebody deletes the firewall', async ({ gate, world, records, running }) => {
    const { finish } = await running()
    expect(gate.open()).toEqual(['22'])
    world.network.firewalls.delete(9100)
    expect(await finish()).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('firewall "gate" (9100) no longer exists\n'),
    })
    expect(records()).toEqual([])
  })

  test('stays open with exit code 6 if the token was revoked, and prints how to close it', async ({
    gate,
    world,
    env,
    running,
  }) => {
    const { finish } = await running()
    for (const { id, token } of world.tokens.all()) if (token === env.SKYCTL_TOKEN) world.tokens.delete(id)
    expect(await finish()).toMatchObject({
      exit: 6,
      stderr: expect.stringMatching(
        /skyctl: tcp\/22 from 198\.51\.100\.7\/32 is open at firewall "gate" \(9100\); the API refused to undo it: token rejected.*\. Run: skyctl firewalls close 9100\n$/,
      ),
    })
    expect(gate.open()).toEqual(['22'])
  })

  test('is closed although the state folder cannot be created', async ({ gate, home, watchers, running }) => {
    writeFileSync(join(home, 'file'), '')
    const { finish } = await running({ env: { SKYCTL_STATE_DIR: join(home, 'file/state') } })
    expect(gate.open()).toEqual(['22'])
    expect(await finish()).toMatchObject({ exit: 0, stderr: expect.stringContaining('Closed tcp/22 from') })
    expect(gate.rules()).toEqual(initialRules)
    await until(() => watchers().length === 0)
  })

  test('is closed although the disk is full', async ({ gate, home, records, watchers, running }) => {
    const full = join(home, 'full.cjs')
    writeFileSync(
      full,
      `const fs = require('node:fs'), { openSync } = fs
      fs.openSync = (path, ...more) => {
        if (!String(path).includes('/watches/')) return openSync(path, ...more)
        throw Object.assign(new Error('ENOSPC: no space left on device, open'), { code: 'ENOSPC' })
      }`,
    )
    const { kill } = await running({ env: preloading(full) })
    expect({ open: gate.open(), records: records() }).toEqual({ open: ['22'], records: [] })
    kill('SIGKILL')
    await until(() => watchers().length === 0)
    expect(gate.rules()).toEqual(initialRules)
  })

  test('is closed if reading the rules is not allowed after it', async ({ proxy, start, gate, world }) => {
    const request = proxy.hold('PUT', /rules$/)
    const { end } = start(`${open} --for 1h`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await request.arrived
    proxy.lose('GET', /rules$/, { done: false, reply: refusal })
    request.release()
    expect(await end).toMatchObject({
      exit: 6,
      stderr: expect.stringMatching(/^Closed tcp\/22 from \S+ of firewall "gate" \(9100\)\nskyctl: .*not today/),
    })
    expect(gate.rules()).toEqual(initialRules)
    expect(world.requests('PUT')).toHaveLength(2)
  })

  test.for([-30, 30])('is closed on time although the clock jumps by %i days', async (days, { start, gate, home }) => {
    const [jump, clock] = [join(home, 'jump'), join(home, 'clock.cjs')]
    writeFileSync(jump, '0')
    const jumpMs = `Number(require("fs").readFileSync(${JSON.stringify(jump)})) * 86400000`
    writeFileSync(clock, `const real = Date.now; Date.now = () => real() + ${jumpMs}`)
    const began = performance.now()
    await start(`${open} --for 6s`, { env: preloading(clock) }).end
    writeFileSync(jump, String(days))
    await until(() => gate.open().length === 0)
    // Neither at once, nor when the clock shows its time again.
    expect(performance.now() - began).toBeGreaterThan(6_000)
  })

  test('is closed although an update has removed skyctl', async ({ shell, gate, home, watchers }) => {
    const folder = join(home, 'installed')
    mkdirSync(folder)
    const copy = copyProgram(folder)
    const opened = await shell(`${copy.program.join(' ')} ${open} --for 6s`)
    expect({ exit: opened.exit, open: gate.open() }).toEqual({ exit: 0, open: ['22'] })
    rmSync(folder, { recursive: true })
    await until(() => watchers().length === 0)
    expect(gate.rules()).toEqual(initialRules)
    expect((await shell('skyctl regions view us-east -q')).stderr).toMatch(/^Since the last command, .*: Closed tcp/)
  })

  test('has a watcher in a session of its own without a terminal', async ({ start, gate, watchers }) => {
    await start(`${open} --for 1h`).end
    expect(gate.open()).toEqual(['22'])
    const [watcher] = watchers()
    // Fields 6 and 7 of proc(5): the session and its terminal.
    const [, , , session, terminal] = readFileSync(`/proc/${watcher}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    expect({ session, terminal }).toEqual({ session: String(watcher), terminal: '0' })
  })

  test('stores its token in no file and no argument', async ({ start, gate, env, home, watchers }) => {
    // The compiled code contains the token of the sandbox.
    rmSync(join(home, '.cache'), { recursive: true, force: true })
    await start(`${open} --for 1h`).end
    expect(gate.open()).toEqual(['22'])
    const [watcher] = watchers()
    const texts = recordsIn(env.SKYCTL_STATE_DIR ?? '').concat(readFileSync(`/proc/${watcher}/cmdline`, 'utf8'))
    expect(texts).toHaveLength(2)
    expect(texts.filter((text) => text.includes(env.SKYCTL_TOKEN ?? ''))).toEqual([])
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const holding = files.filter(({ parentPath, name }) =>
      readFileSync(join(parentPath, name)).includes(env.SKYCTL_TOKEN ?? ''),
    )
    expect(holding).toEqual([])
  })
})
