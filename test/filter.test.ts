/** --filter and --sort on lists: the real command line and client, with the sandbox or a service with any behaviour. */
import { describe, expect } from 'vitest'
import { program } from '../src/commands/index'
import { loadTree, withDescendants } from '../src/engine/command-nodes'
import { formatTimestamp } from '../src/rules/times'
import { faultServer, reply, type Script } from './support/fault-server'
import { loadsOf } from './support/loads'
import { completeRecord } from './support/records'
import { type Fixtures, type Result, test } from './support/skyctl'

const day = 86_400_000

/** Creates the volumes that the tests below filter. */
function fill(world: Fixtures['world'], now: number): void {
  for (const { id } of world.volumes.all()) world.volumes.delete(id)
  const ago = (days: number) => formatTimestamp(now - days * day)
  world.volume({ label: 'tiny', size: 20, compute_id: null, created: ago(1), tags: ['prod', 'web'] })
  world.volume({ label: 'Small', size: 40, compute_id: 1001, created: ago(7) })
  world.volume({ label: 'large', size: 100, compute_id: 1003, created: ago(30), tags: ['prod'] })
  world.volume({ label: 'huge', size: 500, compute_id: null, created: ago(400), region: 'eu-west', tags: ['none'] })
}

/** Returns a command line that prints the labels of matching volumes. */
const listLabels = (filters: readonly string[]) => [
  'volumes',
  'list',
  ...filters.flatMap((filter) => ['--filter', filter]),
  ...['-o', 'tsv', '--no-headers', '--columns', 'label'],
]

const linesOf = ({ stdout }: Result) => stdout.split('\n').filter((line) => line !== '')

