/** What stands in the file of the history for a request (interface.md, history): that, and nothing else. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { test as base } from '../../support/skyctl'

const test = base.extend<{ lines(): Record<string, unknown>[] }>({
  lines: async ({ home }, use) =>
    use(() => {
      const text = readFileSync(join(home, 'state/history/1.ndjson'), 'utf8')
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    }),
})

/** As earlier versions have written it, too: lists are in the order of their texts. */
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32)

const entry = expect.stringMatching(/^[\w-]{8,}$/)
const time = '2026-01-15T12:00:00.000Z'
const user = { uid: 1, username: 'owner' }

test('of what is made: its label, no holes and nothing before; then its id', async ({ skyctl, lines, world, env }) => {
  await skyctl('volumes create --label data --region us-east')
  const [{ id } = { id: 0 }] = world.volumes.all().filter(({ label }) => label === 'data')
  expect(lines()).toEqual([
    {
      ...{ entry, time, context: null, service: env.SKYCTL_BASE_URL, user, command: 'volumes create' },
      ...{ method: 'POST', path: '/volumes', label: 'data' },
    },
    { entry, ended: time, outcome: 'ok', status: 200, id, label: 'data' },
  ])
  expect(lines()[0]?.entry).toBe(lines()[1]?.entry)
})

test('of what is changed: what was replaced, and a hash of what stands then', async ({ skyctl, lines, world }) => {
  world.volume({ id: 7001, label: 'data', tags: ['a', 'b'] })
  await skyctl('volumes update data --tag z --tag x')
  const [begun, told] = lines()
  expect(begun).toMatchObject({ label: 'data', holes: { volumeId: 7001 }, before: { tags: ['a', 'b'] } })
  expect(Object.keys(begun ?? {})).not.toContain('whole')
  expect(told).toMatchObject({ outcome: 'ok', id: 7001, label: 'data', after: hashOf('{"tags":["x","z"]}') })
})

test('of what others call by long texts: their first 1,000 characters', async ({ skyctl, lines, world }) => {
  world.volume({ id: 7001, label: 'l'.repeat(1200) })
  await skyctl('volumes update 7001 --tag x')
  expect(lines()).toMatchObject([{ label: 'l'.repeat(1000) }, { label: 'l'.repeat(1000) }])
})

test.for([
  [69_987, true],
  [69_988, false],
] as const)(
  'of what is replaced by a tag: a tag of %d characters: %s',
  async ([length, isKept], { skyctl, lines, world }) => {
    world.volume({ id: 7001, label: 'data', tags: ['no '.repeat(length).slice(0, length)] })
    await skyctl('volumes update data --tag x')
    expect(Object.hasOwn(lines()[0] ?? {}, 'before')).toBe(isKept)
  },
)

test('of what is deleted: its label, and no hash', async ({ skyctl, lines, world }) => {
  world.volume({ id: 7001, label: 'data' })
  await skyctl('volumes delete data --yes')
  const [begun, told] = lines()
  expect(begun).toMatchObject({ method: 'DELETE', label: 'data', holes: { volumeId: 7001 } })
  expect(begun).not.toHaveProperty('before')
  expect(told).toEqual({ entry, ended: time, outcome: 'ok', status: 200 })
})

test('of what was refused: the code and the status, and no hash', async ({ skyctl, lines, world }) => {
  world.volume({ id: 7001, label: 'data', tags: ['a'] })
  await skyctl(['volumes', 'update', '7001', '--label', 'x'.repeat(200), '--no-validate'])
  expect(lines().at(-1)).toEqual({
    ...{ entry, ended: time, outcome: 'failed', code: 'refused', status: 400 },
  })
})

test('of a change of an address: the address in place of an id', async ({ skyctl, lines, world }) => {
  world.network.address({ address: '203.0.113.11', compute_id: 1001 })
  await skyctl('ips rdns 203.0.113.11 www.example.net --no-validate')
  expect(lines().at(-1)).toMatchObject({ outcome: 'ok', id: '203.0.113.11' })
  expect(lines().at(-1)).not.toHaveProperty('label')
})

test('of a request of `api`: the path as it was sent', async ({ skyctl, lines }) => {
  await skyctl('api DELETE /volumes/4711 --yes')
  expect(lines()[0]).toEqual({
    ...{ entry, time, context: null, service: expect.any(String), user },
    ...{ command: 'api', method: 'DELETE', path: '/volumes/4711' },
  })
  expect(lines()[1]).toMatchObject({ outcome: 'failed', code: 'not_found', status: 404 })
})
