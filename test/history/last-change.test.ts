/** `history undo` without a number: it proposes the last change that was not undone. */
import { describe, expect } from 'vitest'
import type { RecordedChange } from '../../src/account/history/lines'
import { changesToUndo } from '../../src/commands/history/last-change'
import { ruleSet, ssh, web } from '../support/firewall-rules'
import { test } from '../support/skyctl'

const change = (number: number, more: Partial<RecordedChange> = {}): RecordedChange => ({
  number,
  entry: `entry-${number}`,
  time: '2026-01-15T12:00:00.000Z',
  context: null,
  service: 'sandbox',
  command: 'volumes update',
  method: 'PUT',
  path: '/volumes/{volumeId}',
  path_parameters: { volumeId: 7001 },
  result: { entry: `entry-${number}`, ended: '2026-01-15T12:00:01.000Z', outcome: 'ok' },
  requestIds: [],
  ...more,
})

const failed = { result: { entry: 'x', ended: '2026-01-15T12:00:01.000Z', outcome: 'failed' } } as const
const gate = { path_parameters: { firewallId: 9100 } }

test.for<[what: string, changes: RecordedChange[], left: number[]]>([
  ['are all without an undo', [change(1), change(2)], [1, 2]],
  ['are not those that failed', [change(1), change(2, failed)], [1]],
  ['are neither the undone ones nor their undos', [change(1), change(2), change(3, { undoes: 'entry-2' })], [1]],
  ['are also those whose undo failed', [change(1), change(2, { undoes: 'entry-1', ...failed })], [1]],
  [
    'are also those whose undo was undone',
    [change(1), change(2, { undoes: 'entry-1' }), change(3, { undoes: 'entry-2' })],
    [1],
  ],
  [
    'are none of an apply that was undone',
    [change(1, { apply: 'a' }), change(2, { apply: 'a' }), change(3, { apply: 'b', undoes: 'a' })],
    [],
  ],
  [
    'are those of an apply whose undo failed in part',
    [
      change(1, { apply: 'a' }),
      change(2, { apply: 'b', undoes: 'a' }),
      change(3, { apply: 'b', undoes: 'a', ...failed }),
    ],
    [1],
  ],
  [
    'are no temporary openings that are over',
    [
      change(1),
      change(2, { command: 'firewalls open', ...gate }),
      change(3, { command: 'firewalls open', path_parameters: { firewallId: 9200 } }),
      change(4, { command: 'firewalls close', ...gate }),
    ],
    [1, 3],
  ],
  [
    'are none that a rollback has undone, which ends no temporary opening',
    [
      change(1),
      change(2, { command: 'firewalls open', ...gate }),
      change(3, { command: 'firewalls rules update', ...gate }),
      change(4, { command: 'firewalls watch', undoes: 'entry-3', ...gate }),
    ],
    [1, 2],
  ],
  [
    'are none of an object that was deleted for good since',
    [
      change(1),
      change(2, { path_parameters: { volumeId: 7002 } }),
      change(3, { method: 'DELETE', command: 'volumes delete' }),
    ],
    [2, 3],
  ],
])('the changes to undo %s', ([, changes, left]) => {
  expect(changesToUndo(changes).map(({ number }) => number)).toEqual(left)
})

