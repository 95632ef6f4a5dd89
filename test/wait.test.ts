/** What ends a wait (interface.md, Safety): what is waited for, the time, or that the object is gone. */
import { describe, expect } from 'vitest'
import { type Fixtures, test } from './support/skyctl'

/** Waits with a clock on which something happens at the first pause. */
const meanwhile = (clock: Fixtures['clock'], happens: () => void): Pick<Fixtures, 'clock'> => ({
  clock: {
    ...clock,
    async sleep(milliseconds, signal) {
      happens()
      await clock.sleep(milliseconds, signal)
    },
  },
})

describe('an object that vanishes', () => {
  test.for(['active', 'attached', 'detached'])(
    'is not found, whatever else is waited for: %s',
    async (aim, { skyctl, world, clock }) => {
      const { id } = world.volume({ status: 'resizing', compute_id: aim === 'detached' ? world.compute().id : null })
      const gone = meanwhile(clock, () => world.volumes.delete(id))
      const { exit, stdout, stderr } = await skyctl(`volumes wait ${id} --for ${aim} -o yaml`, gone)
      expect({ exit, stdout }).toEqual({ exit: 5, stdout: '' })
      expect(stderr.trimEnd().split('\n').at(-1)).toBe(`skyctl: volume ${id} no longer exists`)
    },
  )

  test('is what is waited for by "--for deleted"', async ({ skyctl, world, clock }) => {
    const { id } = world.volume()
    const gone = meanwhile(clock, () => world.volumes.delete(id))
    expect(await skyctl(`volumes wait ${id} --for deleted --json`, gone)).toMatchObject({ exit: 0, stdout: '{}\n' })
  })

  test('after it was made is not printed, and told', async ({ skyctl, world, clock }) => {
    const gone = meanwhile(clock, () => {
      for (const { id, label } of world.volumes.all()) if (label === 'brief') world.volumes.delete(id)
    })
    const { exit, stdout, stderr } = await skyctl('volumes create --label brief --region us-east --wait --json', gone)
    expect({ exit, stdout }).toEqual({ exit: 5, stdout: '' })
    const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')
    expect(error).toMatchObject({ code: 'not_found', retryable: false, created: { kind: 'volume', label: 'brief' } })
    expect(error.message).toBe(`volume ${error.created.id} no longer exists`)
  })
})

test('a wait whose time is up says in what state the object is, and how to wait on', async ({ skyctl, world }) => {
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

test('a wait that ends says how to wait on for the account that the line has named', async ({ skyctl, home }) => {
  const env = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined, SKYCTL_STATE_DIR: home }
  const { exit, stderr } = await skyctl('--context sandbox volumes wait 3002 --for attached --wait-timeout 1s', { env })
  expect(exit).toBe(10)
  expect(stderr).toContain('Continue waiting: skyctl volumes wait 3002 --for attached --context sandbox')
})