describe('volumes list --filter', () => {
  test.for<[filters: string[], labels: string[]]>([
    [['size>=40'], ['Small', 'large', 'huge']],
    [['  size   <=   100  '], ['tiny', 'Small', 'large']],
    [['size>100GB'], ['large', 'huge']],
    [['compute_id=none'], ['tiny', 'huge']],
    [['compute_label!=web-1'], ['tiny', 'large', 'huge']],
    [['compute_label~WEB'], ['Small']],
    [['label=small'], []],
    [['tags=prod'], ['tiny', 'large']],
    [['tags!=prod'], ['Small', 'huge']],
    [['tags~RO'], ['tiny', 'large']],
    [['tags=none'], ['Small']],
    [['tags="none"'], ['huge']],
    [['tags=prod', 'tags=web'], ['tiny']],
    [['status=active', 'size>20', 'compute_id=none'], ['huge']],
    [['created>=7d'], ['Small', 'large', 'huge']],
    [['created<1w'], ['tiny']],
    [
      ['created<=7d', 'created>12h'],
      ['tiny', 'Small'],
    ],
  ])('%j keeps %j', async ([filters, labels], { skyctl, world, clock }) => {
    fill(world, clock.now())
    const result = await skyctl(listLabels(filters))
    expect({ ...result, stdout: linesOf(result) }).toEqual({ exit: 0, stdout: labels, stderr: '' })
  })

  test('a date is a day in UTC, and a time without a zone is in UTC', async ({ skyctl, world, clock }) => {
    fill(world, clock.now())
    const [noon] = world.volumes.all()
    if (noon) world.volumes.put({ ...noon, created: '2026-05-04T12:00:00' })
    const isListed = async (filter: string) => linesOf(await skyctl(listLabels([filter]))).includes('tiny')
    for (const matching of [
      'created=2026-05-04',
      'created<=2026-05-04',
      'created>=2026-05-04',
      'created>2026-05-03',
      'created<2026-05-05',
      'created=2026-05-04T12:00',
      'created=2026-05-04T12:00:00Z',
      'created=2026-05-04T14:00:00+02:00',
      'created<2026-05-04T12:00:00.5Z',
    ]) {
      expect([matching, await isListed(matching)]).toEqual([matching, true])
    }
    for (const other of ['created>2026-05-04', 'created<2026-05-04', 'created=2026-05-04T12:00:00+01:00']) {
      expect([other, await isListed(other)]).toEqual([other, false])
    }
  })

  test.for<[filter: string, message: string, spelling: string]>([
    ['compute_id=', 'no value follows the operator of "compute_id="', 'write compute_id=none'],
    ['label=', 'no value follows the operator of "label="', 'write label=""'],
    ['label~', 'no value follows', 'Write label~web'],
    ['label~""', 'no value follows', 'Write label~web'],
    ['size>', 'no value follows', 'Write size>40'],
    ['size>=4O', 'size is a number of GiB, and "4O" is not', 'Write size>=40 or size>=40GiB'],
    ['size=40 GiB and more', 'size is a number of GiB', 'Write size=40 or size=40GiB'],
    ['size>40G', 'size is a number of GiB', 'size>40GiB'],
    ['size>-1GiB', 'size is a number of GiB', 'size>40GiB'],
    ['size~4', 'size is a number of GiB, which ~ cannot compare', 'size>=40'],
    ['compute_id=null', 'compute_id is a whole number', 'Write compute_id=none'],
    ['compute_label=null', 'compute_label is a text', 'Write compute_label=none'],
    ['compute_id>none', 'compute_id is a whole number', 'Write compute_id>40'],
    ['compute_id=1001.5', 'compute_id is a whole number', 'Write compute_id=40'],
    ['created>7', 'created is a time', 'created>7d'],
    ['created=7d', 'created is a time', 'Write created=2026-01-31'],
    ['created<2026-02-30', 'created is a time', 'created<7d'],
    ['created<yesterday', 'created is a time', 'created<2026-01-14'],
    ['created~2026', 'created is a time, which ~ cannot compare', 'created>'],
    ['status>active', 'status is a text, which > cannot compare', 'Write status=creating'],
    ['label<m', 'label is a text, which < cannot compare', 'Write label=web'],
    ['tags>a', 'tags is a list', 'Write tags=web'],
    ['label==web', 'is not a test', 'label=web'],
    ['label=~web', 'is not a test', 'label~web'],
    ['size=>40', 'is not a test', 'size>=40'],
    ['size<>40', 'is not a test', 'size>=40'],
  ])('rejects %j before any request, with a valid example', async ([filter, message, spelling], { skyctl, world }) => {
    const { exit, stdout, stderr } = await skyctl(listLabels([filter]))
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr).toContain(spelling)
    expect(world.requests('GET')).toEqual([])
  })

  test('compares an unknown value, with a warning', async ({ skyctl, world, clock }) => {
    fill(world, clock.now())
    expect(await skyctl(['volumes', 'list', '--filter', 'status=actve', '-q'])).toEqual({
      exit: 0,
      stdout: '',
      stderr: 'skyctl: warning: --filter: "actve" is not a known value of status. Did you mean "active"?\n',
    })
    const { stdout, stderr } = await skyctl(listLabels(['status!=offline', 'size<40']))
    expect(stdout).toBe('tiny\n')
    expect(stderr).toContain('Known are: creating, active, resizing')
  })

  test('explains an age that leaves the list empty, since its sign may be the wrong one', async ({ skyctl }) => {
    const list = (test: string) => skyctl(['volumes', 'list', '--filter', test])
    const explanation = 'created<1s means newer than 1s. For older ones: created>1s\nNo volumes\n'
    expect(await list('created<1s')).toMatchObject({ exit: 0, stderr: explanation })
    for (const test of ['created>9999d', 'created<2001-01-01'])
      expect(await list(test)).toMatchObject({ exit: 0, stderr: 'No volumes\n' })
  })

  test('explains a star, since it stands for itself', async ({ skyctl }) => {
    const list = (test: string) => skyctl(['volumes', 'list', '--filter', test])
    const explanation =
      'skyctl: warning: --filter: label=ti* compares the whole text, with the star. For a part of it: label~ti\n'
    expect((await list('label=ti*')).stderr).toContain(explanation)
    expect((await list('compute_label=*')).stderr).toContain('For any value: compute_label!=none\n')
    expect(await list('label!=ti*')).toMatchObject({ exit: 0, stderr: '' })
  })

  test.for(['volumes', 'ips'])(
    'names an unknown region that leaves %s empty, with a similar one',
    async (group, { skyctl }) => {
      expect(await skyctl([group, 'list', '--filter', 'region=us-eats', '-q'])).toEqual({
        exit: 0,
        stdout: '',
        stderr: 'skyctl: warning: --filter: "us-eats" is no known region. Did you mean "us-east"?\n',
      })
      const existing = await skyctl([group, 'list', '--filter', 'region=us-east', '--filter', 'region=eu-west', '-q'])
      expect(existing).toEqual({ exit: 0, stdout: '', stderr: '' })
    },
  )
})

