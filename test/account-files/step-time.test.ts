/** The time limit of `apply`: each step has all of it, and a volume that stays detached is named. */
import { describe, expect } from 'vitest'
import { test as base } from '../support/addresses'
import { busy } from '../support/lossy-proxy'

const file = 'volumes: { data: { compute_id: 9001 } }'
const line = 'apply - --yes --wait-timeout 20s'

const test = base.extend<{
  /** Id of a volume that the file moves from one instance to another. */
  moved: number
  /** Lets reads show the volume as it was for some seconds after it got such an attachment. */
  late(seconds: number, ...attachments: (number | null)[]): Promise<void>
}>({
  moved: async ({ arranged }, use) =>
    use(arranged.volume({ id: 9101, label: 'data', region: 'us-east', compute_id: 9002, status: 'active' }).id),
  late: async ({ meanwhile, clock, arranged, moved }, use) =>
    use(async (seconds, ...attachments) => {
      const since = new Map<number | null, number>()
      await meanwhile({
        after({ method, path }) {
          const volume = arranged.volumes.get(moved)
          if (method === 'POST' && path.includes(`/volumes/${moved}/`) && volume)
            since.set(volume.compute_id, clock.now())
        },
        answer({ method, path }) {
          const volume = arranged.volumes.get(moved)
          const place = volume?.compute_id ?? null
          const isLate = clock.now() - (since.get(place) ?? Number.NEGATIVE_INFINITY) < seconds * 1000
          if (method !== 'GET' || !path.startsWith(`/volumes/${moved}`) || !isLate || !attachments.includes(place))
            return
          const others = { compute_label: null, filesystem_path: '/dev/data', compute_id: place === null ? 9002 : null }
          return { ...volume, ...others }
        },
      })
    }),
})

describe('--wait-timeout of apply', () => {
  test('is the time of each step, not of all together', async ({ skyctl, late, clock, arranged, moved }) => {
    await late(15, null, 9001)
    const began = clock.now()
    const { exit, stderr } = await skyctl(line, { stdin: file })
    expect(exit, stderr).toBe(0)
    expect(clock.now() - began).toBeGreaterThanOrEqual(30_000)
    expect(arranged.volumes.get(moved)?.compute_id).toBe(9001)
  })

  test('names a volume whose detachment took too long', async ({ skyctl, late, world }) => {
    await late(60, null)
    const { exit, stderr } = await skyctl(line, { stdin: file })
    expect(exit).toBe(10)
    expect(stderr).toContain('is not detached after 20s')
    expect(stderr).toContain('volume "data" (9101) is not attached to compute instance 9001 yet')
    expect(world.requests('POST').map(({ path }) => path)).toEqual(['/volumes/9101/detach'])
  })

  test('sends no attachment elsewhere while one is under way', async ({ skyctl, late, world }) => {
    await late(60, 9001)
    const { exit, stderr } = await skyctl(line, { stdin: file })
    expect(exit).toBe(10)
    expect(stderr).toContain('is not attached after 20s')
    expect(stderr).not.toContain('yet')
    expect(world.requests('POST').map(({ path }) => path)).toEqual(['/volumes/9101/detach', '/volumes/9101/attach'])
  })
})

describe('A volume whose attachment is refused', () => {
  const refusals = 200

  test('is attached again to the instance from which it came', async ({ skyctl, lossy, arranged, moved }) => {
    lossy.lose('POST', /\/attach$/, { done: false, reply: busy })
    const { exit, stderr } = await skyctl('apply - --yes --wait-timeout 0s', { stdin: file })
    expect({ exit, place: arranged.volumes.get(moved)?.compute_id }, stderr).toEqual({ exit: 6, place: 9002 })
    expect(stderr).not.toContain('yet')
  })

  test.for(['', '--json'])('is named if it stays detached: %s', async (flag, { skyctl, lossy, arranged, moved }) => {
    for (let index = 0; index < refusals; index += 1) lossy.lose('POST', /\/attach$/, { done: false, reply: busy })
    const { exit, stderr } = await skyctl(`${line} ${flag}`, { stdin: file })
    expect({ exit, place: arranged.volumes.get(moved)?.compute_id }).toEqual({ exit: 9, place: null })
    const text = flag === '--json' ? JSON.parse(stderr).error.message : stderr
    expect(text).toMatch(/1 of 2 steps applied.*; volume "data" \(9101\) is not attached to compute instance 9001 yet/)
  })

  test('is named when two change places', async ({ skyctl, lossy, arranged, moved }) => {
    arranged.volume({ id: 9102, label: 'logs', region: 'us-east', compute_id: 9001, status: 'active' })
    for (let index = 0; index < refusals; index += 1) lossy.lose('POST', /\/attach$/, { done: false, reply: busy })
    const stdin = 'volumes: { data: { compute_id: 9001 }, logs: { compute_id: 9002 } }'
    const { exit, stderr } = await skyctl(line, { stdin })
    expect({ exit, place: arranged.volumes.get(moved)?.compute_id }).toEqual({ exit: 9, place: null })
    for (const [id, place] of [
      [9101, 9001],
      [9102, 9002],
    ])
      expect(stderr).toMatch(new RegExp(`volume "\\w+" \\(${id}\\) is not attached to compute instance ${place} yet`))
  })
})
