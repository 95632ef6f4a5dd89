/** Lists that are late, and filters that find nothing: whatever is to exist once is not created a second time. */
import { describe, expect } from 'vitest'
import { isRecord } from '../src/rules/records'
import { test } from './support/skyctl'

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIH2v8cq0mO4Bq3c6rG0O6qQ4u9s6l0mYF9x2vJm1b8aA new'
const rules = { inbound_policy: 'drop', inbound: [], outbound_policy: 'accept', outbound: [] }
const files = JSON.stringify({
  volumes: { new: { region: 'us-east', size: 20 }, old: { region: 'us-east', size: 20 } },
  firewalls: { new: { rules } },
  sshkeys: { new: { ssh_key: key } },
})
const bodies = (count: number) =>
  ['new', ...Array.from({ length: count - 1 }, (_, index) => `other-${index}`)]
    .map((label) => JSON.stringify({ label, region: 'us-east', size: 20 }))
    .join('\n')

/** Lines that may be run again. */
const lines: [words: readonly string[], stdin?: string][] = [
  ['apply - --yes'.split(' '), files],
  ['volumes create --if-absent --label new --region us-east'.split(' ')],
  ['volumes create --if-absent --body -'.split(' '), bodies(3)],
  ['volumes create --if-absent --body -'.split(' '), bodies(12)],
  [[...'profile sshkeys add --if-absent --label new --ssh-key'.split(' '), key]],
]

const isList = (body: unknown): body is { data: { label: string }[] } => isRecord(body) && Array.isArray(body.data)

describe.for(lines)('%j', ([words, stdin = '']) => {
  test('creates nothing twice although lists do not show it yet', async ({ skyctl, world, meanwhile }) => {
    await meanwhile({
      change(body) {
        if (!isList(body)) return body
        const data = body.data.filter(({ label }) => label !== 'new')
        return { ...body, data, results: data.length }
      },
    })
    expect(await skyctl(words, { stdin })).toMatchObject({ exit: 0 })
    const created = world.requests('POST').length
    const { exit, stderr } = await skyctl(words, { stdin })
    expect({ exit, created: world.requests('POST').length }, stderr).toEqual({ exit: 0, created })
    expect(stderr).toMatch(/already exists and matches|No changes/)
  })

  test('creates nothing that a filter does not find', async ({ skyctl, world, meanwhile }) => {
    world.volume({ label: 'new', region: 'us-east', size: 20 })
    await skyctl(['profile', 'sshkeys', 'add', '--label', 'new', '--ssh-key', key])
    await meanwhile({
      answer: ({ filter }) => (filter === undefined ? undefined : { data: [], page: 1, pages: 1, results: 0 }),
    })
    const { exit, stderr } = await skyctl(words, { stdin })
    expect(exit, stderr).toBe(0)
    expect(world.volumes.all().filter(({ label }) => label === 'new')).toHaveLength(1)
    expect(world.requests('POST').filter(({ path }) => path === '/profile/sshkeys')).toHaveLength(1)
  })
})

