/** Changes that the service accepted, but shows in another notation, or only later: they are made once. */
import { expect } from 'vitest'
import { areCurrent } from '../src/firewall/diff'
import type { ProxiedRequest } from './support/proxy'
import { test as base } from './support/skyctl'

interface Accepting {
  /** Changes the text of each answer. */
  notation(change: (text: string) => string): Promise<void>
  /** Answers reads of a path with the state before the first PUT, so many times. */
  lag(path: RegExp, times: number): Promise<void>
  /** Returns the number of PUTs. */
  writes(): number
}

const test = base.extend<Accepting>({
  notation: async ({ meanwhile }, use) =>
    use(async (change) => {
      await meanwhile({ change: (body) => JSON.parse(change(JSON.stringify(body))) })
    }),
  lag: async ({ meanwhile, sandbox }, use) =>
    use(async (path, times) => {
      const before = new Map<string, object>()
      let left = 0
      const read = async (path: string) =>
        (await fetch(`${sandbox.baseUrl}${path}`, {
          headers: { authorization: `Bearer ${sandbox.ownerToken}` },
        }).then((answer) => answer.json())) as object
      const isLate = (request: ProxiedRequest) => request.method === 'GET' && path.test(request.path)
      await meanwhile({
        async before(request) {
          if (isLate(request) && left === 0) before.set(request.path, await read(request.path))
          if (request.method === 'PUT') left = times
        },
        answer(request) {
          if (!isLate(request) || left === 0) return undefined
          left -= 1
          return before.get(request.path)
        },
      })
    }),
  writes: async ({ world }, use) => use(() => world.requests('PUT').length),
})

const rule = 'inbound --action accept --protocol tcp --from 198.51.100.9/32 --yes'

test.for([
  ['ports in order', '--port 443,80 --label web-1', (text: string) => text.replaceAll('"443,80"', '"80, 443"')],
  ['joined ports', '--port 8000,8001 --label web-1', (text: string) => text.replaceAll('"8000,8001"', '"8000-8001"')],
  ['labels in lower case', '--port 80 --label Web-1', (text: string) => text.replaceAll('Web-1', 'web-1')],
] as const)(
  'a rule is added once to a service that stores %s',
  async ([, flags, change], { skyctl, world, notation, writes }) => {
    const { id } = world.network.firewall({ label: 'edge' })
    await notation(change)
    const { exit, stderr } = await skyctl(`firewalls rules add edge ${rule} ${flags}`)
    expect({ exit, writes: writes(), isBlamed: stderr.includes('Somebody') }).toEqual({
      exit: 0,
      writes: 1,
      isBlamed: false,
    })
    expect(world.network.firewalls.get(id)?.rules.inbound).toHaveLength(1)
  },
)

test('a tag is added once to a service that stores tags in lower case', async ({ skyctl, world, notation, writes }) => {
  const { id } = world.volume({ label: 'data', tags: ['one'] })
  await notation((text) => text.replaceAll('"Prod"', '"prod"'))
  const { exit } = await skyctl('volumes update data --add-tag Prod')
  expect({ exit, writes: writes(), tags: world.volumes.get(id)?.tags }).toEqual({
    exit: 0,
    writes: 1,
    tags: ['one', 'Prod'],
  })
})

test.for([
  ['rules', `firewalls rules add edge ${rule} --port 80`, /\/rules/],
  ['tags', 'volumes update data --add-tag new', /\/volumes/],
] as const)('%s are written once if reads show them later', async ([, line, path], { skyctl, world, lag, writes }) => {
  world.network.firewall({ label: 'edge' })
  world.volume({ label: 'data' })
  await lag(path, 3)
  const { exit, stderr } = await skyctl(line)
  expect({ exit, writes: writes(), isBlamed: stderr.includes('changed') }).toEqual({
    exit: 0,
    writes: 1,
    isBlamed: false,
  })
})

test('the outcome is unknown if the service never shows an accepted change', async ({ skyctl, world, lag, writes }) => {
  world.network.firewall({ label: 'edge' })
  await lag(/\/rules/, Number.POSITIVE_INFINITY)
  const { exit, stderr } = await skyctl(`firewalls rules add edge ${rule} --port 80 --json`)
  expect({ exit, writes: writes(), code: JSON.parse(stderr).error.code }).toEqual({
    exit: 11,
    writes: 2,
    code: 'outcome_unknown',
  })
})

test('an opening is closed at a service that stores its ports in order', async ({ skyctl, world, notation }) => {
  const { id } = world.network.firewall({ label: 'edge' })
  await notation((text) => text.replaceAll('"443,80"', '"80, 443"'))
  const opened = await skyctl('firewalls open edge --port 443,80 --from 198.51.100.7 --for 1h')
  const listed = await skyctl('firewalls openings edge --json')
  const closed = await skyctl('firewalls close edge')
  expect([opened.exit, JSON.parse(listed.stdout)[0]?.state, closed.exit]).toEqual([0, 'open', 0])
  expect(world.network.firewalls.get(id)?.rules.inbound).toEqual([])
})

test('rules with the same ports in another notation are the same', () => {
  const rules = (ports: string) =>
    ({
      inbound_policy: 'DROP',
      inbound: [{ action: 'ACCEPT', protocol: 'TCP', ports, addresses: { ipv4: ['192.0.2.0/24'] } }],
      outbound_policy: 'ACCEPT',
      outbound: [],
    }) as const
  const areSame = (one: string, other: string) =>
    areCurrent(structuredClone(rules(one)) as never, rules(other) as never)
  expect(['80, 443', '443,80', '22,23', '1-9'].map((ports) => areSame(ports, '443, 80'))).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect(areSame('22,23,24', '22-24')).toBe(true)
})
