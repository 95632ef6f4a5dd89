/** Objects that are busy: the service refuses a change and has done nothing, and skyctl waits (gaps.md, Busy). */
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test as base, writes } from './support/addresses'
import { interruptedWait } from './support/interrupted-wait'
import { answer503, busy } from './support/lossy-proxy'
import type { World } from './support/sandbox'

interface BusyFixtures {
  /** Lets the service answer "busy" to the next requests of this method and path. */
  busyTimes(method: string, path: RegExp, times: number): void
}

const test = base.extend<BusyFixtures>({
  busyTimes: async ({ lossy }, use) =>
    use((method, path, times) => {
      for (let count = 0; count < times; count += 1) lossy.lose(method, path, { done: false, reply: busy })
    }),
})

/** Returns the changes in the history, the newest first. */
async function historyOf(skyctl: (line: string) => Promise<{ stdout: string }>) {
  const { stdout } = await skyctl('history list --json')
  return JSON.parse(stdout).map(({ outcome, code }: Record<string, unknown>) => ({ outcome, code }))
}

const lastError = (stderr: string) => JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error

const changes: readonly { line: string; request: [string, RegExp]; arrange?(world: World): void }[] = [
  { line: 'volumes attach 9101 --compute-id 9001', request: ['POST', /attach$/] },
  { line: 'volumes detach 9102 --yes', request: ['POST', /detach$/] },
  { line: 'volumes resize 9101 --size 40', request: ['POST', /resize$/] },
  { line: 'volumes create --label new --compute-id 9001', request: ['POST', /^\/volumes$/] },
  { line: 'firewalls devices add 9201 --compute-id 9001 --yes', request: ['POST', /devices$/] },
  { line: 'firewalls devices delete 9202 9302 --yes', request: ['DELETE', /devices/] },
  { line: 'firewalls delete 9202 --yes', request: ['DELETE', /firewalls/] },
  { line: 'ips assign 203.0.113.12=9002 --yes', request: ['POST', /assign$/] },
  { line: 'firewalls rules update 9202 --inbound-policy drop --yes', request: ['PUT', /rules$/] },
  { line: 'ips share 203.0.113.21 --compute-id 9001', request: ['POST', /share$/] },
  { line: 'ips allocate --public --compute-id 9001', request: ['POST', /ips$/] },
]

