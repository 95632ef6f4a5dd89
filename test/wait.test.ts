/** Ends of a wait (interface.md, Safety): the state is reached, the time is over, or the object is gone. */
import { describe, expect } from 'vitest'
import { type Fixtures, test } from './support/skyctl'

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
