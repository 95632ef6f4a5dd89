/** Plans that a wait or an interruption ends: apply names what is undone, and how to continue it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { test as base } from '../support/addresses'
import { interruptedWait } from '../support/interrupted-wait'
import { answer503 } from '../support/lossy-proxy'
import type { Options } from '../support/skyctl'

const test = base.extend<{
  /** Options of a user who presses Ctrl-C at the first wait, when so many changes were answered. */
  interrupted(changes: number): Options
}>({
  interrupted: async ({ clock, home }, use) =>
    use((changes) => {
      const history = join(home, 'state', 'history', '1.ndjson')
      const answered = () => (existsSync(history) ? readFileSync(history, 'utf8').split('"ended"').length - 1 : 0)
      return interruptedWait(clock, async () => {
        while (answered() < changes) await setImmediate()
        return true
      })
    }),
})

const again = 'To continue, run the same command again'
const planRest =
  'The saved plan is half done, and cannot be applied again. Plan the rest: skyctl plan FILE --out plan.json --force'

describe('A wait that times out before the last step of its object', () => {
  const two = 'volumes: { data: { size: 30, compute_id: 9001, tags: [z] }, logs: { tags: [q] } }'
  const one = 'volumes: { data: { size: 30, compute_id: 9001, tags: [z] } }'

  test('counts the object as not applied, and names the steps that are left', async ({ skyctl, arranged }) => {
    const id = arranged.volume({ label: 'data', region: 'us-east', status: 'active', compute_id: null }).id
    arranged.volume({ label: 'logs', region: 'us-east', status: 'active' })
    const { exit, stderr } = await skyctl('apply - --yes --wait-timeout 0s', { stdin: two })
    expect(exit).toBe(10)
    expect(stderr.trimEnd().split('\n').slice(-2)).toEqual([
      `skyctl: volume "data" (${id}): volume "data" (${id}) is not active after 0s; its status is resizing; not done yet: attached to compute instance 9001; tags: none -> z. ${again}`,
      '1 of 2 applied',
    ])
  })

  test('is continued by the same command', async ({ skyctl, arranged, clock }) => {
    const { id } = arranged.volume({ label: 'data', region: 'us-east', status: 'active', compute_id: null })
    expect((await skyctl('apply - --yes --wait-timeout 0s', { stdin: one })).stderr).toContain(again)
    clock.advance(60_000)
    expect(await skyctl('apply - --yes', { stdin: one })).toMatchObject({ exit: 0 })
    expect(arranged.volumes.get(id)).toMatchObject({ size: 30, compute_id: 9001, tags: ['z'] })
  })

  test('has the steps and the next command in the JSON, too', async ({ skyctl, arranged }) => {
    arranged.volume({ label: 'data', region: 'us-east', status: 'active', compute_id: null })
    const { exit, stdout, stderr } = await skyctl('apply - --yes --wait-timeout 0s --json', { stdin: one })
    const expected = {
      code: 'wait_timed_out',
      message: expect.stringContaining('not done yet: attached to compute instance 9001; tags: none -> z'),
      hint: again,
    }
    expect({ exit, error: JSON.parse(stderr).error, actions: JSON.parse(stdout).actions }).toMatchObject({
      exit: 10,
      error: expected,
      actions: [{ name: 'data', ok: false, error: expected }],
    })
  })

  test('is not counted either if the service is unavailable during the wait', async ({ skyctl, arranged, lossy }) => {
    arranged.volume({ label: 'data', region: 'us-east', status: 'active', compute_id: null })
    lossy.pass('GET', /^\/volumes/)
    for (let count = 0; count < 100; count += 1) lossy.lose('GET', /^\/volumes/, { done: false, reply: answer503 })
    const { stdout, stderr } = await skyctl('apply - --yes --wait-timeout 2s --json', { stdin: one })
    const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')
    expect(error).toMatchObject({
      message: expect.stringContaining('not done yet: attached to compute instance 9001; tags: none -> z'),
      hint: again,
    })
    expect(JSON.parse(stdout)).toMatchObject({ changed: true, actions: [{ ok: false }] })
  })

  test('needs a new plan if the plan was saved', async ({ skyctl, arranged, home, clock }) => {
    arranged.volume({ label: 'data', region: 'us-east', status: 'active', compute_id: null })
    const path = join(home, 'plan.json')
    await skyctl(`plan - --out ${path}`, { stdin: one })
    const { stderr } = await skyctl(`apply ${path} --yes --wait-timeout 0s`)
    expect(stderr).toContain(planRest)
    clock.advance(60_000)
    expect(await skyctl(`apply ${path} --yes`)).toMatchObject({ exit: 6 })
    expect(await skyctl(`plan - --out ${path} --force`, { stdin: one })).toMatchObject({ exit: 0 })
    expect(readFileSync(path, 'utf8')).not.toContain('resize')
    expect(await skyctl(`apply ${path} --yes`)).toMatchObject({ exit: 0 })
  })
})

