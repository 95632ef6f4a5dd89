/** Firewalls that are open for a while: they are closed whatever becomes of the processes that are to do it. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { openingRule } from '../../src/firewall/temporary-opening'
import { loseAsBadGateway, refusal } from '../support/lossy'
import { test as base, before, ping, recordsIn, ssh, until } from '../support/openings'
import type { Ended, ProcessOptions, Running } from '../support/process'
import { copyProgram, preloading } from '../support/program'
import { kill } from '../support/watchers'

const open = 'firewalls open gate --port 22 --from 198.51.100.7'
const faster = { ...preloading(join(import.meta.dirname, '../support/faster.cjs')), FASTER: '5' }
/** Says that it runs, and then waits until it is let go. */
const waiting = '-- sh -c "echo running; read -r _"'

const test = base.extend<{
  /** Opens the firewall while a command runs, which `finish` lets go. */
  running(options?: ProcessOptions): Promise<Running & { finish(): Promise<Ended> }>
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

describe.concurrent('A firewall that is opened for a while', () => {
  test('has the rule before all others, and is closed in its time', async ({ start, shell, gate, watchers }) => {
    const opened = await start(`${open} --for 2s`).end
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
    expect(gate.rules()).toEqual(before)
    // Told once, and first.
    const [told, again] = [await shell('skyctl regions view us-east -q'), await shell('skyctl regions view us-east -q')]
    expect(told.stderr).toMatch(
      /^Since the last command, at \S+ \S+ UTC: Closed tcp\/22 from 198\.51\.100\.7\/32 of firewall "gate" \(9100\)\n$/,
    )
    expect(again.stderr).toBe('')
  })

  test('is closed before its time by the command that it names, which acts on the same account', async ({
    ended,
    shell,
    gate,
    sandbox,
  }) => {
    const env = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
    const login = `auth login --context prod --with-token --base-url ${sandbox.baseUrl}`
    expect(await ended(login, { stdin: sandbox.ownerToken })).toMatchObject({ exit: 0 })
    const { stderr } = await ended(`--context prod ${open} --for 1h`, { env })
    const [, line = ''] = /Close it earlier: (skyctl .*)\n/.exec(stderr) ?? []
    expect(line).toBe('skyctl firewalls close 9100 --context prod')
    expect(await shell(line, { env })).toMatchObject({ exit: 0 })
    expect(gate.rules()).toEqual(before)
  })

  test('is open as long as a command runs, whose exit code is that of skyctl', async ({ start, gate, records }) => {
    const {
      stdin,
      until: shown,
      end,
    } = start(`${open} -- sh -c "echo running; read -r _; echo $SKYCTL_TOKEN.; exit 7"`)
    await shown('running')
    expect(gate.open()).toEqual(['22'])
    stdin.write('\n')
    const { exit, stdout, stderr } = await end
    expect({ exit, stdout }).toEqual({ exit: 7, stdout: 'running\n.\n' })
    expect(stderr).toContain('Closed tcp/22 from 198.51.100.7/32 of firewall "gate" (9100)\n')
    expect(gate.rules()).toEqual(before)
    expect(records()).toEqual([])
  })

  test('is closed where a signal ends the command: 128 and its number', async ({ ended, gate }) => {
    expect(await ended(`${open} -- sh -c "kill -KILL $$"`)).toMatchObject({ exit: 137 })
    expect(gate.rules()).toEqual(before)
  })

  test('is closed where the command cannot be run', async ({ ended, gate }) => {
    expect(await ended(`${open} -- no-such-command`)).toMatchObject({
      exit: 12,
      stderr: expect.stringContaining('"no-such-command" cannot be run: no such program\n'),
    })
    expect(gate.rules()).toEqual(before)
  })

  test('is closed where SIGTERM ends skyctl and its command', async ({ gate, running }) => {
    const { kill, end } = await running()
    kill('SIGTERM')
    expect(await end).toMatchObject({ exit: 143 })
    expect(gate.rules()).toEqual(before)
  })

  test('is closed after a kill, and the next command says so', async ({ shell, gate, records, running }) => {
    const { kill } = await running()
    kill('SIGKILL')
    await until(() => gate.open().length === 0 && records().some((text) => text.includes('"outcome"')))
    expect(gate.rules()).toEqual(before)
    expect((await shell('skyctl regions view us-east')).stderr).toMatch(/^Since the last command, .* Closed tcp\/22 /)
  })

  test('has another watcher where the first one is killed', async ({ gate, watchers, running }) => {
    const { kill: killFirst, finish } = await running()
    const [watcher = 0] = watchers()
    kill(watcher)
    await until(() => watchers().some((pid) => pid !== watcher))
    expect(await finish()).toMatchObject({ exit: 0 })
    expect(gate.rules()).toEqual(before)
    killFirst('SIGKILL')
  })

  test('stands where each watcher is killed: that is said in the end, and the next command says what closes it', async ({
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
    expect((await shell('skyctl regions view us-east')).stderr).toContain('. Run: skyctl firewalls close 9100\n')
  })

  test('stands where both are killed: the next command says what stands and what closes it', async ({
    ended,
    shell,
    gate,
    watchers,
    clock,
  }) => {
    await ended(`${open} --for 1h`)
    for (const pid of watchers()) kill(pid)
    await until(() => watchers().length === 0)
    const [told, again] = [await shell('skyctl regions view us-east'), await shell('skyctl regions view us-east')]
    expect(told.stderr).toBe(
      'skyctl: warning: the background process was killed before it could undo the change: tcp/22 from 198.51.100.7/32 is open at firewall "gate" (9100). Run: skyctl firewalls close 9100\n',
    )
    expect(again.stderr).toBe('')
    expect(await shell('skyctl firewalls sweep')).toMatchObject({ exit: 0, stderr: 'No expired openings\n' })
    expect(gate.open()).toEqual(['22'])
    clock.advance(3_600_001)
    expect(await shell('skyctl firewalls sweep')).toMatchObject({
      exit: 0,
      stderr: 'Closed tcp/22 from 198.51.100.7/32 of firewall "gate" (9100)\n',
    })
    expect(gate.rules()).toEqual(before)
  })

  test('is told with others in the order in which they were closed', async ({ ended, shell, gate, watchers }) => {
    for (const port of [21, 22, 23, 25, 53])
      await ended(`firewalls open gate --port ${port} --from 198.51.100.7 --for 1h`)
    const order: unknown[] = []
    for (const pid of watchers()) {
      const open = gate.open()
      // What would end it has it do its work now.
      process.kill(pid, 'SIGTERM')
      await until(() => gate.open().length < open.length && !watchers().includes(pid))
      order.push(...open.filter((port) => !gate.open().includes(port)))
    }
    const { stderr } = await shell('skyctl regions view us-east -q')
    expect([...stderr.matchAll(/Closed tcp\/(\d+)/g)].map(([, port]) => port)).toEqual(order)
    expect(order).toHaveLength(5)
  })

  test('is closed before its time by close; its watcher ends', async ({ ended, shell, gate, watchers, records }) => {
    await ended(`${open} --for 1h`)
    // From another machine, and changed since: that is for whoever opened it.
    const foreign = { ...openingRule(ssh, { mark: '0123456789abcdef', until: 0 }), ports: '24' }
    gate.write(({ inbound }) => ({ inbound: [...inbound, foreign] }))
    expect(await shell('skyctl firewalls close --json')).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('"firewall": "gate"'),
    })
    expect(gate.rules()).toEqual({ ...before, inbound: [...before.inbound, foreign] })
    await until(() => watchers().length === 0)
    expect(records()).toEqual([])
  })

  test('loses its own rule and nothing else, however others change the rest', async ({ gate, watchers, running }) => {
    const { finish } = await running()
    const rival = { ...ssh, ports: '2222', label: 'rival' }
    gate.write(({ inbound }) => ({ inbound: [rival, ...inbound.toReversed()], outbound: [{ ...ssh, label: 'out' }] }))
    await finish()
    expect(gate.rules().inbound).toEqual([rival, ping, ssh])
    expect(gate.rules().outbound.map(({ label }) => label)).toEqual(['out'])
    await until(() => watchers().length === 0)
  })

  test('is open although nobody reads of it', async ({ shell, gate }) => {
    await shell(`skyctl ${open} --for 1h --json | true`, { isProcess: true })
    expect(gate.open()).toEqual(['22'])
    expect(await shell(`skyctl ${open} --for 1h > /dev/full`, { isProcess: true })).toMatchObject({ exit: 12 })
    expect(gate.open()).toEqual(['22', '22'])
  })

  test('is no change that an undo would bring back', async ({ ended, shell, gate }) => {
    await shell('skyctl firewalls rules remove gate inbound label:ssh --yes')
    await ended(`${open} -- true`)
    expect(await shell('skyctl firewalls rules undo gate --yes')).toMatchObject({ exit: 0 })
    expect(gate.rules().inbound.map(({ label }) => label)).toEqual(['ssh', 'ping'])
  })

  test('does not disturb another opening of the same', async ({ start, gate }) => {
    const [one, other] = [start(`${open} ${waiting}`), start(`${open} ${waiting}`)]
    await Promise.all([one.until('running'), other.until('running')])
    expect(gate.open()).toEqual(['22', '22'])
    one.stdin.write('\n')
    expect(await one.end).toMatchObject({ exit: 0 })
    expect(gate.open()).toEqual(['22'])
    other.stdin.write('\n')
    expect(await other.end).toMatchObject({ exit: 0 })
    expect(gate.rules()).toEqual(before)
  })

  test('keeps a rule that somebody has changed, and says so with an exit code', async ({ shell, gate, running }) => {
    const { finish } = await running()
    gate.write(({ inbound: [rule, ...others] }) => ({ inbound: [{ ...(rule ?? ssh), label: 'vpn' }, ...others] }))
    expect(await finish()).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining('it was not removed. Run: skyctl firewalls rules list 9100\n'),
    })
    expect(gate.rules().inbound.map(({ label }) => label)).toEqual(['vpn', 'ssh', 'ping'])
    expect(await shell('skyctl firewalls close gate --json')).toMatchObject({ exit: 6, stdout: '' })
    expect(await shell('skyctl firewalls sweep')).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('was not removed'),
    })
    expect(gate.rules().inbound).toHaveLength(3)
  })

  test('is refused at a firewall that is full, before anything is sent', async ({ ended, gate, world, watchers }) => {
    gate.write(() => ({
      inbound: Array.from({ length: 20 }, () => ssh),
      outbound: Array.from({ length: 5 }, () => ssh),
    }))
    expect(await ended(`${open} --for 1h`)).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining('has 25 rules, the maximum'),
    })
    expect(world.requests('PUT')).toEqual([])
    expect(watchers()).toEqual([])
  })

  test('is closed where the process is killed while its request is on its way', async ({
    proxy,
    start,
    gate,
    sandbox,
    watchers,
  }) => {
    const held = proxy.hold('PUT', /rules$/)
    const { kill, end } = start(`${open} ${waiting}`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await held.arrived
    kill('SIGKILL')
    await end
    // The service gets it when the watcher has already looked.
    const looks = sandbox.world.requests('GET').length
    await until(() => sandbox.world.requests('GET').length > looks)
    held.release()
    await held.gone
    await until(() => gate.open().length === 0 && watchers().length === 0)
    expect(gate.rules()).toEqual(before)
  })

  test('is closed where the process is terminated while its request is on its way', async ({
    proxy,
    start,
    gate,
    sandbox,
    watchers,
    records,
  }) => {
    const held = proxy.hold('PUT', /rules$/)
    const {
      until: shown,
      kill,
      end,
    } = start(`${open} ${waiting}`, { env: { ...faster, SKYCTL_BASE_URL: proxy.baseUrl } })
    await held.arrived
    kill('SIGTERM')
    // It is waited for a few seconds, and may arrive after them.
    await shown('waiting up to')
    const looks = sandbox.world.requests('GET').length
    await until(() => sandbox.world.requests('GET').length > looks)
    held.release()
    expect(await end).toMatchObject({ exit: 11, stderr: expect.stringContaining('Closed tcp/22 from 198.51.100.7') })
    expect(gate.rules()).toEqual(before)
    await until(() => watchers().length === 0)
    expect(records()).toEqual([])
  })

  test('that a gateway answers with 502 three times may be open, and is closed', async ({
    proxy,
    ended,
    gate,
    watchers,
    records,
  }) => {
    loseAsBadGateway(proxy)
    const { exit, stderr } = await ended(`${open} --for 1h`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    expect({ exit, stderr, left: proxy.pending() }).toEqual({
      exit: 11,
      stderr: expect.stringContaining('Closed tcp/22 from 198.51.100.7'),
      left: 0,
    })
    expect(gate.rules()).toEqual(before)
    await until(() => watchers().length === 0)
    expect(records()).toEqual([])
  })

  test('was not opened where the service refuses it: nothing is closed, and no watcher stays', async ({
    proxy,
    ended,
    gate,

    watchers,
    records,
  }) => {
    proxy.lose('PUT', /rules$/, { done: false, reply: refusal })
    expect(await ended(`${open} --for 1h`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })).toMatchObject({
      exit: 6,
      stderr: expect.stringMatching(/^skyctl: .*not today.*\n$/),
    })
    expect(gate.rules()).toEqual(before)
    await until(() => watchers().length === 0)
    expect(records()).toEqual([])
  })

  test('was never opened where the rules cannot be read any more, and nothing is said of closing', async ({
    proxy,
    ended,

    world,
    gate,
    records,
  }) => {
    // Once to see whether there is room, and once right before the change.
    proxy.pass('GET', /rules$/)
    proxy.lose('GET', /rules$/, { done: false, reply: refusal })
    expect(await ended(`${open} --for 1h`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })).toMatchObject({
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

  test('is gone with its firewall where somebody deletes that', async ({ gate, world, records, running }) => {
    const { finish } = await running()
    expect(gate.open()).toEqual(['22'])
    world.network.firewalls.delete(9100)
    expect(await finish()).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('firewall "gate" (9100) no longer exists\n'),
    })
    expect(records()).toEqual([])
  })

  test('stays open where the token was revoked: it says so with an exit code, and what closes it', async ({
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
        /skyctl: tcp\/22 from 198\.51\.100\.7\/32 is open at firewall "gate" \(9100\): token rejected.*\. Run: skyctl firewalls close 9100\n$/,
      ),
    })
    expect(gate.open()).toEqual(['22'])
  })

  test('is closed although nothing can be kept on this machine', async ({ gate, home, watchers, running }) => {
    writeFileSync(join(home, 'file'), '')
    const { finish } = await running({ env: { SKYCTL_STATE_DIR: join(home, 'file/state') } })
    expect(gate.open()).toEqual(['22'])
    expect(await finish()).toMatchObject({ exit: 0, stderr: expect.stringContaining('Closed tcp/22 from') })
    expect(gate.rules()).toEqual(before)
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
    expect(gate.rules()).toEqual(before)
  })

  test('is closed where it was opened, and may not be looked at', async ({ proxy, start, gate, world }) => {
    const held = proxy.hold('PUT', /rules$/)
    const { end } = start(`${open} --for 1h`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await held.arrived
    proxy.lose('GET', /rules$/, { done: false, reply: refusal })
    held.release()
    expect(await end).toMatchObject({
      exit: 6,
      stderr: expect.stringMatching(/^Closed tcp\/22 from \S+ of firewall "gate" \(9100\)\nskyctl: .*not today/),
    })
    expect(gate.rules()).toEqual(before)
    expect(world.requests('PUT')).toHaveLength(2)
  })

  test.for([-30, 30])(
    'is closed in its time although the clock jumps by %i days',
    async (days, { start, gate, home }) => {
      const [jump, clock] = [join(home, 'jump'), join(home, 'clock.cjs')]
      writeFileSync(jump, '0')
      const jumpMs = `Number(require("fs").readFileSync(${JSON.stringify(jump)})) * 86400000`
      writeFileSync(clock, `const real = Date.now; Date.now = () => real() + ${jumpMs}`)
      await start(`${open} --for 5s`, { env: preloading(clock) }).end
      const opened = performance.now()
      writeFileSync(jump, String(days))
      await until(() => gate.open().length === 0)
      // Neither at once, nor when the clock shows its time again.
      expect(performance.now() - opened).toBeGreaterThan(3_500)
    },
  )

  test('is closed although skyctl is removed meanwhile, by an update', async ({ shell, gate, home, watchers }) => {
    const folder = join(home, 'installed')
    mkdirSync(folder)
    const copy = copyProgram(folder)
    const opened = await shell(`${copy.program.join(' ')} ${open} --for 3s`)
    expect({ exit: opened.exit, open: gate.open() }).toEqual({ exit: 0, open: ['22'] })
    rmSync(folder, { recursive: true })
    await until(() => watchers().length === 0)
    expect(gate.rules()).toEqual(before)
    expect((await shell('skyctl regions view us-east -q')).stderr).toMatch(/^Since the last command, .*: Closed tcp/)
  })

  test('has a watcher in a session of its own, out of reach of a terminal', async ({ start, gate, watchers }) => {
    await start(`${open} --for 1h`).end
    expect(gate.open()).toEqual(['22'])
    const [watcher] = watchers()
    // proc(5): the 6th field is the session, the 7th its terminal.
    const [, , , session, terminal] = readFileSync(`/proc/${watcher}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    expect({ session, terminal }).toEqual({ session: String(watcher), terminal: '0' })
  })

  test('has its token in no file and in no argument', async ({ start, gate, env, home, watchers }) => {
    // The compiled code of the sandbox names this token, as its source does.
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
