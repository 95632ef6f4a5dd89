/** --filter and --sort on lists: real command line, real client, the sandbox or a service that does as it likes. */
import { describe, expect } from 'vitest'
import { loadTree, withDescendants } from '../src/generate/tree'
import { program } from '../src/program'
import { formatTimestamp } from '../src/rules/times'
import { faultServer, reply, type Script } from './support/fault-server'
import { loadsOf } from './support/loads'
import { whole } from './support/records'
import { type Fixtures, type Result, test } from './support/skyctl'

const day = 86_400_000

/** The world that the tests below filter. */
function fill(world: Fixtures['world'], now: number): void {
  for (const { id } of world.volumes.all()) world.volumes.delete(id)
  const ago = (days: number) => formatTimestamp(now - days * day)
  world.volume({ label: 'tiny', size: 20, compute_id: null, created: ago(1), tags: ['prod', 'web'] })
  world.volume({ label: 'Small', size: 40, compute_id: 1001, created: ago(7) })
  world.volume({ label: 'large', size: 100, compute_id: 1003, created: ago(30), tags: ['prod'] })
  world.volume({ label: 'huge', size: 500, compute_id: null, created: ago(400), region: 'eu-west', tags: ['none'] })
}

/** What a list prints for these tests, a label each. */
const listed = (filters: readonly string[]) => [
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
    const result = await skyctl(listed(filters))
    expect({ ...result, stdout: linesOf(result) }).toEqual({ exit: 0, stdout: labels, stderr: '' })
  })

  test('a date is a day in UTC, and a time without a zone is in UTC', async ({ skyctl, world, clock }) => {
    fill(world, clock.now())
    const [noon] = world.volumes.all()
    if (noon) world.volumes.put({ ...noon, created: '2026-05-04T12:00:00' })
    const kept = async (filter: string) => linesOf(await skyctl(listed([filter]))).includes('tiny')
    for (const holds of [
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
      expect([holds, await kept(holds)]).toEqual([holds, true])
    }
    for (const fails of ['created>2026-05-04', 'created<2026-05-04', 'created=2026-05-04T12:00:00+01:00']) {
      expect([fails, await kept(fails)]).toEqual([fails, false])
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
    ['created<yesterday', 'created is a time', 'created<2026-01-31'],
    ['created~2026', 'created is a time, which ~ cannot compare', 'created>'],
    ['status>active', 'status is a text, which > cannot compare', 'Write status=creating'],
    ['label<m', 'label is a text, which < cannot compare', 'Write label=web'],
    ['tags>a', 'tags is a list', 'Write tags=web'],
    ['label==web', 'is not a test', 'label=web'],
    ['label=~web', 'is not a test', 'label~data'],
    ['size=>40', 'is not a test', 'size>=40'],
    ['size<>40', 'is not a test', 'size>=40'],
  ])(
    'refuses %j before it asks anything, and says how to write it',
    async ([filter, message, spelling], { skyctl, world }) => {
      const { exit, stdout, stderr } = await skyctl(listed([filter]))
      expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
      expect(stderr).toContain(message)
      expect(stderr).toContain(spelling)
      expect(world.requests('GET')).toEqual([])
    },
  )

  test('a value that is not known is compared all the same, with a warning', async ({ skyctl, world, clock }) => {
    fill(world, clock.now())
    expect(await skyctl(['volumes', 'list', '--filter', 'status=actve', '-q'])).toEqual({
      exit: 0,
      stdout: '',
      stderr: 'skyctl: warning: --filter: "actve" is not a known value of status. Did you mean "active"?\n',
    })
    const { stdout, stderr } = await skyctl(listed(['status!=offline', 'size<40']))
    expect(stdout).toBe('tiny\n')
    expect(stderr).toContain('Known are: creating, active, resizing')
  })

  test('an age that leaves a list empty is explained, as its sign may be meant the other way', async ({ skyctl }) => {
    const list = (test: string) => skyctl(['volumes', 'list', '--filter', test])
    const explained = 'created<1s means newer than 1s. For older ones: created>1s\nNo volumes\n'
    expect(await list('created<1s')).toMatchObject({ exit: 0, stderr: explained })
    for (const test of ['created>9999d', 'created<2001-01-01'])
      expect(await list(test)).toMatchObject({ exit: 0, stderr: 'No volumes\n' })
  })

  test.for(['volumes', 'ips'])(
    'an unknown region that leaves %s empty is named, with a similar one',
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

  test('an expiry is told by what is left; null passes =none and != only', async ({ skyctl, world, clock }) => {
    const left = { over: -1, soon: 13, later: 15 }
    const [some] = world.tokens.all()
    if (!some) throw new Error('the world has no token')
    for (const token of world.tokens.all()) world.tokens.put({ ...token, expiry: null })
    for (const [label, days] of Object.entries(left)) {
      await skyctl(['tokens', 'create', '--label', label, '--scopes', 'volumes:read_only', '--json'])
      const made = world.tokens.all().find((token) => token.label === label)
      if (made) world.tokens.put({ ...made, expiry: formatTimestamp(clock.now() + days * day) })
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

  test('an address is found in any spelling, in a network and between two', async ({ skyctl, world }) => {
    const all = await ids(skyctl, ['ips', 'list'])
    const found = (filter: string) => ids(skyctl, ['ips', 'list', '--filter', filter])
    const v6 = all.filter((address) => address.startsWith('2001:db8:'))
    const documentation = all.filter((address) => address.startsWith('192.0.2.'))
    const [some = ''] = v6
    expect(documentation.length).toBeGreaterThan(1)
    expect(await found('address=192.0.2.0/24')).toEqual(documentation)
    expect(await found('address!=192.0.2.0/24')).toEqual(all.filter((address) => !documentation.includes(address)))
    expect(await found('address = 192.0.2.0 - 192.0.2.255')).toEqual(documentation)
    expect(await found('address=2001:0DB8::/32')).toEqual(v6)
    const groups = some.split('::').length === 1 ? some.split(':').map((group) => group.padStart(4, '0')) : []
    expect(groups).toHaveLength(8)
    expect(await found(`address=${groups.join(':').toUpperCase()}`)).toEqual([some])
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
  ])('ips list refuses %j', async ([filter = '', spelling], { skyctl }) => {
    const { exit, stdout, stderr } = await skyctl(['ips', 'list', '--filter', filter])
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
    expect(stderr).toContain(spelling)
  })

  test('what is absent is none', async ({ skyctl }) => {
    const all = await ids(skyctl, ['ips', 'list'])
    const mapped = await ids(skyctl, ['ips', 'list', '--filter', 'vpc_nat_1_1.address!=none'])
    const others = await ids(skyctl, ['ips', 'list', '--filter', 'vpc_nat_1_1.address=none'])
    expect(mapped.length).toBeGreaterThan(0)
    expect([...mapped, ...others].sort()).toEqual(all.sort())
  })

  test('a member of a list of numbers is equal, and an empty list is none', async ({ skyctl }) => {
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

  test('--region and --compute-id are filters like others', async ({ skyctl }) => {
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

test.for(examples)('the example of the help runs without a warning: %s', async (line, { skyctl }) => {
  expect(line).toMatch(/^skyctl /)
  const { exit, stderr } = await skyctl(`${line.replace(/^skyctl /, '')} --json`)
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
})

/** Volumes as the service sends them, and such as it may send once it has grown. */
const sent = [
  { id: 1, label: 'one', size: 20, compute_id: null, public: true },
  { id: 2, label: 'two', size: 40, compute_id: 1001 },
  { id: 3, label: 'three', size: 500 },
]
const page = (data: readonly object[]) => ({ data: data.map(whole), page: 1, pages: 1, results: data.length })
const refusal = reply(400, { errors: [{ field: 'X-Filter', reason: 'Cannot filter on label' }] })

/** The environment of a service that answers a list as told. */
async function served(answer: Script | readonly object[]) {
  const script = typeof answer === 'function' ? answer : reply(200, page(answer))
  const server = await faultServer((socket, heard) => script(socket, heard))
  return { server, env: { SKYCTL_BASE_URL: `http://${server.host}/v4` } }
}

describe('whatever the service does with what it is asked', () => {
  const lines: [filters: string[], ids: string][] = [
    [['size>=40'], '2\n3\n'],
    [['size>=40', 'label=two'], '2\n'],
    [['compute_id=none', 'label!=one'], '3\n'],
    [['label=four'], ''],
  ]

  const ways: [way: string, answer: Script][] = [
    ['ignores', reply(200, page(sent))],
    ['refuses', (socket, heard) => (heard.headers['x-filter'] ? refusal : reply(200, page(sent)))(socket, heard)],
  ]

  test.for(ways.flatMap(([way, answer]) => lines.map((line) => [way, ...line, answer] as const)))(
    'a list keeps the same where it %s %j',
    async ([, filters, ids, answer], { skyctl }) => {
      const { env } = await served(answer)
      const argv = ['volumes', 'list', '-q', ...filters.flatMap((filter) => ['--filter', filter])]
      expect(await skyctl(argv, { env })).toEqual({ exit: 0, stdout: ids, stderr: '' })
    },
  )

  test('what fails for another reason is not asked for again', async ({ skyctl }) => {
    const other = reply(400, { errors: [{ field: 'page_size', reason: 'Must be 25-500' }] })
    const { server, env } = await served(other)
    expect((await skyctl('volumes list --filter label=two', { env })).exit).toBe(6)
    expect((await skyctl('volumes view two', { env })).exit).toBe(6)
    expect(server.heard).toHaveLength(2)
  })

  test.for(ways)('a label is found where it %s the filter', async ([, answer], { skyctl }) => {
    const { env } = await served(answer)
    expect(await skyctl('volumes view two -q', { env })).toEqual({ exit: 0, stdout: '2\n', stderr: '' })
    expect(await skyctl('volumes view tow', { env })).toMatchObject({
      exit: 5,
      stderr: 'skyctl: volume "tow" not found. Did you mean "two"?\n',
    })
  })

  test.for<[line: string, filter: string, asked: unknown]>([
    ['volumes', 'label=5', { label: '5' }],
    ['volumes', 'tags=old', { tags: 'old' }],
    ['volumes', 'tags=none', undefined],
    ['volumes', 'label!=web', undefined],
    ['volumes', 'label~web', undefined],
    ['firewalls', 'id=9007199254740991', { id: 9007199254740991 }],
    ['firewalls', 'id=9007199254740993', undefined],
    ['firewalls', 'created=2026-01-31', undefined],
    ['ips', 'prefix=24', { prefix: 24 }],
    // What null equals there is nowhere said.
    ['ips', 'rdns=none', undefined],
    ['ips', 'address=192.0.2.7', { address: '192.0.2.7' }],
    // The service may spell it in another way.
    ['ips', 'address=2001:db8::7', undefined],
    ['ips', 'address=192.0.2.0/24', undefined],
    ['ips', 'address=192.0.2.7/32', undefined],
    ['regions availability', 'available=yes', { available: true }],
  ])('of %s %s it is asked for what it finds equal as JSON: %j', async ([line, filter, asked], { skyctl }) => {
    const { server, env } = await served([])
    const words = line.includes(' ') ? line.split(' ') : [line, 'list']
    expect((await skyctl([...words, '--filter', filter, '--json'], { env })).exit).toBe(0)
    const header = server.heard[0]?.headers['x-filter']
    expect(header === undefined ? undefined : JSON.parse(header)).toEqual(asked)
  })
})

describe('a record whose value is not what is usual', () => {
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
  ])('%s %j never passes by accident', async ([field, value, passing, failing], { skyctl }) => {
    const { env } = await served([{ id: 1, label: 'x', [field]: value }])
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
  ])('%s %j is no answer, whatever is asked for', async ([field, value], { skyctl }) => {
    const { env } = await served([{ id: 1, [field]: value }])
    const { exit, stdout, stderr } = await skyctl(['volumes', 'list', '-q', '--filter', `${field}!=none`], { env })
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' })
    expect(stderr).toContain(`: data[0].${field}`)
  })

  test('an integer beyond 2^53 is compared digit by digit', async ({ skyctl }) => {
    const ids = ['9007199254740992', '9007199254740993', '9007199254740994']
    const { env } = await served(
      reply(200, JSON.stringify(page(ids.map((id) => ({ id })))).replace(/"id":"(\d+)"/g, '"id":$1')),
    )
    const found = async (filter: string) =>
      linesOf(await skyctl(['volumes', 'list', '-q', '--filter', filter], { env }))
    expect(await found('id=9007199254740993')).toEqual([ids[1]])
    expect(await found('id>9007199254740992')).toEqual(ids.slice(1))
    expect(await found('id!=9007199254740993')).toEqual([ids[0], ids[2]])
  })
})

describe('--sort', () => {
  const sorted = async (skyctl: Fixtures['skyctl'], [line, records]: [string, readonly object[]]) => {
    const { env } = await served(records)
    const { stdout } = await skyctl(`${line} --json`, { env })
    return JSON.parse(stdout).map(({ id }: { id: number }) => id - 1)
  }
  const numbered = (field: string, values: readonly unknown[]) =>
    values.map((value, index) => ({ id: index + 1, [field]: value }))

  test('orders addresses by value, those of IPv4 first, whatever their spelling', async ({ skyctl }) => {
    const values = ['2001:db8::10', '192.0.2.10', '2001:DB8:0::9', 'none', '192.0.2.9', '::1']
    expect(await sorted(skyctl, ['ips list --sort address', numbered('address', values)])).toEqual([4, 1, 5, 2, 0, 3])
    expect(await sorted(skyctl, ['ips list --sort -address', numbered('address', values)])).toEqual([3, 0, 2, 5, 1, 4])
  })

  test('of several fields the first decides, repeated or with commas, each by what it holds', async ({ skyctl }) => {
    const records = [
      { id: 1, region: 'us-east', size: 9 },
      { id: 2, region: 'eu-west', size: 40 },
      { id: 3, region: 'us-east', size: 20 },
      { id: 4, region: 'eu-west', size: 7 },
    ]
    for (const flags of ['--sort region --sort -size', '--sort region,-size', '--sort=region --sort=-size']) {
      expect(await sorted(skyctl, [`volumes list ${flags}`, records])).toEqual([1, 3, 2, 0])
    }
    expect(await sorted(skyctl, ['volumes list --sort -size,region', records])).toEqual([1, 2, 0, 3])
  })

  test('refuses the field that is unknown, or none', async ({ skyctl }) => {
    expect(await skyctl('volumes list --sort region --sort sise')).toMatchObject({
      exit: 2,
      stderr: 'skyctl: --sort: unknown field "sise". Did you mean "size"?\n',
    })
    expect(await skyctl(['volumes', 'list', '--sort', ''])).toMatchObject({ exit: 2, stdout: '' })
  })

  test('orders times by when they are', async ({ skyctl }) => {
    const values = ['2026-01-31T12:00:00', '2026-01-31T12:30:00+01:00', '2026-01-31T11:45:00']
    expect(await sorted(skyctl, ['volumes list --sort created', numbered('created', values)])).toEqual([1, 2, 0])
    expect(await sorted(skyctl, ['volumes list --sort -created', numbered('created', values)])).toEqual([0, 2, 1])
  })

  test('orders sizes by value', async ({ skyctl }) => {
    expect(await sorted(skyctl, ['volumes list --sort size', numbered('size', [100, 20, 40, 9])])).toEqual([3, 1, 2, 0])
  })
})

describe('what compares', () => {
  test.for(['--filter size>=40', '--sort size'])('is loaded with %s', async (flag, { env }) => {
    const plain = await loadsOf(['volumes', 'list', '--json'], env)
    const { exit, files } = await loadsOf(['volumes', 'list', '--json', ...flag.split(' ')], env)
    expect(exit).toBe(0)
    expect(files.filter((file) => !plain.files.includes(file))).toContain('filter.js')
    expect(files).not.toContain('ipaddr.js.js')
  })
})
