/** Content of the history file for each kind of request (interface.md, history). */
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

/** Computes the hash like earlier versions: lists are sorted by their texts. */
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32)

const entry = expect.stringMatching(/^[\w-]{8,}$/)
const time = '2026-01-15T12:00:00.000Z'
const user = { uid: 1, username: 'owner' }

test('The history of a creation has its label, and then its id', async ({ skyctl, lines, world, env }) => {
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

test('The history of an update has the replaced values, and a hash of the new ones', async ({
  skyctl,
  lines,
  world,
}) => {
  world.volume({ id: 7001, label: 'data', tags: ['a', 'b'] })
  await skyctl('volumes update data --tag z --tag x')
  const [begin, end] = lines()
  expect(begin).toMatchObject({ label: 'data', path_parameters: { volumeId: 7001 }, before: { tags: ['a', 'b'] } })
  expect(Object.keys(begin ?? {})).not.toContain('whole')
  expect(end).toMatchObject({ outcome: 'ok', id: 7001, label: 'data', after: hashOf('{"tags":["x","z"]}') })
})

test('The history has at most 1,000 characters of a label', async ({ skyctl, lines, world }) => {
  world.volume({ id: 7001, label: 'l'.repeat(1200) })
  await skyctl('volumes update 7001 --tag x')
  expect(lines()).toMatchObject([{ label: 'l'.repeat(1000) }, { label: 'l'.repeat(1000) }])
})

test.for([
  [69_987, true],
  [69_988, false],
] as const)(
  'The history has replaced values only up to a limit: a tag of %d characters: %s',
  async ([length, isKept], { skyctl, lines, world }) => {
    world.volume({ id: 7001, label: 'data', tags: ['no '.repeat(length).slice(0, length)] })
    await skyctl('volumes update data --tag x')
    expect(Object.hasOwn(lines()[0] ?? {}, 'before')).toBe(isKept)
  },
)

test('The history of a deletion has its label and no hash', async ({ skyctl, lines, world }) => {
  world.volume({ id: 7001, label: 'data' })
  await skyctl('volumes delete data --yes')
  const [begin, end] = lines()
  expect(begin).toMatchObject({ method: 'DELETE', label: 'data', path_parameters: { volumeId: 7001 } })
  expect(begin).not.toHaveProperty('before')
  expect(end).toEqual({ entry, ended: time, outcome: 'ok', status: 200 })
})

test('The history of a refused change has the code and the status, and no hash', async ({ skyctl, lines, world }) => {
  world.volume({ id: 7001, label: 'data', tags: ['a'] })
  await skyctl(['volumes', 'update', '7001', '--label', 'x'.repeat(200), '--no-validate'])
  expect(lines().at(-1)).toEqual({
    ...{ entry, ended: time, outcome: 'failed', code: 'refused', status: 400 },
  })
})

test('The history of a change of an address has the address instead of an id', async ({ skyctl, lines, world }) => {
  world.network.address({ address: '203.0.113.11', compute_id: 1001 })
  await skyctl('ips rdns 203.0.113.11 www.example.net --no-validate')
  expect(lines().at(-1)).toMatchObject({ outcome: 'ok', id: '203.0.113.11' })
  expect(lines().at(-1)).not.toHaveProperty('label')
})

test('The history of a request of `api` has its path', async ({ skyctl, lines }) => {
  await skyctl('api DELETE /volumes/4711 --yes')
  expect(lines()[0]).toEqual({
    ...{ entry, time, context: null, service: expect.any(String), user },
    ...{ command: 'api', method: 'DELETE', path: '/volumes/4711' },
  })
  expect(lines()[1]).toMatchObject({ outcome: 'failed', code: 'not_found', status: 404 })
})