describe('What this machine has just changed', () => {
  const entries = JSON.parse(files)
  /** Fields that tell the kind of a record. */
  const kindFields = ['hardware_type', 'rules', 'ssh_key']

  test('is there for plan and export although lists do not show it yet', async ({ skyctl, meanwhile }) => {
    await meanwhile({
      change(body) {
        if (!isList(body)) return body
        const data = body.data.filter(({ label }) => label !== 'new')
        return { ...body, data, results: data.length }
      },
    })
    expect(await skyctl('apply - --yes', { stdin: files })).toMatchObject({ exit: 0 })
    expect(await skyctl('plan - --exit-code', { stdin: files })).toMatchObject({ exit: 0 })
    const { stdout } = await skyctl('export --json')
    expect(JSON.parse(stdout)).toMatchObject({ ...entries, firewalls: { new: {} } })
  })

  test('is gone for plan and export although lists still have it', async ({ skyctl, meanwhile }) => {
    const before = new Map<string, unknown>()
    await meanwhile({
      change(body) {
        const isNew = isList(body) && body.data.some(({ label }) => label === 'new')
        const kind = isList(body) ? kindFields.find((field) => field in (body.data[0] ?? {})) : undefined
        if (kind === undefined) return body
        if (isNew) before.set(kind, body)
        return before.get(kind) ?? body
      },
    })
    expect(await skyctl('apply - --yes', { stdin: files })).toMatchObject({ exit: 0 })
    expect(await skyctl('plan - --exit-code', { stdin: files })).toMatchObject({ exit: 0 })
    for (const line of ['volumes delete new --yes', 'firewalls delete new --yes', 'profile sshkeys delete new --yes'])
      expect(await skyctl(line)).toMatchObject({ exit: 0 })
    const { exit, stdout } = await skyctl('plan - --exit-code', { stdin: files })
    expect(exit, stdout).toBe(13)
    expect(stdout).toContain('3 to create')
    const { stdout: exported } = await skyctl('export volumes firewalls sshkeys --json')
    const labels = Object.values(JSON.parse(exported)).flatMap((objects) => Object.keys(Object(objects)))
    expect(labels).not.toContain('new')
  })
})

test('A volume that a list still has after its deletion is created again', async ({ skyctl, world, meanwhile }) => {
  const { id } = world.volume({ label: 'new', region: 'us-east', size: 20 })
  let listed: { label: string }[] = []
  await meanwhile({
    change(body) {
      if (!isList(body) || !body.data.some((record) => 'hardware_type' in record)) return body
      listed = listed.length > 0 ? listed : body.data
      return { ...body, data: listed, results: listed.length, pages: 1 }
    },
  })
  expect(await skyctl('volumes delete new --yes')).toMatchObject({ exit: 0 })
  const { exit, stderr } = await skyctl('volumes create --if-absent --label new --region us-east')
  expect({ exit, ids: world.volumes.all().map((volume) => volume.id) }, stderr).toMatchObject({ exit: 0 })
  expect(world.volumes.all().filter(({ label }) => label === 'new')).not.toMatchObject([{ id }])
  expect(world.requests('POST')).toHaveLength(1)
})

test('A volume that a rival created at the same time is seen although a filter does not find it', async ({
  skyctl,
  world,
  meanwhile,
}) => {
  let rival: number | undefined
  await meanwhile({
    before({ method }) {
      if (method === 'POST') rival ??= world.volume({ label: 'new', region: 'us-east', size: 20 }).id
    },
    answer: ({ filter }) => (filter === undefined ? undefined : { data: [], page: 1, pages: 1, results: 0 }),
  })
  expect(await skyctl('volumes create --if-absent --label new --region us-east')).toMatchObject({ exit: 0 })
  expect(world.volumes.all().flatMap(({ id, label }) => (label === 'new' ? [id] : []))).toEqual([rival])
})

test('apply repeats nothing that it has done if a list still shows the state before', async ({
  skyctl,
  world,
  meanwhile,
}) => {
  const { id } = world.volume({ label: 'data', region: 'us-east', size: 20, tags: ['a'] })
  let before: unknown
  await meanwhile({
    change(body) {
      if (!isList(body) || !body.data.some((record) => 'hardware_type' in record)) return body
      before ??= body
      return before
    },
  })
  const stdin = JSON.stringify({ volumes: { data: { size: 40, compute_id: 1001, tags: ['b'] } } })
  expect(await skyctl('apply - --yes', { stdin })).toMatchObject({ exit: 0 })
  const { exit, stderr } = await skyctl('apply - --yes', { stdin })
  expect(exit, stderr).toBe(0)
  expect(stderr).toContain(`volume "data" (${id}) already has 40 GiB`)
  expect(stderr).toContain(`volume "data" (${id}) is already attached to compute instance 1001`)
  expect(world.volumes.get(id)).toMatchObject({ size: 40, compute_id: 1001, tags: ['b'], status: 'active' })
})
