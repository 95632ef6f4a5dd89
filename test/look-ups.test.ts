/** From ten objects on, commands look them up in one list instead of with a request for each. */
import type { ServerResponse } from 'node:http'
import { describe, expect } from 'vitest'
import { countRequests, pageWithout, withPages } from './support/looked-up-pages'
import { type Fixtures, test } from './support/skyctl'

type World = Fixtures['world']

const count = 20
const labels = Array.from({ length: count }, (_, index) => `v-${index}`)
const stdin = labels.join('\n')
const bodies = (names: readonly string[] = labels) =>
  names.map((label) => JSON.stringify({ label, region: 'us-east' })).join('\n')

const volumesIn = (world: World, fields: Parameters<World['volume']>[0] = {}) =>
  labels.map((label) => world.volume({ label, region: 'us-east', ...fields }).id)

type ListedVolume = { id: number; label?: string }

const deleted = (world: World) =>
  world
    .requests('DELETE')
    .map(({ path }) => Number(path.split('/').at(-1)))
    .sort((one, other) => one - other)

describe('many targets need one list and a request each', () => {
  test.for([
    ['volumes delete - --yes', 'DELETE /volumes/ID'],
    ['volumes update - --tag x', 'PUT /volumes/ID'],
    ['volumes detach - --yes', 'POST /volumes/ID/detach'],
  ] as const)('by label: %s', async ([line, write], { skyctl, world }) => {
    volumesIn(world, line.includes('detach') ? { compute_id: 1001 } : {})
    expect(await skyctl(line, { stdin })).toMatchObject({ exit: 0 })
    expect(countRequests(world)).toEqual({ 'GET /volumes': 1, [write]: count })
  })

  test('by id', async ({ skyctl, world }) => {
    const ids = volumesIn(world)
    expect(await skyctl('volumes delete - --yes', { stdin: ids.join('\n') })).toMatchObject({ exit: 0 })
    expect(countRequests(world)).toEqual({ 'GET /volumes': 1, 'DELETE /volumes/ID': count })
  })

  test('firewalls, tokens and SSH keys, too', async ({ skyctl, world }) => {
    for (const label of labels) {
      world.network.firewall({ label, status: 'disabled' })
      world.tokens.add({ label, user: 1, scopes: '*', token: label.padEnd(64, 'x') })
    }
    expect(await skyctl('firewalls enable -', { stdin })).toMatchObject({ exit: 0 })
    expect(await skyctl('tokens revoke - --yes', { stdin })).toMatchObject({ exit: 0 })
    expect(countRequests(world)).toEqual({
      ...{ 'GET /networking/firewalls': 1, 'PUT /networking/firewalls/ID': count },
      ...{ 'GET /profile/tokens': 1, 'DELETE /profile/tokens/ID': count },
    })
  })

  test('a view needs the list only', async ({ skyctl, world }) => {
    const ids = volumesIn(world)
    const { exit, stdout } = await skyctl('volumes view - --json', { stdin })
    expect({ exit, ids: JSON.parse(stdout).map(({ id }: { id: number }) => id) }).toEqual({ exit: 0, ids })
    expect(countRequests(world)).toEqual({ 'GET /volumes': 1 })
  })

  test('all pages of the list are read', async ({ skyctl, world }) => {
    for (let other = 0; other < 500; other += 1)
      world.volume({ label: `other-${other}`, created: '2025-01-01T00:00:00' })
    const ids = volumesIn(world, { created: '2025-01-01T00:00:00' })
    expect(await skyctl('volumes delete - --yes', { stdin })).toMatchObject({ exit: 0 })
    expect(deleted(world)).toEqual(ids)
    expect(countRequests(world)).toEqual({ 'GET /volumes': 2, 'DELETE /volumes/ID': count })
  })

  test('nine are looked up one by one', async ({ skyctl, world }) => {
    volumesIn(world)
    expect(await skyctl(`volumes delete ${labels.slice(0, 9).join(' ')} --yes`)).toMatchObject({ exit: 0 })
    expect(countRequests(world)).toEqual({ 'GET /volumes': 9, 'DELETE /volumes/ID': 9 })
  })
})