describe('other lists', () => {
  const ids = async (skyctl: Fixtures['skyctl'], words: readonly string[]) => linesOf(await skyctl([...words, '-q']))

  test('tokens list filters an expiry by the time left; null matches only =none and !=', async ({
    skyctl,
    world,
    clock,
  }) => {
    const daysLeft = { over: -1, soon: 13, later: 15 }
    const [some] = world.tokens.all()
    if (!some) throw new Error('the world has no token')
    for (const token of world.tokens.all()) world.tokens.put({ ...token, expiry: null })
    for (const [label, days] of Object.entries(daysLeft)) {
      await skyctl(['tokens', 'create', '--label', label, '--scopes', 'volumes:read_only', '--json'])
      const created = world.tokens.all().find((token) => token.label === label)
      if (created) world.tokens.put({ ...created, expiry: formatTimestamp(clock.now() + days * day) })
    }
    const labels = async (...filters: string[]) =>
      linesOf(
        await skyctl(
          ['tokens', 'list', '-o', 'tsv', '--no-headers', '--columns', 'label'].concat(
            filters.flatMap((filter) => ['--filter', filter]),
          ),
        ),
      )
    expect(await labels('expiry<14d')).toEqual(['over', 'soon'])
    expect(await labels('expiry<14d', 'expiry>0d')).toEqual(['soon'])
    expect(await labels('expiry>14d')).toEqual(['later'])
    expect(await labels('expiry!=none')).toEqual(['over', 'soon', 'later'])
    expect(await labels('expiry=none')).not.toEqual(expect.arrayContaining(['over']))
    expect(await labels('expiry=none', 'expiry<9999-12-31')).toEqual([])
  })

  test('ips list finds an address in any spelling, by network and by range', async ({ skyctl, world }) => {
    const all = await ids(skyctl, ['ips', 'list'])
    const addressesWith = (filter: string) => ids(skyctl, ['ips', 'list', '--filter', filter])
    const v6 = all.filter((address) => address.startsWith('2001:db8:'))
    const documentation = all.filter((address) => address.startsWith('192.0.2.'))
    const [some = ''] = v6
    expect(documentation.length).toBeGreaterThan(1)
    expect(await addressesWith('address=192.0.2.0/24')).toEqual(documentation)
    expect(await addressesWith('address!=192.0.2.0/24')).toEqual(
      all.filter((address) => !documentation.includes(address)),
    )
    expect(await addressesWith('address = 192.0.2.0 - 192.0.2.255')).toEqual(documentation)
    expect(await addressesWith('address=2001:0DB8::/32')).toEqual(v6)
    const groups = some.split('::').length === 1 ? some.split(':').map((group) => group.padStart(4, '0')) : []
    expect(groups).toHaveLength(8)
    expect(await addressesWith(`address=${groups.join(':').toUpperCase()}`)).toEqual([some])
    expect(world.requests('GET').length).toBeGreaterThan(0)
  })

  test.for([
    ['address=192.0.2.7/24', 'Write address=192.0.2.7, address=192.0.2.0/24'],
    ['address=192.0.2', 'Write address=192.0.2.7'],
    ['address=192.0.2.20-192.0.2.10', 'Write address=192.0.2.7'],
    ['address=fe80::1%eth0', 'Write address=192.0.2.7'],
    ['address>192.0.2.1', 'Write address=192.0.2.7'],
    ['public=1', 'Write public=true or public=false'],
    ['public>false', 'Write public=true'],
  ])('ips list rejects %j', async ([filter = '', spelling], { skyctl }) => {
    const { exit, stdout, stderr } = await skyctl(['ips', 'list', '--filter', filter])
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
    expect(stderr).toContain(spelling)
  })

  test('a missing value is none', async ({ skyctl }) => {
    const all = await ids(skyctl, ['ips', 'list'])
    const mapped = await ids(skyctl, ['ips', 'list', '--filter', 'vpc_nat_1_1.address!=none'])
    const others = await ids(skyctl, ['ips', 'list', '--filter', 'vpc_nat_1_1.address=none'])
    expect(mapped.length).toBeGreaterThan(0)
    expect([...mapped, ...others].sort()).toEqual(all.sort())
  })

  test('vlans list finds a number in a list, and an empty list as none', async ({ skyctl }) => {
    const lists = JSON.parse((await skyctl('vlans list --json')).stdout) as { label: string; computes: number[] }[]
    const [some] = lists.flatMap(({ computes }) => computes)
    const labels = (keep: (computes: number[]) => boolean) =>
      lists.filter(({ computes }) => keep(computes)).map(({ label }) => label)
    expect(await ids(skyctl, ['vlans', 'list', '--filter', `computes=${some}`])).toEqual(
      labels((computes) => computes.includes(some ?? 0)),
    )
    expect(await ids(skyctl, ['vlans', 'list', '--filter', 'computes=none'])).toEqual(
      labels((computes) => computes.length === 0),
    )
  })

  test('--region and --compute-id do the same as --filter', async ({ skyctl }) => {
    const both = ['--filter', 'region=us-east', '--filter', 'compute_id=1001']
    const flags = await ids(skyctl, ['ips', 'list', '--region', 'us-east', '--compute-id', '1001'])
    expect(flags.length).toBeGreaterThan(0)
    expect(flags).toEqual(await ids(skyctl, ['ips', 'list', ...both]))
  })
})

