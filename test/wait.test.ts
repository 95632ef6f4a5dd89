/** Ends of a wait (interface.md, Safety): the state is reached, the time is over, or the object is gone. */
import { describe, expect } from 'vitest'
import { faultServer, reply } from './support/fault-server'
import { type Fixtures, test } from './support/skyctl'

const hour = 3_600_000

/** Returns a clock on which something happens at the first pause. */
const clockWith = (clock: Fixtures['clock'], happens: () => void): Pick<Fixtures, 'clock'> => ({
  clock: {
    ...clock,
    async sleep(milliseconds, signal) {
      happens()
      await clock.sleep(milliseconds, signal)
    },
  },
})

describe('an object that is deleted during a wait', () => {
  test.for(['active', 'attached', 'detached'])(
    'is reported as gone if another state is expected: %s',
    async (state, { skyctl, world, clock }) => {
      const { id } = world.volume({ status: 'resizing', compute_id: state === 'detached' ? world.compute().id : null })
      const options = clockWith(clock, () => world.volumes.delete(id))
      const { exit, stdout, stderr } = await skyctl(`volumes wait ${id} --for ${state} -o yaml`, options)
      expect({ exit, stdout }).toEqual({ exit: 5, stdout: '' })
      expect(stderr.trimEnd().split('\n').at(-1)).toBe(`skyctl: volume ${id} no longer exists`)
    },
  )

  test('ends --for deleted with success', async ({ skyctl, world, clock }) => {
    const { id } = world.volume()
    const options = clockWith(clock, () => world.volumes.delete(id))
    expect(await skyctl(`volumes wait ${id} --for deleted --json`, options)).toMatchObject({ exit: 0, stdout: '{}\n' })
  })

  test('is an error after its creation, and is not printed', async ({ skyctl, world, clock }) => {
    const options = clockWith(clock, () => {
      for (const { id, label } of world.volumes.all()) if (label === 'brief') world.volumes.delete(id)
    })
    const { exit, stdout, stderr } = await skyctl(
      'volumes create --label brief --region us-east --wait --json',
      options,
    )
    expect({ exit, stdout }).toEqual({ exit: 5, stdout: '' })
    const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')
    expect(error).toMatchObject({ code: 'not_found', retryable: false, created: { kind: 'volume', label: 'brief' } })
    expect(error.message).toBe(`volume ${error.created.id} no longer exists`)
  })
})

describe.for([
  ['back', -hour],
  ['forward', hour],
] as const)('A wall clock that is set %s by an hour', ([, shift]) => {
  /** Returns a clock whose wall clock is set as soon as this is true. */
  const setWhen = (clock: Fixtures['clock'], isSet: () => boolean): Pick<Fixtures, 'clock'> => ({
    clock: { ...clock, now: () => clock.now() + (isSet() ? shift : 0) },
  })

  test('changes neither the length of a wait nor the time that is shown', async ({ skyctl, world, clock }) => {
    const { id } = world.volume({ compute_id: null })
    const began = clock.now()
    const options = setWhen(clock, () => clock.now() > began)
    const { exit, stderr } = await skyctl(`volumes wait ${id} --for attached --wait-timeout 6s`, options)
    expect({ exit, waited: clock.now() - began }).toEqual({ exit: 10, waited: 6000 })
    expect(stderr).toContain('is not attached after 6s')
  })

  test('does not end the retries of a request', async ({ skyctl, clock }) => {
    const empty = reply(200, { data: [], page: 1, pages: 1, results: 0 })
    const server = await faultServer([reply(503, '', { 'retry-after': '1' }), empty])
    const options = { ...setWhen(clock, () => server.received.length > 0), env: server.env }
    expect(await skyctl('volumes list --json', options)).toMatchObject({ exit: 0, stdout: '[]\n' })
  })
})

test('a wait that times out prints the status and the command to continue', async ({ skyctl, world }) => {
  const { id } = world.volume({ label: 'free', compute_id: null })
  const { exit, stderr } = await skyctl(`volumes wait ${id} --for attached --wait-timeout 3s`)
  const last = stderr.trimEnd().split('\n').at(-1)
  expect({ exit, last }).toEqual({
    exit: 10,
    last:
      `skyctl: volume "free" (${id}) is not attached after 3s; its status is active. ` +
      `Continue waiting: skyctl volumes wait ${id} --for attached`,
  })
})

test('a wait that times out names the context in the command to continue', async ({ skyctl, home }) => {
  const env = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined, SKYCTL_STATE_DIR: home }
  const { exit, stderr } = await skyctl('--context sandbox volumes wait 3002 --for attached --wait-timeout 1s', { env })
  expect(exit).toBe(10)
  expect(stderr).toContain('Continue waiting: skyctl volumes wait 3002 --for attached --context sandbox')
})
