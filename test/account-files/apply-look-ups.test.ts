/** Applying a plan looks up nothing that the plan has read, except what a deletion relies on, and what may be old. */
import { describe, expect } from 'vitest'
import { test as base } from '../support/account-files'
import { ruleSet, ssh } from '../support/firewall-rules'

interface Applying {
  /** Applies a file; expects that it succeeds. */
  apply(text: string, flags?: string): Promise<void>
  /** Returns the reads of an object, or of its label, before the first request that changes it. */
  readsBefore(path: string): string[]
}

const test = base.extend<Applying>({
  apply: async ({ skyctl, file }, use) =>
    use(async (text, flags = '') => {
      expect(await skyctl(`apply ${file('a.yaml', text)} --yes ${flags}`)).toMatchObject({ exit: 0 })
    }),
  readsBefore: async ({ world }, use) =>
    use((path) => {
      const own = world
        .requests()
        .map((request) => ({ method: request.method, path: request.path.replace(/\?.*/, '') }))
        .filter((request) => request.path === path || request.path.startsWith(`${path}/`))
      const reads = own.slice(
        0,
        own.findIndex(({ method }) => method !== 'GET'),
      )
      return reads.map((request) => `${request.method} ${request.path.slice(path.length)}`)
    }),
})

describe('apply looks up nothing that its plan has read', () => {
  test.beforeEach(({ world }) => {
    world.compute({ id: 7001, region: 'us-east' })
    world.network.address({ address: '203.0.113.201', compute_id: 7001 })
    for (const [index, label] of ['retag', 'grow', 'attach'].entries())
      world.volume({ id: 9001 + index, label, region: 'us-east' })
  })
  const changed = [9001, 9002, 9003].map((id) => `/volumes/${id}`)
  const text = `volumes:
  retag: { tags: [new] }
  grow: { size: 30 }
  attach: { compute_id: 7001 }
`

  test('about volumes', async ({ apply, readsBefore }) => {
    await apply(text)
    expect(changed.map(readsBefore)).toEqual([[], [], []])
  })

  test('about addresses, also if the list spells them otherwise', async ({ apply, world, meanwhile }) => {
    const address = '2001:db8:aa::5'
    world.network.address({ address, compute_id: 7001, type: 'ipv6', public: true })
    await meanwhile({
      change: (body) => JSON.parse(JSON.stringify(body).replaceAll(`"${address}"`, '"2001:DB8:AA:0::5"')),
    })
    await apply(`rdns:\n  203.0.113.201: a.example.net\n  "${address}": b.example.net`)
    const sent = world.requests().map(({ method, path }) => `${method} ${path.replace(/[?].*/, '')}`)
    expect(sent.filter((one) => one.includes('/networking/ips/') && one.startsWith('GET'))).toEqual([])
    expect(world.network.findAddress(address)?.rdns).toBe('b.example.net')
  })

  test('except what a step may harm: somebody may have protected it', async ({ apply, readsBefore, world }) => {
    const { id } = world.volume({ label: 'detach', compute_id: 7001 })
    await apply('volumes: { detach: { compute_id: null } }')
    expect(readsBefore(`/volumes/${id}`)).toEqual(['GET '])
  })

  test('unless that was too long ago', async ({ apply, readsBefore, clock, meanwhile }) => {
    await meanwhile({ after: ({ path }) => void (path.startsWith('/volumes?') && clock.advance(20_000)) })
    await apply(text)
    expect(changed.map(readsBefore)).toEqual([[], ['GET '], ['GET ']])
  })

  test('about labels of new volumes', async ({ apply, world }) => {
    await apply('volumes: { new: { region: us-east } }')
    const lists = world.requests().flatMap(({ method, path }) => {
      const isLabels = path.startsWith('/volumes?') || method === 'POST'
      return isLabels ? [method] : []
    })
    // The last one shows that nobody else has created a volume with the label at the same time.
    expect(lists).toEqual(['GET', 'POST', 'GET'])
  })

  test('unless others may have created one meanwhile', async ({ apply, world, clock, meanwhile }) => {
    let isRead = false
    await meanwhile({
      after({ path }) {
        if (!path.startsWith('/volumes?') || isRead) return
        isRead = true
        world.volume({ label: 'new', region: 'us-east' })
        clock.advance(20_000)
      },
    })
    await apply('volumes: { new: { region: us-east } }')
    expect(world.requests('POST')).toEqual([])
  })
})

describe('apply --prune reads once, right before a deletion', () => {
  const owned = { label: 'old', tags: ['team'] }
  const prune = '--prune --max-deletes 1'

  test('a volume', async ({ apply, readsBefore, world }) => {
    const { id } = world.volume(owned)
    await apply('owner: team\nvolumes: {}', prune)
    expect(readsBefore(`/volumes/${id}`)).toEqual(['GET '])
  })

  test('a firewall and its services', async ({ apply, readsBefore, world }) => {
    const { id } = world.network.firewall({ ...owned, rules: ruleSet(ssh) })
    await apply('owner: team\nfirewalls: {}', prune)
    // The first one is that of the plan.
    expect(readsBefore(`/networking/firewalls/${id}`)).toEqual(['GET /devices', 'GET ', 'GET /devices'])
  })

  test('and keeps a volume that has become protected since the plan', async ({ skyctl, file, world, meanwhile }) => {
    const volume = world.volume(owned)
    await meanwhile({
      before: ({ path }) =>
        void (path === `/volumes/${volume.id}` && world.volumes.put({ ...volume, tags: ['team', 'protected'] })),
    })
    const path = file('a.yaml', 'owner: team\nvolumes: {}')
    expect(await skyctl(`apply ${path} ${prune} --yes`)).toMatchObject({ exit: 6 })
    expect(world.volumes.get(volume.id)).toBeDefined()
  })
})