describe('A busy instance', () => {
  const arrangeAll = (world: World) => {
    world.volume({ id: 9101, region: 'us-east', size: 20, compute_id: null })
    world.volume({ id: 9102, region: 'us-east', size: 20, compute_id: 9002 })
    world.network.firewall({ id: 9201 })
    world.network.firewall({ id: 9202 })
    world.network.devices.add({ id: 9302, firewall: 9202, type: 'compute', entity: 9002 })
  }

  test.for(changes)('is waited for: $line', async ({ line, request }, { skyctl, arranged, busyTimes, clock }) => {
    arrangeAll(arranged)
    busyTimes(...request, 3)
    const began = clock.now()
    const { exit, stderr } = await skyctl(line)
    expect({ exit, writes: writes(arranged).length }, stderr).toEqual({ exit: 0, writes: 1 })
    expect(stderr).toContain('Linode busy')
    expect(clock.now() - began).toBeLessThan(20_000)
    expect(await historyOf(skyctl)).toEqual([{ outcome: 'ok', code: null }])
  })

  test.for(changes)(
    'is waited for up to --wait-timeout: $line',
    async ({ line, request }, { skyctl, arranged, busyTimes, clock }) => {
      arrangeAll(arranged)
      busyTimes(...request, 200)
      const began = clock.now()
      const { exit, stderr } = await skyctl(`${line} --wait-timeout 20s --json`)
      expect({ exit, error: lastError(stderr) }).toMatchObject({
        exit: 6,
        error: { code: 'conflict', retryable: true },
      })
      expect({ waited: clock.now() - began, writes: writes(arranged) }).toEqual({ waited: 20_000, writes: [] })
      expect(await historyOf(skyctl)).toEqual([{ outcome: 'failed', code: 'conflict' }])
    },
  )

  test('is one change of the history in an apply, its undo, and a command with a journal', async ({
    skyctl,
    arranged,
    busyTimes,
    home,
  }) => {
    arrangeAll(arranged)
    arranged.network.firewall({ id: 9203, label: 'lone' })
    busyTimes('PUT', /rules$/, 4)
    const stdin = 'firewalls: { lone: { rules: { inbound_policy: drop } } }'
    expect(await skyctl('apply - --yes', { stdin })).toMatchObject({ exit: 0 })
    busyTimes('PUT', /rules$/, 4)
    expect(await skyctl('history undo --yes')).toMatchObject({ exit: 0 })
    busyTimes('POST', /detach$/, 4)
    const detach = `volumes detach 9102 --yes --journal ${join(home, 'journal')}`
    expect(await skyctl(detach)).toMatchObject({ exit: 0 })
    const done = { outcome: 'ok', code: null }
    expect(await historyOf(skyctl)).toEqual([done, done, done])
  })

  test('leaves no backup of rules that were not changed', async ({ skyctl, arranged }) => {
    arrangeAll(arranged)
    const { computes, network } = arranged
    const migrate = (isMigrating: boolean) => computes.add({ id: 9002, region: 'us-east', live_migration: isMigrating })
    const policies = () => {
      const { inbound_policy, outbound_policy } = network.firewalls.get(9202)?.rules ?? {}
      return { inbound_policy, outbound_policy }
    }
    const before = policies()
    expect(await skyctl('firewalls rules update 9202 --inbound-policy drop --yes')).toMatchObject({ exit: 0 })
    migrate(true)
    const refused = await skyctl('firewalls rules update 9202 --outbound-policy drop --yes')
    expect(refused).toMatchObject({ exit: 6, stderr: expect.stringContaining('run it again with --wait-timeout 1h') })
    migrate(false)
    expect(await skyctl('firewalls rules undo 9202 --yes')).toMatchObject({ exit: 0 })
    expect(policies()).toEqual(before)
  })

  test('is named, with the longest time of the wait', async ({ skyctl, arranged, busyTimes }) => {
    arrangeAll(arranged)
    busyTimes('POST', /attach$/, 3)
    const { stderr } = await skyctl('volumes attach 9101 --compute-id 9001')
    expect(stderr).toContain('Waiting up to 5m: Linode busy (instance 9001)')
  })

  test('is waited for within the time of the whole command', async ({ skyctl, arranged, busyTimes, clock }) => {
    arrangeAll(arranged)
    arranged.volume({ id: 9103, region: 'us-east', compute_id: 9002 })
    busyTimes('POST', /detach$/, 200)
    const began = clock.now()
    const { exit } = await skyctl('volumes detach 9102 9103 --yes --wait-timeout 20s --concurrency 1')
    expect({ exit, waited: clock.now() - began }).toEqual({ exit: 9, waited: 20_000 })
  })

  test('of two attachments in one plan needs one run', async ({ skyctl, arranged, busyTimes }) => {
    for (const id of [9101, 9103]) arranged.volume({ id, label: `v${id}`, region: 'us-east', compute_id: null })
    busyTimes('POST', /attach$/, 4)
    const stdin = 'volumes: { v9101: { compute_id: 9001 }, v9103: { compute_id: 9001 } }'
    const { exit, stderr } = await skyctl('apply - --yes', { stdin })
    expect({ exit, attached: [9101, 9103].map((id) => arranged.volumes.get(id)?.compute_id) }, stderr).toEqual({
      ...{ exit: 0, attached: [9001, 9001] },
    })
  })

  test('does not overwrite what others change meanwhile', async ({ skyctl, arranged, busyTimes, clock }) => {
    arrangeAll(arranged)
    busyTimes('PUT', /^\/volumes/, 2)
    const tags = (id: number) => arranged.volumes.get(id)?.tags
    const meanwhile = {
      ...clock,
      async sleep(milliseconds: number, signal?: AbortSignal) {
        const volume = arranged.volumes.get(9101)
        if (volume?.tags.length === 0) arranged.volumes.put({ ...volume, tags: ['theirs'] })
        await clock.sleep(milliseconds, signal)
      },
    }
    const { exit } = await skyctl('volumes update 9101 --add-tag ours', { clock: meanwhile })
    expect({ exit, tags: tags(9101) }).toEqual({ exit: 0, tags: ['theirs', 'ours'] })
  })

  test('ends the wait with another refusal, or an outage', async ({ skyctl, arranged, busyTimes, lossy }) => {
    arrangeAll(arranged)
    busyTimes('POST', /resize$/, 2)
    for (const _ of [1, 2, 3]) lossy.lose('POST', /resize$/, { done: false, reply: answer503 })
    const { exit } = await skyctl('volumes resize 9101 --size 40 --json')
    expect({ exit, size: arranged.volumes.get(9101)?.size }).toEqual({ exit: 11, size: 20 })
  })

  test('does not keep a command from being interrupted', async ({ skyctl, arranged, busyTimes, clock }) => {
    arrangeAll(arranged)
    busyTimes('POST', /attach$/, 200)
    const interrupted = interruptedWait(clock)
    const { exit, stderr } = await skyctl('volumes attach 9101 --compute-id 9001', interrupted)
    expect({ exit, writes: writes(arranged) }).toEqual({ exit: 130, writes: [] })
    expect(stderr).toContain(
      'interrupted. Not done yet: Linode busy (instance 9001). To continue, run the same command again',
    )
  })

  test('is named with what an interrupted apply leaves undone', async ({ skyctl, arranged, busyTimes, clock }) => {
    arranged.network.firewall({ id: 9203, label: 'lone' })
    arranged.network.devices.add({ id: 9303, firewall: 9203, type: 'compute', entity: 9002 })
    busyTimes('PUT', /rules$/, 200)
    const stdin = 'firewalls: { lone: { rules: { inbound_policy: drop } } }\nsshkeys: {}'
    const { exit, stderr } = await skyctl('apply - --yes', { stdin, ...interruptedWait(clock) })
    expect({ exit, stderr }).toEqual({
      exit: 130,
      stderr: expect.stringMatching(
        /Linode busy \(instance \S+\)\n.*interrupted; not done yet: firewall "lone" \(9203\)\. To continue, run the same command again/s,
      ),
    })
  })
})

test.for([
  ['a label with that word', 'The label "busy" must be unique'],
  ['another hostname', 'busy-box is not a valid region'],
])('Only a refusal that says so is a busy object, not %s', async ([, reason], { skyctl, arranged, lossy, clock }) => {
  arranged.volume({ id: 9101, region: 'us-east', compute_id: null })
  const body = JSON.stringify({ errors: [{ field: 'label', reason }] })
  lossy.lose('PUT', /volumes/, {
    done: false,
    reply: (outgoing) => void outgoing.writeHead(400, { 'content-type': 'application/json' }).end(body),
  })
  const began = clock.now()
  const { exit, stderr } = await skyctl('volumes update 9101 --label other --json')
  expect({ exit, waited: clock.now() - began }).toEqual({ exit: 6, waited: 0 })
  expect(lastError(stderr)).toMatchObject({ retryable: false })
})
