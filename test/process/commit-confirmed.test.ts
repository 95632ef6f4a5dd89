/** Rule changes that are kept only if a command confirms them (--keep-if), with processes. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { openingRule } from '../../src/firewall/temporary-opening'
import { busy, loseAsBadGateway, refusal } from '../support/lossy-proxy'
import { oldService } from '../support/old-rules'
import { initialRules, ping, ssh, test, until } from '../support/openings'
import { preloading } from '../support/program'
import { openProxy } from '../support/proxy'
import { kill } from '../support/watchers'

const removeSsh = 'firewalls rules remove gate inbound label:ssh --yes'
/** Shortens the time in which a watcher checks whether a rejected request arrives after all. */
const faster = join(import.meta.dirname, '../support/fast-clock.cjs')
const withoutSsh = { ...initialRules, inbound: [ping] }
/** A check that leaves a file when it runs, and fails. */
const failingCheck = (home: string) => `--confirm-within 1h --keep-if "touch ${join(home, 'tried')}; false"`
const checkTried = (home: string) => until(() => existsSync(join(home, 'tried')))

describe.concurrent('A rule change with --keep-if', () => {
  test('is kept once the command succeeds after retries', async ({ start, gate, home, watchers, records }) => {
    const file = join(home, 'reached')
    const { until: waitFor, end } = start(
      `${removeSsh} --confirm-within 1h --keep-if "echo checking >&2; test -e ${file}"`,
    )
    await waitFor('checking')
    expect(await waitFor('Waiting')).toMatch(/\nWaiting up to (1h 0m|59m \d+s) until it is confirmed by: echo checking/)
    expect(gate.rules()).toEqual(withoutSsh)
    writeFileSync(file, '')
    expect(await end).toMatchObject({ exit: 0 })
    expect(gate.rules()).toEqual(withoutSsh)
    await until(() => watchers().length === 0)
    expect(records()).toEqual([])
  })

  test.for([
    ['', 2],
    ['--json', 0],
  ] as const)('shows the output of the command, but not with --json: %j', async ([flags, times], { start, gate }) => {
    const { exit, stdout, stderr } = await start(`${removeSsh} --keep-if "echo output; echo output >&2" ${flags}`).end
    expect({ exit, rules: gate.rules() }).toEqual({ exit: 0, rules: withoutSsh })
    expect(stderr.match(/^output$/gm) ?? []).toHaveLength(times)
    expect(stdout).not.toContain('output')
  })

  test.for([
    'add gate inbound --action drop --protocol udp --from 192.0.2.0/24',
    'remove gate inbound label:ssh',
    'move gate inbound label:ping --at 1',
    'update gate --outbound-policy drop',
    'edit gate',
    'undo gate',
  ])(
    'is undone with exit code 6 if the command never succeeds: rules %s',
    async (line, { runCommand, shell, gate, records }) => {
      await shell('skyctl firewalls rules add gate inbound --action drop --protocol udp --port 53 --from 192.0.2.0/24')
      const previous = gate.rules()
      const { exit, stderr } = await runCommand(
        `firewalls rules ${line} --yes --confirm-within 5s --keep-if "exit 3"`,
        {
          env: { EDITOR: 'sed -i s/22/23/' },
        },
      )
      expect({ exit, stderr }).toEqual({
        exit: 6,
        stderr: expect.stringMatching(
          /skyctl: --keep-if: it did not succeed within 5 s; (it was still running; )?its last exit code was 3\. Restored the previous rules of firewall "gate" \(9100\)/,
        ),
      })
      expect(gate.rules()).toEqual(previous)
      expect(records()).toEqual([])
    },
  )

  test.for([
    ['no-such-command --at-all', 127],
    ['/dev/null', 126],
  ] as const)('is undone at once if the command cannot run: %s', async ([command, code], { start, gate }) => {
    const { exit, stderr } = await start(`${removeSsh} --confirm-within 1h --keep-if "${command}"`).end
    const text = `--keep-if: the command cannot be run; its exit code was ${code}. Restored the previous rules of firewall "gate"`
    expect({ exit, stderr }).toEqual({ exit: 6, stderr: expect.stringContaining(text) })
    expect(gate.rules()).toEqual(initialRules)
  })

  test('leaves nothing to undo after it was undone', async ({ runCommand, shell, gate }) => {
    await runCommand(`${removeSsh} --confirm-within 5s --keep-if false`)
    expect(await shell('skyctl firewalls rules undo gate --yes')).toMatchObject({
      exit: 0,
      stderr: 'No changes\n',
    })
    expect(gate.rules()).toEqual(initialRules)
    const { stdout } = await shell("skyctl history list --query '[].command' -o json")
    expect(JSON.parse(stdout)).toEqual(['automatic rollback', 'firewalls rules remove'])
    const { exit, stderr } = await shell('skyctl history undo --yes')
    expect({ exit, stderr }).toEqual({
      exit: 5,
      stderr: expect.stringMatching(/^skyctl: no change is left that was made/),
    })
  })

  test("is not undone over somebody else's later change", async ({ start, gate, home }) => {
    const { end, kill: killFirst } = start(`${removeSsh} ${failingCheck(home)}`)
    await checkTried(home)
    gate.write(({ inbound }) => ({ inbound: [...inbound, { ...ssh, label: 'rival' }] }))
    killFirst('SIGTERM')
    expect(await end).toMatchObject({
      exit: 143,
      stderr: expect.stringContaining(
        'Somebody else has changed the rules of firewall "gate" (9100) since: nothing was restored. Run: skyctl firewalls rules undo 9100\n',
      ),
    })
    expect(gate.rules().inbound.map(({ label }) => label)).toEqual(['ping', 'rival'])
  })

  test('is undone without bringing back an opening that was closed meanwhile', async ({ start, gate, home }) => {
    const opening = openingRule(ssh, { mark: '0123456789abcdef', until: Date.parse('2099-01-01T00:00:00Z') })
    gate.write(({ inbound }) => ({ inbound: [opening, ...inbound] }))
    const { end, kill: killFirst } = start(`${removeSsh} ${failingCheck(home)}`)
    await checkTried(home)
    gate.write(({ inbound }) => ({ inbound: inbound.slice(1) }))
    killFirst('SIGTERM')
    expect(await end).toMatchObject({ stderr: expect.stringContaining('Restored the previous rules of') })
    expect(gate.rules()).toEqual(initialRules)
  })

  test('is undone if the first process is killed, and the next command reports it', async ({
    start,
    shell,
    gate,
    home,
    records,
  }) => {
    const { kill: killFirst } = start(`${removeSsh} ${failingCheck(home)}`)
    await checkTried(home)
    killFirst('SIGKILL')
    await until(() => records().some((text) => text.includes('"outcome"')))
    expect(gate.rules()).toEqual(initialRules)
    expect((await shell('skyctl regions view us-east')).stderr).toMatch(
      /^Since the last command, at \S+ \S+ UTC: Restored the previous rules of firewall "gate" \(9100\)\n$/,
    )
  })

  test('is reported by the next command if the first process is killed before it gets the result of its undo', async ({
    start,
    proxy,
    shell,
    gate,
    records,
    watchers,
  }) => {
    proxy.pass('PUT', /rules$/)
    const undo = proxy.hold('PUT', /rules$/)
    const env = { SKYCTL_BASE_URL: proxy.baseUrl }
    const { kill: sendSignal, end } = start(`${removeSsh} --confirm-within 1h --keep-if "exit 127"`, { env })
    await undo.arrived
    // It cannot read the result.
    sendSignal('SIGSTOP')
    undo.release()
    await until(() => records().some((text) => text.includes('"outcome"')) && watchers().length === 0)
    sendSignal('SIGKILL')
    await end
    expect(gate.rules()).toEqual(initialRules)
    expect((await shell('skyctl regions view us-east')).stderr).toContain(
      'Restored the previous rules of firewall "gate" (9100)',
    )
  })

  test('is reported by every command if the service refuses the undo for good, until the rules are changed', async ({
    start,
    proxy,
    shell,
    gate,
    home,
    watchers,
    records,
  }) => {
    proxy.pass('PUT', /rules$/)
    proxy.lose('PUT', /rules$/, { done: false, reply: refusal })
    const { kill: killFirst } = start(`${removeSsh} ${failingCheck(home)}`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await checkTried(home)
    killFirst('SIGKILL')
    await until(() => records().some((text) => text.includes('"outcome"')))
    await until(() => watchers().length === 0)
    expect(gate.rules()).toEqual(withoutSsh)
    const report =
      /^skyctl: warning: Since the last command, at \S+ \S+ UTC: the unconfirmed change to the rules of firewall "gate" \(9100\) (is|may be) in effect; the API refused to undo it: not today. Run: skyctl firewalls rules undo 9100\n/
    const look = `SKYCTL_BASE_URL=${proxy.baseUrl} skyctl regions view us-east -q`
    for (const _command of ['first', 'second']) expect((await shell(look)).stderr).toMatch(report)
    const undo = await shell(`SKYCTL_BASE_URL=${proxy.baseUrl} skyctl firewalls rules undo 9100 --yes`)
    expect({ ...undo, rules: gate.rules() }).toMatchObject({ exit: 0, rules: initialRules })
    expect((await shell(look)).stderr).toBe('')
    expect(records()).toEqual([])
  })

  test('is undone beside rules whose empty forms the service refuses', async ({ runCommand, sandbox, gate }) => {
    const proxy = await openProxy(sandbox.baseUrl, oldService('empty'))
    try {
      const line = `${removeSsh} --confirm-within 5s --keep-if false`
      expect(await runCommand(line, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })).toMatchObject({
        exit: 6,
        stderr: expect.stringMatching(/(Restored t|T)he previous rules of firewall "gate"/),
      })
      expect(gate.rules()).toEqual(initialRules)
    } finally {
      await proxy.close()
    }
  })

  test('is tried again if the undo is refused because an instance is busy', async ({ runCommand, proxy, gate }) => {
    proxy.pass('PUT', /rules$/)
    proxy.lose('PUT', /rules$/, { done: false, reply: busy })
    const line = `${removeSsh} --confirm-within 5s --keep-if false`
    expect(await runCommand(line, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })).toMatchObject({
      exit: 6,
      stderr: expect.stringMatching(/(Restored t|T)he previous rules of firewall "gate"/),
    })
    expect(gate.rules()).toEqual(initialRules)
  })

  test('is undone by a new watcher if the first watcher was killed', async ({
    start,
    gate,
    home,
    watchers,
    records,
  }) => {
    const { kill: killFirst } = start(`${removeSsh} ${failingCheck(home)}`)
    await checkTried(home)
    const [watcher = 0] = watchers()
    kill(watcher)
    // The new watcher works once it is in the file.
    await until(() => records().some((text) => (text.match(/"watcher":/g) ?? []).length > 1))
    killFirst('SIGKILL')
    await until(() => watchers().length === 0)
    expect(gate.rules()).toEqual(initialRules)
  })

  test('stays if both processes are killed, until the next command starts another watcher', async ({
    start,
    shell,
    gate,
    home,
    watchers,
  }) => {
    const { kill: killFirst, end } = start(`${removeSsh} ${failingCheck(home)}`)
    await checkTried(home)
    for (const pid of watchers()) process.kill(pid, 'SIGSTOP')
    killFirst('SIGKILL')
    for (const pid of watchers()) kill(pid)
    await end
    await until(() => watchers().length === 0)
    expect(gate.rules()).toEqual(withoutSsh)
    expect((await shell('skyctl regions view us-east')).stderr).toBe(
      'skyctl: warning: the background process was killed before it could undo the change: the unconfirmed change to the rules of firewall "gate" (9100) is in effect. It was started again\n',
    )
    await until(() => watchers().length === 0)
    expect(gate.rules()).toEqual(initialRules)
    expect((await shell('skyctl regions view us-east')).stderr).toContain('Restored the previous rules of firewall')
  })

  test('is undone if the process is killed during its request', async ({ proxy, start, gate, world, watchers }) => {
    const request = proxy.hold('PUT', /rules$/)
    const { kill: killFirst, end } = start(`${removeSsh} --keep-if false`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await request.arrived
    const reads = world.requests('GET').length
    killFirst('SIGKILL')
    await end
    await until(() => world.requests('GET').length > reads)
    request.release()
    await request.ended
    await until(() => watchers().length === 0)
    expect(gate.rules()).toEqual(initialRules)
    expect(world.requests('PUT')).toHaveLength(2)
  })

  test('is undone if a gateway answers 502 three times, because it may be current', async ({
    proxy,
    runCommand,
    gate,
  }) => {
    loseAsBadGateway(proxy)
    const { exit, stderr } = await runCommand(`${removeSsh} --keep-if true`, {
      env: { SKYCTL_BASE_URL: proxy.baseUrl },
    })
    expect({ exit, stderr, left: proxy.pending() }).toEqual({
      exit: 11,
      stderr: expect.stringContaining('Restored the previous rules of firewall "gate" (9100)'),
      left: 0,
    })
    expect(gate.rules()).toEqual(initialRules)
  })

  test('leaves no watcher if the API rejects it', async ({ proxy, runCommand, gate, watchers, records }) => {
    proxy.lose('PUT', /rules$/, { done: false, reply: refusal })
    const { exit, stderr } = await runCommand(`${removeSsh} --keep-if true`, {
      env: { SKYCTL_BASE_URL: proxy.baseUrl },
    })
    expect({ exit, stderr }).toEqual({ exit: 6, stderr: expect.stringMatching(/not today.*\n$/) })
    expect(stderr).not.toContain('from before')
    expect(gate.rules()).toEqual(initialRules)
    await until(() => watchers().length === 0)
    expect(records()).toEqual([])
  })

  test('needs no confirmation if somebody else has just made it', async ({ proxy, start, gate, watchers, records }) => {
    // skyctl reads the rules twice: to prepare the change, and right before it.
    proxy.pass('GET', /rules$/)
    const request = proxy.hold('GET', /rules$/)
    const line = 'firewalls rules update gate --outbound-policy drop --yes --keep-if false'
    const { end } = start(line, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await request.arrived
    gate.write(() => ({ outbound_policy: 'DROP' }))
    request.release()
    expect(await end).toMatchObject({
      exit: 0,
      stderr: expect.stringMatching(/No changes\n$/),
    })
    expect(gate.rules()).toEqual({ ...initialRules, outbound_policy: 'DROP' })
    await until(() => watchers().length === 0)
    expect(records()).toEqual([])
  })

  test('is undone if reading the rules is not allowed after it', async ({ proxy, start, gate }) => {
    const request = proxy.hold('PUT', /rules$/)
    const { end } = start(`${removeSsh} --keep-if true`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await request.arrived
    proxy.lose('GET', /rules$/, { done: false, reply: refusal })
    request.release()
    expect(await end).toMatchObject({
      exit: 6,
      stderr: expect.stringMatching(/Restored the previous rules of firewall "gate" \(9100\)\n[\s\S]*not today/),
    })
    expect(gate.rules()).toEqual(initialRules)
  })

  test('is not undone if somebody else changes the rules right after it', async ({ runCommand, gate, sandbox }) => {
    const proxy = await openProxy(sandbox.baseUrl, {
      after: ({ method }) => {
        if (method === 'PUT') gate.write(({ inbound }) => ({ inbound: [...inbound, { ...ssh, label: 'rival' }] }))
      },
    })
    try {
      const line = 'firewalls rules update gate --outbound-policy drop --yes --keep-if true'
      expect(await runCommand(line, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })).toMatchObject({
        exit: 6,
        stderr: expect.stringContaining('(9100) since: nothing was restored. Run: skyctl firewalls rules undo 9100\n'),
      })
      expect(gate.rules()).toMatchObject({ outbound_policy: 'DROP', inbound: [ssh, ping, { label: 'rival' }] })
    } finally {
      await proxy.close()
    }
  })

  test('passes no token to the command', async ({ runCommand, home, gate }) => {
    const file = join(home, 'reached')
    const { exit } = await runCommand(`${removeSsh} --keep-if 'test -z "$SKYCTL_TOKEN" && touch ${file}'`)
    expect({ exit, reached: existsSync(file) }).toEqual({ exit: 0, reached: true })
    expect(gate.rules()).toEqual(withoutSsh)
  })

  test.for<[string, string]>([
    ['there is no terminal for the confirmation', '--confirm-within 90s'],
    ['--confirm-within: must be 1s to 24h', '--confirm-within 0s --keep-if true'],
    ['--keep-if: the command is empty', '--keep-if ""'],
    ['"soon" is not a time', '--confirm-within soon'],
  ])('is rejected before any request: %s', async ([text, flags], { runCommand, world }) => {
    expect(await runCommand(`${removeSsh} ${flags}`)).toMatchObject({ exit: 2, stderr: expect.stringContaining(text) })
    expect(world.requests()).toEqual([])
  })
})

describe.concurrent('An apply with --keep-if', () => {
  const account = JSON.stringify({
    firewalls: { gate: { rules: { ...withoutSsh } } },
    profile: { timezone: 'Europe/Berlin' },
  })

  test('restores only the rules', async ({ runCommand, gate, world }) => {
    expect(await runCommand('apply - --yes --confirm-within 5s --keep-if false', { stdin: account })).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining('Restored the previous rules of firewall "gate"'),
    })
    expect(gate.rules()).toEqual(initialRules)
    expect(world.users.all().find(({ username }) => username === 'owner')?.timezone).toBe('Europe/Berlin')
  })

  test('reports undone changes as failed in JSON', async ({ runCommand, gate, world }) => {
    const file = JSON.stringify({
      volumes: { 'data-2': { tags: ['a'] } },
      firewalls: { gate: { rules: { ...withoutSsh } } },
    })
    const line = 'apply - --yes --confirm-within 5s --keep-if false --json'
    const { stdout, stderr } = await runCommand(line, { stdin: file })
    const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')
    expect(JSON.parse(stdout)).toEqual({
      format_version: 1,
      changed: true,
      actions: [
        // Never started, since it comes after the confirmation.
        { kind: 'volumes', name: 'data-2', id: 3002, action: 'update', ok: false },
        { kind: 'firewalls', name: 'gate', id: 9100, action: 'update', ok: false, error },
      ],
      objects: [
        expect.objectContaining({ name: 'data-2', ok: false }),
        { kind: 'firewalls', name: 'gate', id: 9100, action: 'update', ok: false },
      ],
      unprotected: [],
    })
    expect({ rules: gate.rules(), tags: world.volumes.get(3002)?.tags }).toEqual({ rules: initialRules, tags: [] })
  })

  test('is confirmed after its rule changes, before slow changes start', async ({ start, gate, proxy, world }) => {
    const sshkeys = {
      slow: { ssh_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2kqDZbJwWzL1dMRPbmTzc6iUOh3TM0YrKDzDfJ6QyD' },
    }
    const stdin = JSON.stringify({ sshkeys, firewalls: { gate: { rules: { ...withoutSsh } } } })
    const request = proxy.hold('POST', '/profile/sshkeys')
    const line = 'apply - --yes --confirm-within 1h --keep-if true'
    const { until: waitFor, end } = start(line, { stdin, env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await request.arrived
    await waitFor('Kept the rules of firewall "gate" (9100)')
    request.release()
    expect(await end).toMatchObject({ exit: 0 })
    expect({ rules: gate.rules(), posts: world.requests('POST').length }).toEqual({ rules: withoutSsh, posts: 1 })
  })

  test('keeps its rules if the command succeeds', async ({ runCommand, gate, watchers }) => {
    expect(await runCommand('apply - --yes --keep-if true', { stdin: account })).toMatchObject({ exit: 0 })
    expect(gate.rules()).toEqual(withoutSsh)
    await until(() => watchers().length === 0)
  })

  test('restores the rules if the process is killed', async ({ start, gate, home, watchers }) => {
    const { kill: killFirst } = start(`apply - --yes ${failingCheck(home)}`, { stdin: account })
    await checkTried(home)
    killFirst('SIGKILL')
    await until(() => watchers().length === 0)
    expect(gate.rules()).toEqual(initialRules)
  })

  test('restores the rules if the API rejects a later change', async ({ proxy, runCommand, gate }) => {
    proxy.lose('PUT', '/networking/firewalls/9100', { done: false, reply: refusal })
    const file = JSON.stringify({ firewalls: { gate: { tags: ['web'], rules: { ...withoutSsh } } } })
    const env = { SKYCTL_BASE_URL: proxy.baseUrl }
    expect(await runCommand('apply - --yes --keep-if true', { stdin: file, env })).toMatchObject({
      exit: 9,
      stderr: expect.stringMatching(/Restored the previous rules of firewall "gate" \(9100\)\n[\s\S]*not today/),
    })
    expect(gate.rules()).toEqual(initialRules)
  })

  test('restores the rules of a firewall if the API rejects those of another', async ({
    proxy,
    start,
    gate,
    world,
  }) => {
    world.network.firewall({ id: 9101, label: 'wall', rules: initialRules })
    // A token that was just revoked: one error for all changes.
    for (const path of ['/networking/firewalls/9100/rules', '/networking/firewalls/9101'])
      proxy.lose('PUT', path, {
        done: false,
        reply: (outgoing) => void outgoing.writeHead(401).end('{"errors":[{"reason":"Invalid Token"}]}'),
      })
    const rules = { ...withoutSsh }
    const file = JSON.stringify({ firewalls: { gate: { rules }, wall: { rules, tags: ['web'] } } })
    const env = { SKYCTL_BASE_URL: proxy.baseUrl, ...preloading(faster), FASTER: '8' }
    expect(await start('apply - --yes --keep-if true', { stdin: file, env }).end).toMatchObject({
      exit: 3,
      stderr: expect.stringContaining('Restored the previous rules of firewall "wall" (9101)'),
    })
    expect(world.network.firewalls.get(9101)?.rules).toEqual(gate.rules())
    expect(proxy.pending()).toBe(0)
  })

  const rules = { ...withoutSsh }
  test.for<[what: string, firewalls: object]>([
    ['assigns a firewall', { gate: { devices: { computes: [1009, 1010] } } }],
    ['removes a service from a firewall', { gate: { devices: { computes: [] } } }],
    ['disables a firewall', { gate: { status: 'disabled' } }],
    ['creates a firewall with services', { new: { rules, devices: { computes: [1009] } } }],
    ['assigns a firewall and replaces its rules', { gate: { devices: { computes: [1009, 1010] }, rules } }],
  ])('is refused before it sends anything if it %s', async ([, firewalls], { runCommand, world, gate }) => {
    world.network.device(9100, 'compute', 1010)
    const devices = world.network.devices.all()
    for (const flags of ['--yes', '--dry-run']) {
      const line = `apply - ${flags} --confirm-within 5s --keep-if false`
      const { exit, stderr } = await runCommand(line, { stdin: JSON.stringify({ firewalls }) })
      expect({ exit, stderr }).toEqual({
        exit: 2,
        stderr: expect.stringMatching(
          /--confirm-within and --keep-if: only rules can be restored, and the plan also changes services or status: firewall "(gate|new)".*Put the rules into one apply/,
        ),
      })
    }
    expect({ rules: gate.rules(), devices: world.network.devices.all() }).toEqual({ rules: initialRules, devices })
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test.for([
    ['changes no firewall', { volumes: { 'data-2': { tags: ['a'] } } }],
    ['creates a firewall without services', { firewalls: { new: { rules, status: 'disabled' } } }],
  ] as const)('says that the flag is not used if it %s', async ([, file], { runCommand }) => {
    const { exit, stderr } = await runCommand('apply - --yes --keep-if false', { stdin: JSON.stringify(file) })
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: expect.stringContaining(
        '--keep-if: not used, because the plan replaces no rules of an existing firewall',
      ),
    })
  })
})