test('A wait that times out after the last step of its object counts as applied', async ({ skyctl, arranged }) => {
  const { id } = arranged.volume({ label: 'data', region: 'us-east', status: 'active' })
  arranged.volume({ label: 'logs', region: 'us-east', status: 'active' })
  const stdin = 'volumes: { data: { size: 30 }, logs: { tags: [q] } }'
  const { exit, stderr } = await skyctl('apply - --yes --wait-timeout 0s', { stdin })
  expect({ exit, lines: stderr.trimEnd().split('\n').slice(-2) }).toEqual({
    exit: 10,
    lines: [expect.stringContaining(`. Continue waiting: skyctl volumes wait ${id} --for active`), '2 of 2 applied'],
  })
})

describe('An interrupted apply', () => {
  test('counts no object of which steps are left', async ({ skyctl, arranged, interrupted }) => {
    const { id } = arranged.volume({ label: 'data', region: 'us-east', status: 'active', compute_id: null })
    arranged.volume({ label: 'logs', region: 'us-east', status: 'active' })
    const stdin = 'volumes: { data: { size: 30, tags: [z] }, logs: { tags: [q] } }'
    const { exit, stderr } = await skyctl('apply - --yes', { stdin, ...interrupted(2) })
    expect(exit).toBe(130)
    expect(stderr).toContain(`: 1 of 2 applied; not done yet: volume "data" (${id}). ${again}\n`)
  })

  test('names an object in progress if only its last wait is left', async ({ skyctl, arranged, interrupted }) => {
    const { id } = arranged.volume({ label: 'data', region: 'us-east', status: 'active' })
    arranged.volume({ label: 'logs', region: 'us-east', status: 'active' })
    const stdin = 'volumes: { data: { size: 30 }, logs: { tags: [q] } }'
    const { exit, stderr } = await skyctl('apply - --yes', { stdin, ...interrupted(2) })
    expect(exit).toBe(130)
    expect(stderr).toContain(`: 2 of 2 applied; still in progress: volume "data" (${id})\n`)
  })

  test('does not name an address that was assigned', async ({ skyctl, arranged, interrupted }) => {
    const { id } = arranged.volume({ label: 'data', region: 'us-east', status: 'active', compute_id: null })
    const stdin = 'ips: { 203.0.113.12: { compute_id: 9002 } }\nvolumes: { data: { size: 30, tags: [z] } }'
    const { stdout, stderr } = await skyctl('apply - --yes --json', { stdin, ...interrupted(2) })
    const { message } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error
    expect(message).toContain(`: 1 of 2 applied; not done yet: volume "data" (${id})`)
    expect(message).not.toContain('203.0.113.12')
    expect(JSON.parse(stdout).actions).toMatchObject([
      { name: 'data', ok: false },
      { name: '203.0.113.12', ok: true },
    ])
  })

  test.for([
    ['half done', '{ size: 30, tags: [z] }', planRest],
    ['done or untouched', '{ size: 30 }', again],
  ] as const)(
    'of a saved plan names the next command if an object is %s',
    async ([, data, hint], { skyctl, arranged, home, interrupted }) => {
      for (const label of ['data', 'logs']) arranged.volume({ label, region: 'us-east', status: 'active' })
      const path = join(home, 'plan.json')
      await skyctl(`plan - --out ${path}`, { stdin: `volumes: { data: ${data}, logs: { was: logs2, tags: [z] } }` })
      const { exit, stderr } = await skyctl(`apply ${path} --yes --concurrency 1`, interrupted(1))
      expect({ exit, stderr }).toMatchObject({ exit: 130, stderr: expect.stringContaining(hint) })
    },
  )
})
