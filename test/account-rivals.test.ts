/** Concurrent changes by others to the same account, and the limits of --prune. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { deeds, touchUnmanaged, withRival } from './support/account-rivals'
import { expectReached, exportOf, untilDone, withAccount } from './support/account-stage'
import fc, { runs, timeout } from './support/fast-check'
import { openProxy } from './support/proxy'
import { accounts, unmanagedIn } from './support/random-accounts'

const json = (text: string) => JSON.parse(text)
const defaultRuns = 3

describe('apply', () => {
  test('overrules changes that others make between its requests, without duplicates', {
    timeout,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(accounts, deeds, async ({ before, wanted }, deeds) => {
        const file = await exportOf(wanted)
        await withAccount(before, async (stage) => {
          const { world, baseUrl } = stage.sandbox
          const unmanaged = unmanagedIn(world)
          const proxy = await withRival(baseUrl, deeds, { world, wanted })
          const env = { SKYCTL_BASE_URL: proxy.baseUrl }
          await untilDone(() => stage.skyctl('apply - --yes', { stdin: file, env }), deeds.length)
          await proxy.close()
          // Changes after the last read are for the next run.
          expect(await stage.skyctl('apply - --yes', { stdin: file })).toMatchObject({ exit: 0 })
          await expectReached(file, stage)
          if (!touchUnmanaged(deeds)) expect(unmanagedIn(world)).toEqual(unmanaged)
          const labels = [...world.volumes.all(), ...world.network.firewalls.all()].map(({ label }) => label)
          const { volumes, firewalls } = json(file)
          expect(labels.sort()).toEqual([...Object.keys(volumes), ...Object.keys(firewalls)].sort())
        })
      }),
      { numRuns: runs(defaultRuns) },
    )
  })

  test('creates one set of objects despite a concurrent apply of the same file', {
    timeout,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(accounts, fc.array(fc.nat(6), { minLength: 1 }), async ({ before, wanted }, pauses) => {
        const file = await exportOf(wanted)
        await withAccount(before, async (stage) => {
          const unmanaged = unmanagedIn(stage.sandbox.world)
          let count = 0
          const proxy = await openProxy(stage.sandbox.baseUrl, {
            async before() {
              const pause = pauses[count++ % pauses.length] ?? 0
              for (let turn = 0; turn < pause; turn += 1) await new Promise((resolve) => setImmediate(resolve))
            },
          })
          const job = (name: string) =>
            stage.skyctl('apply - --yes', {
              stdin: file,
              env: { SKYCTL_BASE_URL: proxy.baseUrl, SKYCTL_STATE_DIR: join(stage.home, name) },
            })
          const ends = await Promise.all([job('one'), job('two')])
          await proxy.close()
          expect(ends.map(({ exit, stderr }) => (exit === 0 ? 'done' : stderr))).toEqual(['done', 'done'])
          await expectReached(file, stage)
          expect(unmanagedIn(stage.sandbox.world)).toEqual(unmanaged)
        })
      }),
      { numRuns: runs(defaultRuns) },
    )
  })
})

const owner = 'team'
const strays = fc.array(
  fc.record({
    isVolume: fc.boolean(),
    tags: fc.uniqueArray(fc.constantFrom(owner, 'teams', 'Team', 'other'), { maxLength: 3 }),
    isAttached: fc.boolean(),
    /** Whether somebody removes its tags after the plan is made. */
    isReleased: fc.boolean(),
  }),
  { maxLength: 6 },
)

describe('--prune', () => {
  test('deletes objects that have the owner tag and are in no file, and nothing else', {
    timeout,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(accounts, strays, async ({ before, wanted }, strays) => {
        const file = JSON.stringify({ owner, ...json(await exportOf(wanted)) })
        await withAccount(before, async (stage) => {
          const { world, baseUrl } = stage.sandbox
          const resources = strays.map(({ isVolume, tags, isAttached, isReleased }, index) => {
            const label = `stray-${index}`
            if (isVolume) {
              const { id } = world.volume({ label, tags, ...(isAttached && { compute_id: 7001 }) })
              const table = world.volumes
              return { tags, isReleased, find: () => table.get(id), untag: () => untag(id, table) }
            }
            const table = world.network.firewalls
            const { id } = world.network.firewall({ label, tags, status: 'disabled' })
            if (isAttached) world.network.device(id, 'compute', 7001)
            return { tags, isReleased, find: () => table.get(id), untag: () => untag(id, table) }
          })
          const others = () => [
            ...[...world.volumes.all(), ...world.network.firewalls.all()].filter(({ tags }) => !tags.includes(owner)),
            ...world.profile.sshkeys.all(),
          ]
          const othersBefore = others().map(({ id, label }) => ({ id, label }))
          const labelsInFile = new Set(Object.values(json(file)).flatMap((part) => Object.keys(part as object)))
          // Views and changes follow once all lists are read and the plan is made.
          let planned = false
          const proxy = await openProxy(baseUrl, {
            before({ method, path }) {
              if (!planned && (method !== 'GET' || /^\/(volumes|networking\/firewalls)\/\d+$/.test(path))) {
                planned = true
                for (const stray of resources) if (stray.isReleased) stray.untag()
              }
            },
          })
          const line = `apply - --prune --max-deletes ${strays.length} --yes`
          const { exit, stderr } = await stage.skyctl(line, { stdin: file, env: { SKYCTL_BASE_URL: proxy.baseUrl } })
          await proxy.close()
          const survivors = resources.map(({ find }) => find() !== undefined)
          expect(survivors).toEqual(resources.map(({ tags, isReleased }) => !tags.includes(owner) || isReleased))
          const ids = new Set(others().map(({ id, label }) => `${id} ${label}`))
          expect(
            othersBefore.filter(({ id, label }) => !labelsInFile.has(label) && !ids.has(`${id} ${label}`)),
          ).toEqual([])
          const spared = resources.filter(({ tags, isReleased }) => tags.includes(owner) && isReleased)
          expect({ ok: exit === 0, stderr }).toEqual({ ok: spared.length === 0, stderr })
          expect(stderr.match(/no longer has the tag "team", so skyctl keeps it/g) ?? []).toHaveLength(spared.length)
        })
      }),
      { numRuns: runs(defaultRuns) },
    )
  })
})

function untag<R extends { tags: readonly string[] }>(
  id: number,
  table: { get(id: number): R | undefined; put(record: R): unknown },
): void {
  const record = table.get(id)
  if (record) table.put({ ...record, tags: [] })
}
