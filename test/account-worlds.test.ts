/** Random accounts: exporting one and applying it to another makes them equal. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { forms, writtenAs } from './support/account-forms'
import { expectAsPlanned, expectReached, exportOf, exportsOf, untilDone, withAccount } from './support/account-stage'
import { type Exposure, watchExposure } from './support/exposure'
import fc, { runs, timeout } from './support/fast-check'
import { cut, type Fate, type Loss, lossyProxy } from './support/lossy-proxy'
import { program } from './support/program'
import {
  type Account,
  accounts,
  formerLabels,
  namingFormerLabels,
  protectedIn,
  underFormerLabels,
  undoableIn,
  unmanagedIn,
} from './support/random-accounts'

const [command = '', ...words] = program

/** Cuts the answer off in the middle of its body. */
const cutOff: Loss = {
  done: true,
  reply(outgoing) {
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 }).write('{"data": [')
    setImmediate(() => cut(outgoing))
  },
}

/** Rejects a request, with a retry after one second. */
const tooMany: Loss = { done: false, reply: (outgoing) => void outgoing.writeHead(429, { 'retry-after': '1' }).end() }

/** Returns the services that an enabled firewall protects in both accounts. */
function protectedInBoth(...both: readonly [Account, Account]): string[] {
  const paused = new Set(both[0].firewalls.flatMap(({ label, unmanaged }) => (unmanaged.isPaused ? [label] : [])))
  const [before, desired] = both.map(({ firewalls }) =>
    firewalls.flatMap(({ label, status, computes, balancers }) =>
      status === 'enabled' && !paused.has(label)
        ? [...computes.map((id) => `compute ${id}`), ...balancers.map((id) => `balancer ${id}`)]
        : [],
    ),
  )
  return (before ?? []).filter((service) => desired?.includes(service))
}

/** While a service is unprotected, only requests that release or claim services are sent. */
function expectOnlyHandovers({ unprotectedRequests }: Exposure): void {
  const handover = /^(GET|POST|DELETE) \/networking\/firewalls\/\d+\/devices|^(GET|PUT) \/networking\/firewalls\/\d+$/
  for (const [service, requests] of unprotectedRequests)
    expect([service, requests.filter((request) => !handover.test(request))]).toEqual([service, []])
}

const defaultRuns = 3
/** Fewer runs for tests that kill processes. */
const defaultKills = 3

