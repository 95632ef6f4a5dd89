/** Changes of rules that are kept only when they are confirmed, by a command. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { between } from '../support/between'
import { loseAsBadGateway, refusal } from '../support/lossy'
import { before, ping, ssh, test, until } from '../support/openings'
import { preloading } from '../support/program'
import { kill } from '../support/watchers'

const remove = 'firewalls rules remove gate inbound label:ssh --yes'
/** It is looked for some seconds whether what was refused arrives all the same. */
const faster = join(import.meta.dirname, '../support/faster.cjs')
const without = { ...before, inbound: [ping] }
/** Says that it was tried, and does not succeed. */
const never = (home: string) => `--confirm-within 1h --keep-if "touch ${join(home, 'tried')}; false"`
const tried = (home: string) => until(() => existsSync(join(home, 'tried')))

describe.concurrent('A change of rules with --keep-if', () => {
  test('is kept once the command succeeds, which is tried again', async ({ start, gate, home, watchers, records }) => {
    const file = join(home, 'reached')
    const { until: shown, end } = start(`${remove} --confirm-within 1h --keep-if "echo looking >&2; test -e ${file}"`)
    await shown('looking')
    expect(await shown('Waiting')).toMatch(/\nWaiting up to (1h 0m|59m \d+s) until it is confirmed by: echo looking/)
    expect(gate.rules()).toEqual(without)
    writeFileSync(file, '')
    expect(await end).toMatchObject({ exit: 0 })
    expect(gate.rules()).toEqual(without)
    await until(() => watchers().length === 0)
    expect(records()).toEqual([])
  })

  test.for([
    ['', 2],
    ['--json', 0],
  ] as const)(
    'lets a person hear what the command prints, and no script: %j',
    async ([flags, times], { start, gate }) => {
      const { exit, stdout, stderr } = await start(`${remove} --keep-if "echo seen; echo seen >&2" ${flags}`).end
      expect({ exit, rules: gate.rules() }).toEqual({ exit: 0, rules: without })
      expect(stderr.match(/^seen$/gm) ?? []).toHaveLength(times)
      expect(stdout).not.toContain('seen')
    },
  )

  test.for([
    'add gate inbound --action drop --protocol udp --from 192.0.2.0/24',
    'remove gate inbound label:ssh',
    'move gate inbound label:ping --at 1',
    'update gate --outbound-policy drop',
    'edit gate',
    'undo gate',
  ])('is put back without, and ends with 6: rules %s', async (line, { ended, shell, gate, records }) => {
    await shell('skyctl firewalls rules add gate inbound --action drop --protocol udp --port 53 --from 192.0.2.0/24')
    const stood = gate.rules()
    const { exit, stderr } = await ended(`firewalls rules ${line} --yes --confirm-within 2s --keep-if "exit 3"`, {
      env: { EDITOR: 'sed -i s/22/23/' },
    })
    expect({ exit, stderr }).toEqual({
      exit: 6,
      stderr: expect.stringMatching(
        /skyctl: --keep-if: it did not succeed within 2 s; its last exit code was 3\. Restored the previous rules of firewall "gate" \(9100\)/,
      ),
    })
    expect(gate.rules()).toEqual(stood)
    expect(records()).toEqual([])
  })

  test.for([
    ['no-such-command --at-all', 127],
    ['/dev/null', 126],
  ] as const)(
    'is put back at once where the command can never succeed: %s',
    async ([command, code], { start, gate }) => {
      const { exit, stderr } = await start(`${remove} --confirm-within 1h --keep-if "${command}"`).end
      const text = `--keep-if: the command cannot be run; its exit code was ${code}. Restored the previous rules of firewall "gate"`
      expect({ exit, stderr }).toEqual({ exit: 6, stderr: expect.stringContaining(text) })
      expect(gate.rules()).toEqual(before)
    },
  )

  test('leaves nothing to undo where it was put back', async ({ ended, shell, gate }) => {
    await ended(`${remove} --confirm-within 1s --keep-if false`)
    expect(await shell('skyctl firewalls rules undo gate --yes')).toMatchObject({
      exit: 0,
      stderr: 'No changes\n',
    })
    expect(gate.rules()).toEqual(before)
    const { stdout } = await shell("skyctl history list --query '[].command' -o json")
    expect(JSON.parse(stdout)).toEqual(['automatic rollback', 'firewalls rules remove'])
  })

  test('does not go over what somebody else has changed since', async ({ start, gate, home }) => {
    const { end, kill: killFirst } = start(`${remove} ${never(home)}`)
    await tried(home)
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

  test('is put back after a kill, and the next command says so', async ({ start, shell, gate, home, records }) => {
    const { kill: killFirst } = start(`${remove} ${never(home)}`)
    await tried(home)
    killFirst('SIGKILL')
    await until(() => records().some((text) => text.includes('"outcome"')))
    expect(gate.rules()).toEqual(before)
    expect((await shell('skyctl regions view us-east')).stderr).toMatch(
      /^Since the last command, at \S+ \S+ UTC: Restored the previous rules of firewall "gate" \(9100\)\n$/,
    )
  })

  test('is put back where the watcher was killed: another comes', async ({ start, gate, home, watchers, records }) => {
    const { kill: killFirst } = start(`${remove} ${never(home)}`)
    await tried(home)
    const [watcher = 0] = watchers()
    kill(watcher)
    // It has been told what to do as soon as it has written that down.
    await until(() => records().some((text) => JSON.parse(text).watcher.pid !== watcher))
    killFirst('SIGKILL')
    await until(() => watchers().length === 0)
    expect(gate.rules()).toEqual(before)
  })

  test('stands where both are killed at once: the next command says so, and what puts it back', async ({
    start,
    shell,
    gate,
    home,
    watchers,
  }) => {
    const { kill: killFirst } = start(`${remove} ${never(home)}`)
    await tried(home)
    for (const pid of watchers()) process.kill(pid, 'SIGSTOP')
    killFirst('SIGKILL')
    for (const pid of watchers()) kill(pid)
    await until(() => watchers().length === 0)
    expect(gate.rules()).toEqual(without)
    expect((await shell('skyctl regions view us-east')).stderr).toBe(
      'skyctl: warning: the background process was killed before it could undo the change: the unconfirmed change to the rules of firewall "gate" (9100) is in effect. Run: skyctl firewalls rules undo 9100\n',
    )
    expect(await shell('skyctl firewalls rules undo 9100 --yes')).toMatchObject({ exit: 0 })
    expect(gate.rules()).toEqual(before)
  })

  test('is put back where the process is killed while its request is on its way', async ({
    proxy,
    start,
    gate,

    world,
    watchers,
  }) => {
    const held = proxy.hold('PUT', /rules$/)
    const { kill: killFirst, end } = start(`${remove} --keep-if false`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await held.arrived
    const looks = world.requests('GET').length
    killFirst('SIGKILL')
    await end
    await until(() => world.requests('GET').length > looks)
    held.release()
    await held.gone
    await until(() => watchers().length === 0)
    expect(gate.rules()).toEqual(before)
    expect(world.requests('PUT')).toHaveLength(2)
  })

  test('that a gateway answers with 502 three times may stand, and is put back', async ({ proxy, ended, gate }) => {
    loseAsBadGateway(proxy)
    const { exit, stderr } = await ended(`${remove} --keep-if true`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    expect({ exit, stderr, left: proxy.pending() }).toEqual({
      exit: 11,
      stderr: expect.stringContaining('Restored the previous rules of firewall "gate" (9100)'),
      left: 0,
    })
    expect(gate.rules()).toEqual(before)
  })

  test('that is refused leaves nothing to put back, no watcher', async ({ proxy, ended, gate, watchers, records }) => {
    proxy.lose('PUT', /rules$/, { done: false, reply: refusal })
    const { exit, stderr } = await ended(`${remove} --keep-if true`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    expect({ exit, stderr }).toEqual({ exit: 6, stderr: expect.stringMatching(/not today.*\n$/) })
    expect(stderr).not.toContain('from before')
    expect(gate.rules()).toEqual(before)
    await until(() => watchers().length === 0)
    expect(records()).toEqual([])
  })

  test('that somebody else has made meanwhile needs no confirmation, and leaves no watcher', async ({
    proxy,
    start,
    gate,
    watchers,
    records,
  }) => {
    // The rules are read to prepare the change, and right before it.
    proxy.pass('GET', /rules$/)
    const held = proxy.hold('GET', /rules$/)
    const line = 'firewalls rules update gate --outbound-policy drop --yes --keep-if false'
    const { end } = start(line, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await held.arrived
    gate.write(() => ({ outbound_policy: 'DROP' }))
    held.release()
    expect(await end).toMatchObject({
      exit: 0,
      stderr: expect.stringMatching(/No changes\n$/),
    })
    expect(gate.rules()).toEqual({ ...before, outbound_policy: 'DROP' })
    await until(() => watchers().length === 0)
    expect(records()).toEqual([])
  })

  test('is put back where it was made, and may not be looked at', async ({ proxy, start, gate }) => {
    const held = proxy.hold('PUT', /rules$/)
    const { end } = start(`${remove} --keep-if true`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await held.arrived
    proxy.lose('GET', /rules$/, { done: false, reply: refusal })
    held.release()
    expect(await end).toMatchObject({
      exit: 6,
      stderr: expect.stringMatching(/Restored the previous rules of firewall "gate" \(9100\)\n[\s\S]*not today/),
    })
    expect(gate.rules()).toEqual(before)
  })

  test('that somebody goes over at once is not put back over theirs', async ({ ended, gate, sandbox }) => {
    const proxy = await between(sandbox.baseUrl, {
      after: ({ method }) => {
        if (method === 'PUT') gate.write(({ inbound }) => ({ inbound: [...inbound, { ...ssh, label: 'rival' }] }))
      },
    })
    try {
      const line = 'firewalls rules update gate --outbound-policy drop --yes --keep-if true'
      expect(await ended(line, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })).toMatchObject({
        exit: 6,
        stderr: expect.stringContaining('(9100) since: nothing was restored. Run: skyctl firewalls rules undo 9100\n'),
      })
      expect(gate.rules()).toMatchObject({ outbound_policy: 'DROP', inbound: [ssh, ping, { label: 'rival' }] })
    } finally {
      await proxy.close()
    }
  })

  test('gives the command no token', async ({ ended, home, gate }) => {
    const file = join(home, 'reached')
    const { exit } = await ended(`${remove} --keep-if 'test -z "$SKYCTL_TOKEN" && touch ${file}'`)
    expect({ exit, reached: existsSync(file) }).toEqual({ exit: 0, reached: true })
    expect(gate.rules()).toEqual(without)
  })

  test.for<[string, string]>([
    ['there is no terminal for the confirmation', '--confirm-within 90s'],
    ['--confirm-within: must be 1s to 24h', '--confirm-within 0s --keep-if true'],
    ['--keep-if: the command is empty', '--keep-if ""'],
    ['"soon" is not a time', '--confirm-within soon'],
  ])('is refused before anything is read: %s', async ([text, flags], { ended, world }) => {
    expect(await ended(`${remove} ${flags}`)).toMatchObject({ exit: 2, stderr: expect.stringContaining(text) })
    expect(world.requests()).toEqual([])
  })
})

describe.concurrent('A plan with --keep-if', () => {
  const account = JSON.stringify({
    firewalls: { gate: { rules: { ...without } } },
    profile: { timezone: 'Europe/Berlin' },
  })

  test('has its rules put back, and only them', async ({ ended, gate, world }) => {
    expect(await ended('apply - --yes --confirm-within 1s --keep-if false', { stdin: account })).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining('Restored the previous rules of firewall "gate"'),
    })
    expect(gate.rules()).toEqual(before)
    expect(world.users.all().find(({ username }) => username === 'owner')?.timezone).toBe('Europe/Berlin')
  })

  test('is not told as done, in JSON, where its rules were put back', async ({ ended, gate, world }) => {
    const file = JSON.stringify({
      volumes: { 'data-2': { tags: ['a'] } },
      firewalls: { gate: { rules: { ...without } } },
    })
    const line = 'apply - --yes --confirm-within 1s --keep-if false --json'
    const { stdout, stderr } = await ended(line, { stdin: file })
    const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')
    expect(JSON.parse(stdout)).toEqual({
      format_version: 1,
      changed: true,
      actions: [
        // It comes after the confirmation, and is not begun.
        { kind: 'volumes', name: 'data-2', id: 3002, action: 'update', ok: false },
        { kind: 'firewalls', name: 'gate', id: 9100, action: 'update', ok: false, error },
      ],
      objects: [
        expect.objectContaining({ name: 'data-2', ok: false }),
        { kind: 'firewalls', name: 'gate', id: 9100, action: 'update', ok: false },
      ],
      unprotected: [],
    })
    expect({ rules: gate.rules(), tags: world.volumes.get(3002)?.tags }).toEqual({ rules: before, tags: [] })
  })

  test('is confirmed before what takes long is begun: the time runs from the first write of rules', async ({
    start,
    gate,
    proxy,
    world,
  }) => {
    const sshkeys = {
      slow: { ssh_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2kqDZbJwWzL1dMRPbmTzc6iUOh3TM0YrKDzDfJ6QyD' },
    }
    const stdin = JSON.stringify({ sshkeys, firewalls: { gate: { rules: { ...without } } } })
    const held = proxy.hold('POST', '/profile/sshkeys')
    const line = 'apply - --yes --confirm-within 1h --keep-if true'
    const { until: told, end } = start(line, { stdin, env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await held.arrived
    await told('Kept the rules of firewall "gate" (9100)')
    held.release()
    expect(await end).toMatchObject({ exit: 0 })
    expect({ rules: gate.rules(), made: world.requests('POST').length }).toEqual({ rules: without, made: 1 })
  })

  test('is kept where the command succeeds', async ({ ended, gate, watchers }) => {
    expect(await ended('apply - --yes --keep-if true', { stdin: account })).toMatchObject({ exit: 0 })
    expect(gate.rules()).toEqual(without)
    await until(() => watchers().length === 0)
  })

  test('has its rules put back where the process is killed', async ({ start, gate, home, watchers }) => {
    const { kill: killFirst } = start(`apply - --yes ${never(home)}`, { stdin: account })
    await tried(home)
    killFirst('SIGKILL')
    await until(() => watchers().length === 0)
    expect(gate.rules()).toEqual(before)
  })

  test('has its rules put back where what follows them is refused', async ({ proxy, ended, gate }) => {
    proxy.lose('PUT', '/networking/firewalls/9100', { done: false, reply: refusal })
    const file = JSON.stringify({ firewalls: { gate: { tags: ['web'], rules: { ...without } } } })
    const env = { SKYCTL_BASE_URL: proxy.baseUrl }
    expect(await ended('apply - --yes --keep-if true', { stdin: file, env })).toMatchObject({
      exit: 6,
      stderr: expect.stringMatching(/Restored the previous rules of firewall "gate" \(9100\)\n[\s\S]*not today/),
    })
    expect(gate.rules()).toEqual(before)
  })

  test('has its rules put back where those of another are refused', async ({ proxy, ended, gate, world }) => {
    world.network.firewall({ id: 9101, label: 'wall', rules: before })
    // The token was revoked just then, so that it is one failure that is told for all.
    for (const path of ['/networking/firewalls/9100/rules', '/networking/firewalls/9101'])
      proxy.lose('PUT', path, {
        done: false,
        reply: (outgoing) => void outgoing.writeHead(401).end('{"errors":[{"reason":"Invalid Token"}]}'),
      })
    const rules = { ...without }
    const file = JSON.stringify({ firewalls: { gate: { rules }, wall: { rules, tags: ['web'] } } })
    const env = { SKYCTL_BASE_URL: proxy.baseUrl, ...preloading(faster), FASTER: '8' }
    expect(await ended('apply - --yes --keep-if true', { stdin: file, env })).toMatchObject({
      exit: 3,
      stderr: expect.stringContaining('Restored the previous rules of firewall "wall" (9101)'),
    })
    expect(world.network.firewalls.get(9101)?.rules).toEqual(gate.rules())
    expect(proxy.pending()).toBe(0)
  })
})