describe('an object is looked up by itself', () => {
  test.for(['id', 'label'] as const)('by %s if the list lacks it', async (named, { skyctl, world, meanwhile }) => {
    const ids = volumesIn(world)
    let isFirst = true
    await meanwhile(
      withPages<ListedVolume>((page) => {
        const lacking = isFirst ? pageWithout(page, ({ id }) => id === ids[3]) : page
        isFirst = false
        return lacking
      }),
    )
    const targets = named === 'id' ? ids.join('\n') : stdin
    expect(await skyctl('volumes delete - --yes', { stdin: targets })).toMatchObject({ exit: 0 })
    expect(deleted(world)).toEqual(ids)
  })

  test('before its label is called that of several', async ({ skyctl, world, meanwhile }) => {
    const ids = volumesIn(world)
    let isFirst = true
    await meanwhile(
      withPages<ListedVolume>((page) => {
        // Another one had the label until a moment ago.
        const data = page.data.map((record) => (record.id === ids[0] ? { ...record, label: 'v-1' } : record))
        const old = isFirst ? { ...page, data } : page
        isFirst = false
        return old
      }),
    )
    expect(await skyctl('volumes delete - --yes', { stdin })).toMatchObject({ exit: 0 })
    expect(deleted(world)).toEqual(ids)
  })

  test('if its record is in the list twice, it is one object', async ({ skyctl, world, meanwhile }) => {
    const ids = volumesIn(world)
    await meanwhile(withPages<ListedVolume>((page) => ({ ...page, data: [...page.data, ...page.data.slice(0, 1)] })))
    expect(await skyctl('volumes delete - --yes', { stdin })).toMatchObject({ exit: 0 })
    expect(deleted(world)).toEqual(ids)
    expect(countRequests(world)['GET /volumes']).toBe(1)
  })

  test('if the token may not read the list', async ({ skyctl, world, lossy }) => {
    const ids = volumesIn(world)
    const forbidden = (outgoing: ServerResponse) =>
      void outgoing
        .writeHead(403, { 'content-type': 'application/json' })
        .end(JSON.stringify({ errors: [{ reason: 'Unauthorized' }] }))
    lossy.lose('GET', /^\/volumes\?/, { done: false, reply: forbidden })
    expect(await skyctl('volumes delete - --yes', { stdin: ids.join('\n') })).toMatchObject({ exit: 0 })
    expect(deleted(world)).toEqual(ids)
    expect(lossy.pending()).toBe(0)
  })

  test('if the list needs more requests than that', async ({ skyctl, world, meanwhile }) => {
    const ids = volumesIn(world)
    await meanwhile(withPages<ListedVolume>((page) => ({ ...page, pages: count + 1 })))
    expect(await skyctl('volumes delete - --yes', { stdin: ids.join('\n') })).toMatchObject({ exit: 0 })
    expect(deleted(world)).toEqual(ids)
    expect(countRequests(world)['GET /volumes']).toBe(1)
  })

  test('and is not called deleted if the list still shows it', async ({ skyctl, world, meanwhile }) => {
    const ids = volumesIn(world)
    await meanwhile({
      after({ method, path }) {
        if (method === 'GET' && path.startsWith('/volumes?')) world.volumes.delete(ids[0] ?? 0)
      },
    })
    const { exit, stderr } = await skyctl('volumes delete - --yes', { stdin })
    expect({ exit, last: stderr.trimEnd().split('\n').at(-1) }).toEqual({ exit: 9, last: '19 of 20 deleted' })
    expect(stderr).toContain(`volume ${ids[0]} not found`)
  })
})

describe('many new objects', () => {
  test('need one list, which shows whether their labels are in use, and a request each', async ({ skyctl, world }) => {
    expect(await skyctl('volumes create --body -', { stdin: bodies() })).toMatchObject({ exit: 0 })
    expect(countRequests(world)).toEqual({ 'GET /regions': 1, 'GET /volumes': 1, 'POST /volumes': count })
  })

  test('do not get a label in use', async ({ skyctl, world }) => {
    const { id } = world.volume({ label: 'v-7' })
    const { exit, stderr } = await skyctl('volumes create --body -', { stdin: bodies() })
    expect({ exit, created: world.requests('POST').length }).toEqual({ exit: 9, created: count - 1 })
    expect(stderr).toContain(`volume "v-7" (${id}) already has this label`)
  })

  test('do not get the label of a volume that the list has without it', async ({ skyctl, world, meanwhile }) => {
    const { id } = world.volume({ label: 'v-7' })
    // A filter by label shows it whole.
    await meanwhile(
      withPages<ListedVolume>((page) => ({
        ...page,
        data: page.data.map((one) => (page.results > 1 && one.id === id ? { id } : one)),
      })),
    )
    const { exit, stderr } = await skyctl('volumes create --body -', { stdin: bodies() })
    expect({ exit, created: world.requests('POST').length }, stderr).toEqual({ exit: 9, created: count - 1 })
  })

  test('may have a label that is no longer in use', async ({ skyctl, world, meanwhile }) => {
    const { id } = world.volume({ label: 'v-7' })
    await meanwhile({
      after({ method, path }) {
        if (method === 'GET' && path.startsWith('/volumes?')) world.volumes.delete(id)
      },
    })
    expect(await skyctl('volumes create --body -', { stdin: bodies() })).toMatchObject({ exit: 0 })
  })

  test('are created once with --if-absent, also if two lines have the same label', async ({ skyctl, world }) => {
    const { exit } = await skyctl('volumes create --body - --if-absent', { stdin: `${bodies()}\n${bodies(['v-3'])}` })
    expect({ exit, labels: world.volumes.all().map(({ label }) => label) }).toMatchObject({ exit: 0 })
    expect(world.requests('POST')).toHaveLength(count)
  })

  test('are found after lost answers', async ({ skyctl, world, lossy }) => {
    for (let lost = 0; lost < 3; lost += 1) lossy.lose('POST', '/volumes', 'answer lost')
    const { exit, stderr } = await skyctl('volumes create --body -', { stdin: bodies() })
    expect({ exit, posts: world.requests('POST').length }).toEqual({ exit: 0, posts: count })
    expect(stderr.match(/the answer was lost, but volume "v-\d+" \(\d+\) was created/g)).toHaveLength(3)
  })

  test('are not taken for one that somebody else created after the list was read', async ({
    skyctl,
    world,
    clock,
    meanwhile,
  }) => {
    const last = labels.at(-1) ?? ''
    let isListed = false
    await meanwhile({
      before: ({ method, body }) => method === 'POST' && body.includes(`"${last}"`) && 'drop',
      after({ method, path }) {
        if (method !== 'GET' || !path.startsWith('/volumes?') || isListed) return
        isListed = true
        world.volume({ label: last, region: 'us-east', size: 20 })
        clock.advance(5000)
      },
    })
    const { exit, stderr } = await skyctl('volumes create --body -', { stdin: bodies() })
    expect({ exit, last: stderr.trimEnd().split('\n').at(-1) }).toEqual({ exit: 9, last: '19 of 20 created' })
    expect(stderr).toContain('may have existed before')
  })
})