describe('applying an export of another account', () => {
  test('makes the account equal in all settings, and leaves the rest unchanged', { timeout }, async () => {
    await fc.assert(
      fc.asyncProperty(accounts, fc.constantFrom('json', 'yaml'), async ({ before, wanted }, form) => {
        const { long: file, [form]: stdin } = await exportsOf(wanted)
        await withAccount(before, async (stage) => {
          const unmanaged = unmanagedIn(stage.sandbox.world)
          const tokens = stage.sandbox.world.tokens.all()
          const exposure = await watchExposure(stage.sandbox, protectedInBoth(before, wanted))
          const env = { SKYCTL_BASE_URL: exposure.baseUrl }
          const { stdout: plan } = await stage.skyctl('plan - --json', { stdin })
          const applied = await stage.skyctl('apply - --yes', { stdin, env })
          await exposure.close()
          expect(applied).toMatchObject({ exit: 0 })
          expectOnlyHandovers(exposure)
          await expectReached(file, stage)
          await expectAsPlanned(plan, stage)
          expect(unmanagedIn(stage.sandbox.world)).toEqual(unmanaged)
          expect(stage.sandbox.world.tokens.all()).toEqual(tokens)
        })
      }),
      { numRuns: runs(defaultRuns) },
    )
  })

  test('does so after lost answers and requests, if it is repeated until it succeeds', {
    timeout,
  }, async () => {
    const loss = fc.record({
      method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
      fate: fc.constantFrom<Fate | Loss>(
        ...(['answer lost', 'request lost', 'unavailable', 'done, then 503'] as const),
        ...[cutOff, tooMany],
      ),
    })
    const losses = fc.array(loss, { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(accounts, losses, forms, async ({ before, wanted }, losses, form) => {
        const file = await exportOf(wanted)
        await withAccount(before, async (stage) => {
          const paths = writtenAs(form, { file, before, home: stage.home })
          const unmanaged = unmanagedIn(stage.sandbox.world)
          const exposure = await watchExposure(stage.sandbox, protectedInBoth(before, wanted))
          const proxy = await lossyProxy(exposure.baseUrl)
          for (const { method, fate } of losses) proxy.lose(method, /./, fate)
          const env = { SKYCTL_BASE_URL: proxy.baseUrl }
          const run = () => stage.skyctl(`apply ${paths} --yes`, { env })
          const last = await untilDone(run, losses.length)
          await proxy.close()
          await exposure.close()
          expect(last).toMatchObject({ exit: 0 })
          if (losses.every(({ fate }) => fate === tooMany)) expectOnlyHandovers(exposure)
          await expectReached(file, stage)
          expect(unmanagedIn(stage.sandbox.world)).toEqual(unmanaged)
        })
      }),
      { numRuns: runs(defaultRuns) },
    )
  })

  test('does so after a kill during a change, if it is repeated', { timeout }, async () => {
    const kill = fc.record({
      method: fc.constantFrom('POST', 'PUT', 'DELETE'),
      after: fc.nat(3),
      fate: fc.constantFrom<Fate>('none', 'request lost'),
    })
    let killed = 0
    await fc.assert(
      fc.asyncProperty(accounts, kill, forms, async ({ before, wanted }, { method, after, fate }, form) => {
        const file = await exportOf(wanted)
        await withAccount(before, async (stage) => {
          const line = ['apply', ...writtenAs(form, { file, before, home: stage.home }).split(' '), '--yes']
          const unmanaged = unmanagedIn(stage.sandbox.world)
          const proxy = await lossyProxy(stage.sandbox.baseUrl)
          for (let passed = 0; passed < after; passed += 1) proxy.pass(method, /./)
          const request = proxy.hold(method, /./, fate)
          const { PATH = '' } = process.env
          const env = { ...stage.env, PATH, SKYCTL_BASE_URL: proxy.baseUrl }
          const child = spawn(command, [...words, ...line], { env, stdio: 'ignore' })
          const ended = once(child, 'exit')
          if ((await Promise.race([request.arrived.then(() => 'arrived'), ended])) === 'arrived') {
            killed += 1
            child.kill('SIGKILL')
            request.release()
            await Promise.all([request.ended, ended])
          }
          await proxy.close()
          expect(await stage.skyctl(line.join(' '))).toMatchObject({ exit: 0 })
          await expectReached(file, stage)
          expect(unmanagedIn(stage.sandbox.world)).toEqual(unmanaged)
        })
      }),
      { numRuns: runs(defaultKills) },
    )
    // At least one run must have been killed.
    expect(killed).toBeGreaterThan(0)
  })

  test('is undone as a plan: everything with an undo is as before, and no service is open for longer than its move', {
    timeout,
  }, async () => {
    let undone = 0
    await fc.assert(
      fc.asyncProperty(accounts, async ({ before, wanted }) => {
        const file = await exportOf(wanted)
        await withAccount(before, async (stage) => {
          const { sandbox, skyctl } = stage
          const former = undoableIn(sandbox.world, before)
          // The history belongs to the address.
          const exposure = await watchExposure(sandbox, protectedInBoth(before, wanted))
          const env = { SKYCTL_BASE_URL: exposure.baseUrl }
          const applied = await skyctl('apply - --yes', { stdin: file, env })
          expect(applied).toMatchObject({ exit: 0 })
          const [, id] = /history undo --apply (\w+)/.exec(applied.stderr) ?? []
          if (id === undefined) return exposure.close()
          undone += 1
          const { exit, stderr } = await skyctl(`history undo --apply ${id} --yes`, { env })
          await exposure.close()
          // Creations, attachments and moves of addresses stay.
          expect({ exit, stderr: [0, 9].includes(exit) ? '' : stderr }).toMatchObject({ stderr: '' })
          expect(undoableIn(sandbox.world, before)).toEqual(former)
          expectOnlyHandovers(exposure)
        })
      }),
      { numRuns: runs(defaultRuns) },
    )
    expect(undone).toBeGreaterThan(0)
  })

  test('keeps what a second administrator assigns meanwhile, also with --prune', { timeout }, async () => {
    let saved = 0
    await fc.assert(
      fc.asyncProperty(accounts, fc.nat(7), fc.nat(3), async ({ before, wanted }, index, dropped) => {
        const { firewalls, ...others } = JSON.parse(await exportOf(wanted))
        const remaining = Object.entries(firewalls ?? {}).filter(([label]) => label !== `fw-${dropped}`)
        const stdin = JSON.stringify({ owner: 'team', ...others, firewalls: Object.fromEntries(remaining) })
        const owned = before.firewalls.map((one) => ({ ...one, tags: [...one.tags, 'team'] }))
        await withAccount({ ...before, firewalls: owned }, async ({ sandbox, skyctl }) => {
          const { world } = sandbox
          const all = world.network.firewalls.all()
          // Mostly one that the files no longer have, so that it is deleted.
          const target = (all.find(({ label }) => label === `fw-${dropped}`) ?? all[index % all.length])?.id ?? 0
          world.compute({ id: 7009, region: 'us-east' })
          let isDone = false
          const exposure = await watchExposure(sandbox, [], {
            before({ method, path }) {
              const isCheck = /^\/(volumes|networking\/firewalls)\/\d+$/.test(path)
              if (isDone || (method === 'GET' && !isCheck)) return
              isDone = true
              world.network.device(target, 'compute', 7009)
            },
          })
          const env = { SKYCTL_BASE_URL: exposure.baseUrl }
          const { exit, stderr } = await skyctl('apply - --prune --max-deletes 9 --yes', { stdin, env })
          await exposure.close()
          if (exit !== 0) expect(stderr).toContain('was assigned to compute 7009 since the plan was made')
          if (!isDone) return
          expect(world.network.devicesOf(target).map(({ entity }) => entity)).toContain(7009)
          expect(world.network.firewalls.get(target)).toBeDefined()
          saved += exit === 0 ? 0 : 1
        })
      }),
      { numRuns: runs(4 * defaultRuns) },
    )
    // At least one run must have kept a firewall that it would have deleted.
    expect(saved).toBeGreaterThan(0)
  })

  test('needs the same user for a saved plan, and for its undo', { timeout }, async () => {
    let undone = 0
    await fc.assert(
      fc.asyncProperty(accounts, async ({ before, wanted }) => {
        const file = await exportOf(wanted)
        await withAccount(before, async (stage) => {
          const { home, sandbox, skyctl } = stage
          const { world } = sandbox
          const others = [2, 3].map((user) => ({ SKYCTL_TOKEN: world.token('*', user) }))
          const changes = () => world.requests().filter(({ method }) => method !== 'GET').length
          const expectRefused = async (line: string) => {
            const sent = changes()
            for (const env of others) {
              const { exit, stderr } = await skyctl(line, { env })
              expect({ exit, stderr, sent: changes() }).toEqual({
                ...{ exit: 6, sent },
                stderr: expect.stringContaining(`user "owner" (1) at ${sandbox.baseUrl}, but this is user`),
              })
            }
          }
          const plan = join(home, 'plan.json')
          expect(await skyctl(`plan - --out ${plan}`, { stdin: file })).toMatchObject({ exit: 0 })
          await expectRefused(`apply ${plan} --yes`)
          const applied = await skyctl(`apply ${plan} --yes`)
          expect(applied).toMatchObject({ exit: 0 })
          await expectReached(file, stage)
          const [, id] = /history undo --apply (\w+)/.exec(applied.stderr) ?? []
          if (id === undefined) return
          undone += 1
          await expectRefused(`history undo --apply ${id} --yes --even-if-changed`)
        })
      }),
      { numRuns: runs(defaultRuns) },
    )
    // At least one run must have had an undo.
    expect(undone).toBeGreaterThan(0)
  })
})

/** Returns settings that no file has, by firewall, including firewalls with a former label. */
const unmanagedByLabel = (world: Parameters<typeof unmanagedIn>[0]) =>
  Object.fromEntries(Object.entries(unmanagedIn(world)).map(([label, all]) => [label.replace(/^was-/, ''), all]))

describe('an object with another label in the account than in the file', () => {
  test('is renamed by was, keeps its id, and gets all settings of the file', {
    timeout,
  }, async () => {
    let renamed = 0
    const losses = fc.array(fc.constantFrom<Fate>('answer lost', 'request lost', 'done, then 503'), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(accounts, formerLabels, losses, async ({ before, wanted }, former, losses) => {
        const plain = await exportOf(wanted)
        const file = namingFormerLabels(plain, former)
        await withAccount(underFormerLabels(before, former), async (stage) => {
          const { world } = stage.sandbox
          const unmanagedBefore = unmanagedByLabel(world)
          const idsOf = () => {
            const all = [...world.volumes.all(), ...world.network.firewalls.all()]
            return new Map(all.map(({ id, label }) => [label.replace(/^was-/, ''), id]))
          }
          const ids = idsOf()
          const count = [...world.volumes.all(), ...world.network.firewalls.all()].filter(({ label }) =>
            label.startsWith('was-'),
          ).length
          const proxy = await lossyProxy(stage.sandbox.baseUrl)
          for (const fate of losses) proxy.lose('PUT', /./, fate)
          const env = { SKYCTL_BASE_URL: proxy.baseUrl }
          const last = await untilDone(() => stage.skyctl('apply - --yes', { stdin: file, env }), losses.length)
          await proxy.close()
          expect(last).toMatchObject({ exit: 0 })
          await expectReached(plain, stage)
          expect(unmanagedByLabel(world)).toEqual(unmanagedBefore)
          const idsAfter = idsOf()
          expect([...ids].filter(([label, id]) => idsAfter.get(label) !== id)).toEqual([])
          renamed += count
        })
      }),
      { numRuns: runs(defaultRuns) },
    )
    // At least one run must have renamed an object.
    expect(renamed).toBeGreaterThan(0)
  })
})

describe('a protected object', () => {
  test('stays unchanged with any file', { timeout }, async () => {
    let [protectedCount, refusedCount] = [0, 0]
    const flags = fc.record({
      isProtected: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
      prune: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(accounts, formerLabels, flags, async ({ before, wanted }, former, { isProtected, prune }) => {
        const file = namingFormerLabels(await exportOf(wanted), former)
        const stdin = JSON.stringify({ owner: 'db', ...JSON.parse(file) })
        const withProtectedTag = <T extends { tags: string[] }>(all: readonly T[], from: number) =>
          all.map((one, index) => (isProtected[from + index] ? { ...one, tags: [...one.tags, 'protected'] } : one))
        const account = {
          ...before,
          volumes: withProtectedTag(before.volumes, 0),
          firewalls: withProtectedTag(before.firewalls, 4),
        }
        await withAccount(underFormerLabels(account, former), async ({ sandbox: { world }, skyctl }) => {
          const protectedBefore = protectedIn(world)
          const line = `apply - --yes --max-deletes 9${prune ? ' --prune' : ''}`
          const { exit, stderr } = await skyctl(line, { stdin })
          const protectedAfter = protectedIn(world)
          for (const [name, one] of protectedBefore) {
            const { services = [], ...others } = Object(one)
            const after = Object(protectedAfter.get(name))
            // A firewall that protects nothing may be disabled.
            const isHeld =
              others.status === undefined
                ? others.compute_id !== null
                : others.status === 'enabled' && services.length > 0
            if (isHeld) expect({ name, ...after }).toMatchObject({ name, ...others })
            expect({ name, services: after.services ?? [] }).toEqual({
              name,
              services: expect.arrayContaining(services),
            })
          }
          protectedCount += exit === 0 ? protectedBefore.size : 0
          if (exit !== 0) expect(stderr).toContain('protected')
          refusedCount += exit === 0 ? 0 : 1
        })
      }),
      { numRuns: runs(2 * defaultRuns) },
    )
    // At least one run must have kept a protected object, and one must have been refused.
    expect([protectedCount > 0, refusedCount > 0]).toEqual([true, true])
  })
})