describe('history undo without a number', () => {
  test('names the last change without a terminal, and how to confirm it', async ({ skyctl, world }) => {
    world.volume({ id: 7001, label: 'data', tags: ['a'] })
    expect(await skyctl('history undo')).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining('no change was made from this machine with this account'),
    })
    await skyctl('volumes update 7001 --tag b')
    const sent = world.requests('PUT').length
    const { exit, stderr } = await skyctl('history undo')
    expect({ exit, stderr, sent: world.requests('PUT').length }).toEqual({
      exit: 2,
      stderr:
        'skyctl: Undo the last change, 1: volumes update of volume "data" (7001)? This must be confirmed, and there is no ' +
        'terminal for questions. Run: skyctl history undo 1 --yes\n',
      sent,
    })
  })

  test('goes one change further back each time, and never undoes an undo', async ({ skyctl, world }) => {
    world.volume({ id: 7001, label: 'data', tags: ['a'] })
    const tags = () => world.volumes.get(7001)?.tags
    await skyctl('volumes update 7001 --tag b')
    await skyctl('volumes update 7001 --tag c')
    expect((await skyctl('history undo --yes')).stderr).toContain('The last change is 2: volumes update')
    expect(tags()).toEqual(['b'])
    expect(await skyctl('history undo --yes')).toMatchObject({ exit: 0 })
    expect(tags()).toEqual(['a'])
    const { exit, stderr } = await skyctl('history undo --yes')
    expect({ exit, tags: tags() }).toEqual({ exit: 5, tags: ['a'] })
    expect(stderr).toContain('no change is left that was made from this machine with this account')
  })

  test('knows a change that "firewalls rules undo" has undone', async ({ skyctl, world }) => {
    world.volume({ id: 7001, label: 'data', tags: ['a'] })
    world.network.firewall({ id: 9100, label: 'edge', rules: ruleSet(ssh, web) })
    await skyctl('volumes update 7001 --tag b')
    await skyctl('firewalls rules remove edge inbound label:web --yes')
    await skyctl('firewalls rules undo edge --yes')
    expect((await skyctl('history undo')).stderr).toContain('Undo the last change, 1: volumes update')
  })

  test('undoes a whole apply once', async ({ skyctl, world }) => {
    world.volume({ id: 7001, label: 'data', tags: ['a'] })
    world.volume({ id: 7002, label: 'logs', tags: ['a'] })
    await skyctl('volumes update 7001 --label first')
    await skyctl('apply - --yes', { stdin: 'volumes: { first: { tags: [b] }, logs: { tags: [b] } }' })
    const [{ apply }] = JSON.parse((await skyctl('history list --json')).stdout)
    expect((await skyctl('history undo')).stderr).toContain(
      `Undo the last change, the apply ${apply} with 2 changes? This must be confirmed, and there is no terminal for ` +
        `questions. Run: skyctl history undo --apply ${apply} --yes`,
    )
    expect(await skyctl('history undo --yes')).toMatchObject({ exit: 0 })
    expect([7001, 7002].map((id) => world.volumes.get(id)?.tags)).toEqual([['a'], ['a']])
    expect((await skyctl('history undo')).stderr).toContain('Undo the last change, 1: volumes update')
  })

  test('says how to reverse a change without an undo, and names the one before it', async ({ skyctl, world }) => {
    world.volume({ id: 7001, label: 'data', compute_id: 1002, tags: ['a'] })
    await skyctl('volumes update 7001 --tag b')
    await skyctl('volumes detach 7001 --yes')
    const { exit, stderr } = await skyctl('history undo --yes')
    expect({ exit, tags: world.volumes.get(7001)?.tags }).toEqual({ exit: 6, tags: ['b'] })
    expect(stderr).toContain(
      'change 2 has no automatic undo. To reverse it: skyctl volumes attach 7001 --compute-id 1002',
    )
    expect(stderr).toContain('The last one with an automatic undo: skyctl history undo 1')
    expect((await skyctl('history undo 1 --yes')).exit).toBe(0)
    expect((await skyctl('history undo --yes')).stderr).toContain('No earlier change from this machine has an')
  })

  test('reverses no creation by hand that was deleted since', async ({ skyctl }) => {
    const policies = '--inbound-policy drop --outbound-policy accept'
    for (const label of ['kept', 'gone']) await skyctl(`firewalls create --label ${label} ${policies}`)
    const id = JSON.parse((await skyctl('firewalls list --json')).stdout).find(
      (one: { label: string }) => one.label === 'kept',
    ).id
    await skyctl('firewalls delete gone --yes')
    const { exit, stderr } = await skyctl('history undo')
    expect(exit).toBe(6)
    expect(stderr).toContain('change 3 cannot be undone')
    expect(stderr).toContain(`By hand, change 1: skyctl firewalls delete ${id}`)
  })

  test('refuses an apply of which no change has an undo, and names the one before it', async ({ skyctl, world }) => {
    world.volume({ id: 7001, label: 'data', tags: ['a'] })
    await skyctl('volumes update 7001 --tag b')
    await skyctl('apply - --yes', { stdin: 'volumes: { new: { region: us-east } }' })
    const { exit, stderr } = await skyctl('history undo --yes')
    expect({ exit, count: world.volumes.all().filter(({ label }) => label === 'new').length }).toEqual({
      exit: 6,
      count: 1,
    })
    expect(stderr).toContain('cannot be undone: none of its changes has an automatic undo')
    expect(stderr).toContain('The last one with an automatic undo: skyctl history undo 1')
    await skyctl('apply - --yes', { stdin: 'volumes: { data: { size: 60 } }' })
    const resized = await skyctl('history undo --yes')
    expect(resized.stderr).toContain('none of its changes has an automatic undo: the API cannot shrink a volume')
  })

  test('is shown in the list beside what it undid', async ({ skyctl, world }) => {
    world.volume({ id: 7001, label: 'data', tags: ['a'] })
    await skyctl('volumes update 7001 --tag b')
    await skyctl('history undo --yes')
    const [undo, change] = JSON.parse((await skyctl('history list --json')).stdout)
    expect([undo.undoes, change.undoes]).toEqual(['1', null])
    expect((await skyctl('history list')).stdout).toMatch(/UNDOES/)
  })

  test('passes over a change that was reversed by hand, and says so', async ({ skyctl, world }) => {
    world.volume({ id: 7001, label: 'data', tags: ['a'] })
    world.volume({ id: 7002, label: 'logs', tags: ['a'] })
    await skyctl('volumes update 7002 --tag b')
    await skyctl('volumes update 7001 --tag b')
    const data = world.volumes.get(7001)
    if (data) world.volumes.put({ ...data, tags: ['a'] })
    const { stderr } = await skyctl('history undo')
    expect(stderr).toContain('Passed over 2: volume "data" (7001) is as before it\n')
    expect(stderr).toContain('Undo the last change, 1: volumes update of volume "logs" (7002)')
    expect(await skyctl('history undo --yes')).toMatchObject({ exit: 0 })
    expect(world.volumes.get(7002)?.tags).toEqual(['a'])
  })

  test('passes over rules that were reversed by hand, and an object that no longer exists', async ({
    skyctl,
    world,
  }) => {
    world.volume({ id: 7001, label: 'data', tags: ['a'] })
    world.volume({ id: 7002, label: 'logs', tags: ['a'] })
    world.network.firewall({ id: 9100, label: 'edge', rules: ruleSet(ssh, web) })
    await skyctl('volumes update 7001 --tag b')
    await skyctl('volumes update 7002 --tag b')
    await skyctl('firewalls rules remove edge inbound label:web --yes')
    const edge = world.network.firewalls.get(9100)
    if (edge) world.network.firewalls.put({ ...edge, rules: ruleSet(ssh, web) })
    world.volumes.delete(7002)
    const { stderr } = await skyctl('history undo')
    expect(stderr).toContain('Passed over 3: the rules of firewall "edge" (9100) are as before it\n')
    expect(stderr).toContain('Passed over 2: volume "logs" (7002) no longer exists\n')
    expect(stderr).toContain('Undo the last change, 1: volumes update')
  })

  test('passes over an apply that was reversed by hand', async ({ skyctl, world }) => {
    world.volume({ id: 7001, label: 'data', tags: ['a'] })
    world.volume({ id: 7002, label: 'logs', tags: ['a'] })
    await skyctl('volumes update 7002 --tag b')
    await skyctl('apply - --yes', { stdin: 'volumes: { data: { tags: [b] } }' })
    const data = world.volumes.get(7001)
    if (data) world.volumes.put({ ...data, tags: ['a'] })
    const { stderr } = await skyctl('history undo')
    expect(stderr).toMatch(/Passed over apply \w+: everything is as before it/)
    expect(stderr).toContain('Undo the last change, 1: volumes update')
  })

  test('names no reversed change when the last one has no undo', async ({ skyctl, world }) => {
    world.volume({ id: 7001, label: 'data', tags: ['a'] })
    world.volume({ id: 7002, label: 'logs', tags: ['a'], size: 20 })
    await skyctl('volumes update 7001 --label other')
    await skyctl('volumes update 7002 --tag b')
    await skyctl('volumes resize 7002 --size 30 --yes')
    const logs = world.volumes.get(7002)
    if (logs) world.volumes.put({ ...logs, tags: ['a'] })
    const { exit, stderr } = await skyctl('history undo')
    expect({ exit, stderr }).toEqual({
      exit: 6,
      stderr: expect.stringMatching(
        /change 3 cannot be undone: .*The last one with an automatic undo: skyctl history undo 1\n/,
      ),
    })
  })

  test('says that it passes over temporary openings that are over, and over their ends', async ({ skyctl, world }) => {
    world.volume({ id: 7001, label: 'data', tags: ['a'] })
    world.network.firewall({ id: 9100, label: 'edge', rules: ruleSet(web) })
    await skyctl('volumes update 7001 --tag b')
    await skyctl('firewalls open edge --port 22 --from 192.0.2.1/32 --for 1h --yes')
    await skyctl('firewalls close edge --yes')
    const { stderr } = await skyctl('history undo')
    expect(stderr).toContain(
      'Passed over 3: it ended a temporary opening\nPassed over 2: the temporary opening is over\n',
    )
    expect(stderr).toContain('Undo the last change, 1: volumes update')
  })

  test('names each change between one without an undo and the one that it proposes, with the reason', async ({
    skyctl,
    world,
  }) => {
    world.volume({ id: 7001, label: 'data', tags: ['a'], size: 20 })
    world.volume({ id: 7002, label: 'logs' })
    await skyctl('volumes update 7001 --tag b')
    await skyctl('volumes attach 7002 --compute-id 1001')
    await skyctl('volumes resize 7001 --size 30')
    await skyctl('ips allocate --compute-id 1001 --public --yes')
    const { stderr } = await skyctl('history undo')
    expect(stderr.split('\n').slice(0, 2)).toEqual([
      'Passed over 3: the API cannot shrink a volume',
      'Passed over 2: to reverse it: skyctl volumes detach 7002',
    ])
    expect(stderr).toContain('The last one with an automatic undo: skyctl history undo 1')
  })

  test('proposes no change of another context', async ({ skyctl, world }) => {
    world.volume({ id: 7001, label: 'data', tags: ['a'] })
    await skyctl('volumes update 7001 --tag b')
    const { exit } = await skyctl('--context sandbox history undo --yes')
    expect({ exit, tags: world.volumes.get(7001)?.tags }).toEqual({ exit: 5, tags: ['b'] })
  })

  test('shows the request with --dry-run, and sends nothing', async ({ skyctl, world }) => {
    world.volume({ id: 7001, label: 'data', tags: ['a'] })
    await skyctl('volumes update 7001 --tag b')
    const { exit, stdout } = await skyctl('history undo --dry-run --json')
    expect({ exit, body: JSON.parse(stdout).body }).toEqual({ exit: 0, body: { tags: ['a'] } })
    expect(world.volumes.get(7001)?.tags).toEqual(['b'])
  })
})