const commands = withDescendants(await loadTree(program))
const examples = commands
  .flatMap(({ command }) => command?.examples ?? [])
  .flatMap(({ line }) => line.split(' | ')[0] ?? [])
  .filter((line) => line.includes('--filter'))

test.for(examples)('the example of the help prints no warning: %s', async (line, { skyctl }) => {
  expect(line).toMatch(/^skyctl /)
  const { exit, stderr } = await skyctl(`${line.replace(/^skyctl /, '')} --json`)
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
})

/** Volumes of an answer, some with unknown or missing fields. */
const volumes = [
  { id: 1, label: 'one', size: 20, compute_id: null, public: true },
  { id: 2, label: 'two', size: 40, compute_id: 1001 },
  { id: 3, label: 'three', size: 500 },
]
const page = (data: readonly object[]) => ({ data: data.map(completeRecord), page: 1, pages: 1, results: data.length })
const refusal = reply(400, { errors: [{ field: 'X-Filter', reason: 'Cannot filter on label' }] })

/** Starts a service that answers lists with these records or this script. */
async function startService(answer: Script | readonly object[]) {
  const script = typeof answer === 'function' ? answer : reply(200, page(answer))
  const server = await faultServer((socket, heard) => script(socket, heard))
  return { server, env: { SKYCTL_BASE_URL: `http://${server.host}/v4` } }
}

describe('with any support of X-Filter,', () => {
  const lines: [filters: string[], ids: string][] = [
    [['size>=40'], '2\n3\n'],
    [['size>=40', 'label=two'], '2\n'],
    [['compute_id=none', 'label!=one'], '3\n'],
    [['label=four'], ''],
  ]

  const services: [way: string, answer: Script][] = [
    ['ignores', reply(200, page(volumes))],
    ['refuses', (socket, heard) => (heard.headers['x-filter'] ? refusal : reply(200, page(volumes)))(socket, heard)],
  ]

  test.for(services.flatMap(([way, answer]) => lines.map((line) => [way, ...line, answer] as const)))(
    'a list has the same records if the API %s %j',
    async ([, filters, ids, answer], { skyctl }) => {
      const { env } = await startService(answer)
      const argv = ['volumes', 'list', '-q', ...filters.flatMap((filter) => ['--filter', filter])]
      expect(await skyctl(argv, { env })).toEqual({ exit: 0, stdout: ids, stderr: '' })
    },
  )

  test('a request that fails for another reason is not repeated', async ({ skyctl }) => {
    const other = reply(400, { errors: [{ field: 'page_size', reason: 'Must be 25-500' }] })
    const { server, env } = await startService(other)
    expect((await skyctl('volumes list --filter label=two', { env })).exit).toBe(6)
    expect((await skyctl('volumes view two', { env })).exit).toBe(6)
    expect(server.received).toHaveLength(2)
  })

  test.for(services)('a label is found if the API %s the filter', async ([, answer], { skyctl }) => {
    const { env } = await startService(answer)
    expect(await skyctl('volumes view two -q', { env })).toEqual({ exit: 0, stdout: '2\n', stderr: '' })
    expect(await skyctl('volumes view tow', { env })).toMatchObject({
      exit: 5,
      stderr: 'skyctl: volume "tow" not found. Did you mean "two"?\n',
    })
  })

  test.for<[line: string, filter: string, header: unknown]>([
    ['volumes', 'label=5', { label: '5' }],
    ['volumes', 'tags=old', { tags: 'old' }],
    ['volumes', 'tags=none', undefined],
    ['volumes', 'label!=web', undefined],
    ['volumes', 'label~web', undefined],
    ['firewalls', 'id=9007199254740991', { id: 9007199254740991 }],
    ['firewalls', 'id=9007199254740993', undefined],
    ['firewalls', 'created=2026-01-31', undefined],
    ['ips', 'prefix=24', { prefix: 24 }],
    // The API does not document comparisons with null.
    ['ips', 'rdns=none', undefined],
    ['ips', 'address=192.0.2.7', { address: '192.0.2.7' }],
    // The API may use another spelling.
    ['ips', 'address=2001:db8::7', undefined],
    ['ips', 'address=192.0.2.0/24', undefined],
    ['ips', 'address=192.0.2.7/32', undefined],
    ['regions availability', 'available=yes', { available: true }],
  ])(
    '%s %s sends X-Filter only for values that are equal in JSON: %j',
    async ([line, filter, expected], { skyctl }) => {
      const { server, env } = await startService([])
      const words = line.includes(' ') ? line.split(' ') : [line, 'list']
      expect((await skyctl([...words, '--filter', filter, '--json'], { env })).exit).toBe(0)
      const header = server.received[0]?.headers['x-filter']
      expect(header === undefined ? undefined : JSON.parse(header)).toEqual(expected)
    },
  )
})

