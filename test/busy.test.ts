/** Objects that are busy: the service refuses a change and has done nothing, and skyctl waits (gaps.md, Busy). */
import { describe, expect } from 'vitest'
import type { Io } from '../src/platform/io'
import { test as base, writes } from './support/addresses'
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
    expect(stderr).toContain('Linode busy.')
    expect(clock.now() - began).toBeLessThan(20_000)
    expect((await skyctl('history list --json')).stdout).toContain('"outcome": "ok"')
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
    },
  )

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
    let interrupt = () => {}
    const onSignal: Io['onSignal'] = (handler) => {
      interrupt = () => handler('SIGINT')
      return () => {}
    }
    const impatient = {
      ...clock,
      async sleep(milliseconds: number, signal?: AbortSignal) {
        interrupt()
        await clock.sleep(milliseconds, signal)
      },
    }
    const { exit } = await skyctl('volumes attach 9101 --compute-id 9001', { clock: impatient, onSignal })
    expect({ exit, writes: writes(arranged) }).toEqual({ exit: 130, writes: [] })
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