describe('an unusual value', () => {
  test.for<[field: string, value: unknown, passing: string[], failing: string[]]>([
    ['size', 9007199254740991, ['size>40', 'size!=40'], ['size=40', 'size<=40']],
    ['compute_label', 'none', ['compute_label="none"', 'compute_label!=none'], ['compute_label=none']],
    ['status', 'melting', ['status!=active', 'status=melting'], ['status=active']],
    ['tags', null, ['tags=none', 'tags!=web'], ['tags=web']],
    [
      'created',
      '2026-01-31T12:00:00.25+01:00',
      ['created=2026-01-31', 'created<2026-01-31T11:00:01'],
      ['created>2026-02'],
    ],
    ['created', 'soon', [], ['created<1d', 'created>1d', 'created!=2026-01-31']],
  ])('of %s, %j, never matches by accident', async ([field, value, passing, failing], { skyctl }) => {
    const { env } = await startService([{ id: 1, label: 'x', [field]: value }])
    for (const filter of passing) {
      const { exit, stdout } = await skyctl(['volumes', 'list', '-q', '--filter', filter], { env })
      expect([filter, exit, stdout]).toEqual([filter, 0, '1\n'])
    }
    for (const filter of failing) {
      const { stdout } = await skyctl(['volumes', 'list', '-q', '--filter', filter], { env })
      expect([filter, stdout]).toEqual([filter, ''])
    }
  })

  test.for<[field: string, value: unknown]>([
    ['size', '40'],
    ['size', 40.5],
    ['size', { gib: 40 }],
    ['label', 5],
    ['status', 7],
    ['tags', 'web'],
    ['tags', [{ web: 1 }, 2]],
    ['created', 1_700_000_000],
  ])('of %s, %j, is an invalid response with any filter', async ([field, value], { skyctl }) => {
    const { env } = await startService([{ id: 1, [field]: value }])
    const { exit, stdout, stderr } = await skyctl(['volumes', 'list', '-q', '--filter', `${field}!=none`], { env })
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' })
    expect(stderr).toContain(`: data[0].${field}`)
  })

  test('beyond 2^53 is compared as a double, and printed with all digits', async ({ skyctl }) => {
    const ids = ['9007199254740992', '9007199254740993', '9007199254740994']
    const { env } = await startService(
      reply(200, JSON.stringify(page(ids.map((id) => ({ id })))).replace(/"id":"(\d+)"/g, '"id":$1')),
    )
    const idsWith = async (filter: string) =>
      linesOf(await skyctl(['volumes', 'list', '-q', '--filter', filter], { env }))
    expect(await idsWith('id=9007199254740993')).toEqual(ids.slice(0, 2))
    expect(await idsWith('id>9007199254740992')).toEqual(ids.slice(2))
    expect(await idsWith('id!=9007199254740993')).toEqual(ids.slice(2))
  })
})

describe('--sort', () => {
  const sortedIndexes = async (skyctl: Fixtures['skyctl'], [line, records]: [string, readonly object[]]) => {
    const { env } = await startService(records)
    const { stdout } = await skyctl(`${line} --json`, { env })
    return JSON.parse(stdout).map(({ id }: { id: number }) => id - 1)
  }
  const recordsWith = (field: string, values: readonly unknown[]) =>
    values.map((value, index) => ({ id: index + 1, [field]: value }))

  test('sorts addresses by value, IPv4 first, in any spelling', async ({ skyctl }) => {
    const values = ['2001:db8::10', '192.0.2.10', '2001:DB8:0::9', 'none', '192.0.2.9', '::1']
    expect(await sortedIndexes(skyctl, ['ips list --sort address', recordsWith('address', values)])).toEqual([
      4, 1, 5, 2, 0, 3,
    ])
    expect(await sortedIndexes(skyctl, ['ips list --sort -address', recordsWith('address', values)])).toEqual([
      3, 0, 2, 5, 1, 4,
    ])
  })

  test('sorts by the first of several fields, repeated or with commas, each by its type', async ({ skyctl }) => {
    const records = [
      { id: 1, region: 'us-east', size: 9 },
      { id: 2, region: 'eu-west', size: 40 },
      { id: 3, region: 'us-east', size: 20 },
      { id: 4, region: 'eu-west', size: 7 },
    ]
    for (const flags of ['--sort region --sort -size', '--sort region,-size', '--sort=region --sort=-size']) {
      expect(await sortedIndexes(skyctl, [`volumes list ${flags}`, records])).toEqual([1, 3, 2, 0])
    }
    expect(await sortedIndexes(skyctl, ['volumes list --sort -size,region', records])).toEqual([1, 2, 0, 3])
  })

  test('rejects an unknown field, and none', async ({ skyctl }) => {
    expect(await skyctl('volumes list --sort region --sort sise')).toMatchObject({
      exit: 2,
      stderr: 'skyctl: --sort: unknown field "sise". Did you mean "size"?\n',
    })
    expect(await skyctl(['volumes', 'list', '--sort', ''])).toMatchObject({ exit: 2, stdout: '' })
  })

  test('sorts times by instant', async ({ skyctl }) => {
    const values = ['2026-01-31T12:00:00', '2026-01-31T12:30:00+01:00', '2026-01-31T11:45:00']
    expect(await sortedIndexes(skyctl, ['volumes list --sort created', recordsWith('created', values)])).toEqual([
      1, 2, 0,
    ])
    expect(await sortedIndexes(skyctl, ['volumes list --sort -created', recordsWith('created', values)])).toEqual([
      0, 2, 1,
    ])
  })

  test('sorts sizes by value', async ({ skyctl }) => {
    expect(await sortedIndexes(skyctl, ['volumes list --sort size', recordsWith('size', [100, 20, 40, 9])])).toEqual([
      3, 1, 2, 0,
    ])
  })
})

describe('the code for comparisons', () => {
  test.for(['--filter size>=40', '--sort size'])('is loaded with %s', async (flag, { env }) => {
    const plain = await loadsOf(['volumes', 'list', '--json'], env)
    const { exit, files } = await loadsOf(['volumes', 'list', '--json', ...flag.split(' ')], env)
    expect(exit).toBe(0)
    expect(files.filter((file) => !plain.files.includes(file))).toContain('filter.js')
    expect(files).not.toContain('ipaddr.js.js')
  })
})

test('Help of --filter names a test that the records of the command can pass', async ({ skyctl }) => {
  const all = withDescendants(await loadTree(program))
  const examples = all.flatMap(({ words, command }) => {
    const description = command?.flags.find(({ name, values }) => name === 'filter' && values === 'filter')?.description
    const [, example] = /^Keep items with (\S+) \(skyctl help filter\)$/.exec(description ?? '') ?? []
    return description === undefined ? [] : [{ line: words.join(' '), example: example ?? description }]
  })
  expect(examples.length).toBeGreaterThan(15)
  for (const { line, example } of examples) {
    const target = line === 'firewalls devices list' ? ['web'] : []
    const { exit, stderr } = await skyctl([...line.split(' '), ...target, '--filter', example])
    expect({ line, exit, stderr: stderr.replace(/^No .*\n$/, '') }).toEqual({ line, exit: 0, stderr: '' })
  }
})
