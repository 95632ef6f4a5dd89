/** Overlays: files that refine objects of earlier files, and their result (state.md, For teams). */
import { describe, expect, test } from 'vitest'
import { type DesiredState, readDesiredState } from '../../src/account-file/desired-state'
import type { Level } from '../../src/account-file/overlays'
import { Problem } from '../../src/errors'
import { withoutColumn } from '../support/columns'
import { type Files, source } from '../support/desired-state'
import fc, { runs } from '../support/fast-check'

const key = (comment: string) =>
  `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2kqDZbJwWzL1dMRPbmTzc6iUOh3TM0YrKDzDfJ6QyD ${comment}`

/** Reads each file as an argument of its own. */
const asArguments = (files: Files) =>
  Object.keys(files).map((name, argument) => ({ ...source(name, files), level: { argument, folders: [] } }))

const read = (files: Files) => readDesiredState(asArguments(files), {})

/** Reads the files as those of one folder, with their names as paths. */
const inFolder = (files: Files) =>
  Object.keys(files).map((name) => ({
    ...source(name, files),
    level: { argument: 0, folders: name.split('/').slice(0, -1) },
  }))

async function problemsOf(reading: Promise<unknown>): Promise<string[]> {
  try {
    await reading
    return []
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return (error.details.failures ?? []).map(({ target, problem }) => withoutColumn(`${target}: ${problem.message}`))
  }
}

const valuesOf = ({ settings, entries }: DesiredState) => ({
  settings,
  entries: Object.fromEntries(
    [...entries].map(([kind, named]) => [
      kind,
      Object.fromEntries([...named].map(([name, { value, labels }]) => [name, { value, labels }])),
    ]),
  ),
})

const entryIn = async (kind: string, name: string, ...texts: string[]) => {
  const { entries } = await read(Object.fromEntries(texts.map((text, at) => [`${at}.yaml`, text])))
  return entries.get(kind)?.get(name)?.value
}

describe('a later file', () => {
  test.for<[rule: string, earlier: string, later: string, value: unknown]>([
    ['keeps the keys that it lacks', '{ size: 20, tags: [a] }', '{ size: 30 }', { size: 30, tags: ['a'] }],
    ['replaces a list as a whole', '{ tags: [a, b] }', '{ tags: [c] }', { tags: ['c'] }],
    ['replaces a list by a single value', '{ tags: [a, b] }', '{ tags: c }', { tags: ['c'] }],
    ['empties a list', '{ tags: [a, b] }', '{ tags: [] }', { tags: [] }],
    [
      'detaches a volume with null',
      '{ size: 20, compute_id: 1001 }',
      '{ compute_id: }',
      { size: 20, compute_id: null },
    ],
    ['changes nothing if it has only the name', '{ size: 20 }', '', { size: 20 }],
    ['adds keys to an entry without any', '', '{ size: 20 }', { size: 20 }],
    ['protects an object', '{ was: old, protect: false }', '{ protect: true }', { was: 'old', protect: true }],
    ['replaces a label by an id', '{ compute_id: web-1 }', '{ compute_id: 1002 }', { compute_id: 1002 }],
    ['may correct an invalid value', '{ size: 0 }', '{ size: 20 }', { size: 20 }],
  ])('%s', async ([, earlier, later, value]) => {
    const texts = [earlier, later].map((entry) => `volumes:\n  data: ${entry}\n`)
    expect(await entryIn('volumes', 'data', ...texts)).toEqual(value)
  })

  test('replaces an id by a label, and nothing of the id is left', async () => {
    const files = {
      'a.yaml': 'volumes: { v: { compute_id: 1001 } }',
      'b.yaml': 'volumes: { v: { compute_id: web-2 } }',
    }
    const { entries } = await read(files)
    expect(entries.get('volumes')?.get('v')).toMatchObject({
      value: {},
      labels: [{ field: 'compute_id', kind: 'computes', label: 'web-2' }],
    })
  })

  test('refines the devices of a firewall list by list', async () => {
    const earlier = 'firewalls: { web: { devices: { computes: [web-1, 1001], balancers: [2001] } } }'
    const later = 'firewalls: { web: { devices: { computes: 1002 } } }'
    const { entries } = await read({ 'a.yaml': earlier, 'b.yaml': later })
    const { value, labels } = entries.get('firewalls')?.get('web') ?? {}
    expect({ value, labels }).toEqual({
      value: { devices: { computes: [1002], balancers: [2001] } },
      labels: undefined,
    })
  })

  test('replaces rules as a whole, including policies and included files', async () => {
    const earlier =
      'firewalls: { web: { status: enabled, rules: { inbound_policy: drop, inbound: [], outbound: [] } } }'
    const later = 'firewalls: { web: { rules: { outbound_policy: drop } } }'
    const value = { status: 'enabled', rules: { outbound_policy: 'DROP' } }
    expect(await entryIn('firewalls', 'web', earlier, later)).toEqual(value)
    const files = {
      'a.yaml': 'firewalls: { web: { rules: web.yaml } }',
      'b.yaml': later,
      'web.yaml': 'inbound_policy: drop',
    }
    const rulesFrom = async (...names: string[]) => {
      const sources = names.map((name, argument) => ({ ...source(name, files), level: { argument, folders: [] } }))
      return (await readDesiredState(sources, {})).entries.get('firewalls')?.get('web')?.value
    }
    expect(await rulesFrom('a.yaml', 'b.yaml')).toEqual({ rules: { outbound_policy: 'DROP' } })
    expect(await rulesFrom('b.yaml', 'a.yaml')).toEqual({ rules: { inbound_policy: 'DROP' } })
  })

  test('replaces the file of a key by the key, and the other way round', async () => {
    const files = (...entries: string[]) => ({
      ...Object.fromEntries(entries.map((entry, at) => [`${at}.yaml`, `sshkeys: { k: ${entry} }`])),
      'k.pub': `${key('b')}\n`,
    })
    const keyFrom = async (...entries: string[]) => {
      const sources = asArguments(files(...entries)).filter(({ name }) => name !== 'k.pub')
      return (await readDesiredState(sources, {})).entries.get('sshkeys')?.get('k')?.value
    }
    const text = `{ ssh_key: ${JSON.stringify(key('a'))} }`
    expect(await keyFrom('{ file: k.pub, protect: true }', text)).toEqual({ ssh_key: key('a'), protect: true })
    expect(await keyFrom(text, '{ file: k.pub }')).toEqual({ ssh_key: key('b') })
    // The key and its protection may come from different files, in any order.
    expect(await keyFrom('{ protect: true }', text)).toEqual({ ssh_key: key('a'), protect: true })
  })

  test('replaces a reverse DNS name, also by null, and refines the profile', async () => {
    expect(await entryIn('rdns', '192.0.2.7', 'rdns: { 192.0.2.7: a.example }', 'rdns: { 192.0.2.7: }')).toBe(null)
    expect(
      await entryIn('rdns', '2001:db8::7', 'rdns: { "2001:DB8::7": }', 'rdns: { "2001:db8:0::7": b.example }'),
    ).toBe('b.example')
    const earlier = 'profile: { timezone: UTC, authorized_keys: [a] }'
    const value = { timezone: 'Europe/Berlin', authorized_keys: ['a'] }
    expect(await entryIn('profile', '', earlier, 'profile: { timezone: Europe/Berlin }')).toEqual(value)
  })

  test('replaces networks, groups, the owner and the default region, for all files', async () => {
    const { settings, entries, regionPlace } = await read({
      'a.yaml':
        'owner: base\ndefaults: { region: us-east }\nnetworks: { office: [192.0.2.7, 192.0.2.8] }\nrules: { ssh: [] }\nfirewalls: { web: { rules: { inbound: [{ use: ssh }] } } }',
      'b.yaml':
        'owner: prod\n\ndefaults: { region: us-ord }\nnetworks: { office: 198.51.100.7 }\nrules: { ssh: [{ action: accept, protocol: tcp, from: office }] }',
    })
    expect({ settings, regionPlace: `${regionPlace}` }).toEqual({
      settings: { owner: 'prod', defaults: { region: 'us-ord' } },
      regionPlace: 'b.yaml:3',
    })
    expect(entries.get('firewalls')?.get('web')?.value).toMatchObject({
      rules: { inbound: [{ addresses: { ipv4: ['198.51.100.7/32'] } }] },
    })
  })
})

describe('the position of a field', () => {
  const base =
    'volumes:\n  data:\n    size: 20\n    tags: [a]\nfirewalls:\n  web:\n    devices:\n      computes: [1]\n      balancers: [2]\n    rules:\n      inbound:\n        - { action: accept, protocol: tcp, addresses: 192.0.2.7 }'
  const prod =
    'firewalls:\n  web:\n    devices:\n      computes: [3]\n    rules:\n\n\n      inbound_policy: drop\nvolumes:\n  data:\n    size: 30'

  test.for<[kind: string, name: string, field: string | null, place: string]>([
    ['volumes', 'data', null, 'base.yaml:2'],
    ['volumes', 'data', 'size', 'prod.yaml:11'],
    ['volumes', 'data', 'tags[0]', 'base.yaml:4'],
    ['volumes', 'data', 'region', 'base.yaml:2'],
    ['firewalls', 'web', 'devices', 'prod.yaml:3'],
    ['firewalls', 'web', 'devices.computes[0]', 'prod.yaml:4'],
    ['firewalls', 'web', 'devices.balancers', 'base.yaml:9'],
    ['firewalls', 'web', 'rules', 'prod.yaml:5'],
    ['firewalls', 'web', 'rules.inbound[0].action', 'prod.yaml:5'],
  ])('is in the file that sets it: %s %s %s', async ([kind, name, field, place]) => {
    const { entries } = await read({ 'base.yaml': base, 'prod.yaml': prod })
    expect(`${entries.get(kind)?.get(name)?.at.of(field)}`).toBe(place)
  })

  test('is listed for both files of a refinement', async () => {
    const files = {
      'base.yaml': `owner: a\nnetworks: { n: 192.0.2.7, same: 192.0.2.8 }\n${base}\nrdns: { 192.0.2.7: }\nsshkeys: {}`,
      'prod.yaml': `owner: b\nnetworks: { n: 192.0.2.9, same: 192.0.2.8 }\n${prod}\nrdns: { 192.0.2.7: a.example }`,
      'more.yaml': 'volumes: { data: { tags: [b], protect: true } }',
    }
    expect((await read(files)).refinements?.()).toEqual([
      'owner: base.yaml:1, replaced in prod.yaml:1',
      'networks.n: base.yaml:2, replaced in prod.yaml:2',
      'volumes.data: base.yaml:4, refined in prod.yaml:12 (size), more.yaml:1 (tags, protect)',
      'firewalls.web: base.yaml:8 (devices.balancers), refined in prod.yaml:4 (devices.computes, rules)',
      'rdns.192.0.2.7: base.yaml:15, replaced in prod.yaml:14',
    ])
    expect((await read({ 'a.yaml': base })).refinements?.()).toEqual([])
  })
})

describe('files of one object', () => {
  test.for<[cause: string, base: string, prod: string, ...problems: string[]]>([
    [
      'unknown keys of both',
      'volumes:\n  v:\n    siez: 20',
      'volumes:\n  v:\n    size: 20\n    tag: [a]',
      'base.yaml:3: volumes.v.siez: unknown key. Did you mean "size"?',
      'prod.yaml:4: volumes.v.tag: unknown key. Did you mean "tags"?',
    ],
    [
      'a wrong value of the later file',
      'volumes:\n  v:\n    size: 20',
      'volumes:\n  v:\n    size: 0',
      'prod.yaml:3: volumes.v.size: Must be 1 or greater',
    ],
    [
      'a wrong value that the later file does not replace',
      'volumes:\n  v:\n    size: 0',
      'volumes:\n  v:\n    tags: []',
      'base.yaml:3: volumes.v.size: Must be 1 or greater',
    ],
    [
      'an entry that is not an object',
      'volumes:\n  v: 20',
      'volumes:\n  v: { size: 20 }',
      'base.yaml:2: volumes.v: Must be an object, not a number',
    ],
    [
      'a key that both lack',
      'sshkeys:\n  k: {}',
      'sshkeys:\n  k: { protect: true }',
      'base.yaml:2: sshkeys.k.ssh_key: is required',
    ],
    ['a wrong name', 'volumes: {}', 'volumes:\n  v: { was: v }', 'prod.yaml:2: volumes.v.was: "v" is the label itself'],
    [
      'an included file that cannot be read, and no other problem of its object',
      'sshkeys:\n  k: { file: none.pub }',
      'sshkeys:\n  k: { protect: true }',
      'base.yaml:2: sshkeys.k.file: cannot read "none.pub"',
    ],
    [
      'an empty list of the later file, although the earlier one has items',
      'volumes:\n  v: { tags: [a] }',
      'volumes:\n  v:\n    tags:',
      'prod.yaml:3: volumes.v.tags: Must be an array, but has no value',
    ],
    [
      'a name without a definition, in the rules that apply',
      'firewalls: { web: { rules: { inbound: [{ action: accept, protocol: tcp, from: gone }] } } }',
      'firewalls:\n  web:\n    rules: { inbound: [{ action: accept, protocol: tcp, from: ofice }] }\nnetworks: { office: 192.0.2.7 }',
      'prod.yaml:3: firewalls.web.rules.inbound[0].from[0]: no network has the name "ofice". Did you mean "office"?',
    ],
    [
      'a wrong definition',
      'networks: { office: 192.0.2.7 }\nfirewalls: { web: { rules: { inbound: [{ action: accept, protocol: tcp, from: office }] } } }',
      'networks:\n  office: []',
      'prod.yaml:2: networks.office: Must not be empty (used in base.yaml:2)',
    ],
  ])('are rejected with the lines of %s', async ([, base, prod, ...problems]) => {
    expect(await problemsOf(read({ 'base.yaml': base, 'prod.yaml': prod }))).toEqual(problems)
  })

  const one = 'owner: a\ndefaults: { region: us-east }\nnetworks: { office: 192.0.2.7 }\nvolumes: { v: {} }'
  const other = 'owner: b\ndefaults: { region: us-ord }\nnetworks: { office: 192.0.2.8 }\nvolumes: { v: {} }'
  const differing = (first: string, second: string) => [
    `${second}:1: owner: differs from "a" at ${first}:1`,
    `${second}:2: defaults.region: differs from "us-east" at ${first}:2`,
    `${second}:3: networks.office: is already in ${first}:3, with other contents`,
    `${second}:4: volumes.v: is already in ${first}:4`,
  ]

  test.for<[relation: string, first: string, second: string, isRejected: boolean]>([
    ['a file beside it', 'a.yaml', 'b.yaml', true],
    ['a file of a sub-folder', 'a.yaml', 'prod/a.yaml', false],
    ['a file two levels below', 'a.yaml', 'prod/eu/a.yaml', false],
    ['a file of a sibling folder', 'eu/a.yaml', 'us/a.yaml', true],
    ['a file below a sibling folder', 'eu/a.yaml', 'us/a/a.yaml', true],
    ['a file of a sibling folder with the same prefix', 'eu/a.yaml', 'eu-2/a.yaml', true],
  ])('may be refined only from a sub-folder: %s', async ([, first, second, isRejected]) => {
    const problems = await problemsOf(readDesiredState(inFolder({ [first]: one, [second]: other }), {}))
    expect(problems).toEqual(isRejected ? differing(first, second) : [])
  })

  test('in sibling folders may refine the same file for different objects', async () => {
    const above = 'volumes: { a: { size: 20 }, b: { size: 20 } }'
    const files = {
      'all.yaml': above,
      'eu/a.yaml': 'volumes: { a: { size: 30 } }',
      'us/b.yaml': 'volumes: { b: { size: 40 } }',
    }
    const { entries } = await readDesiredState(inFolder(files), {})
    expect([...(entries.get('volumes')?.values() ?? [])].map(({ value }) => value)).toEqual([
      { size: 30 },
      { size: 40 },
    ])
    const clash = { ...files, 'us/b.yaml': 'volumes:\n  a: { size: 40 }' }
    expect(await problemsOf(readDesiredState(inFolder(clash), {}))).toEqual([
      'us/b.yaml:2: volumes.a: is already in eu/a.yaml:1',
    ])
  })
})

/** Fields of each kind that are refined one by one, with their possible values. */
const fields: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> = {
  volumes: {
    size: [20, 40],
    region: ['us-east', 'eu-west'],
    compute_id: [null, 1001, 'web-1'],
    tags: [[], ['a'], 'b', ['a', 'c']],
    protect: [true, false],
  },
  firewalls: {
    status: ['enabled', 'disabled'],
    tags: [[], ['a', 'b']],
    rules: [
      { inbound_policy: 'drop' },
      { inbound: [{ use: 'ssh' }], outbound: [] },
      { inbound: [{ action: 'accept', protocol: 'tcp', from: ['office', 'vpn'] }], outbound_policy: 'accept' },
    ],
    'devices.computes': [[], [1001], ['web-1', 1002], 1003],
    'devices.balancers': [[], [2001], 'front-1'],
    tests: [[], [{ from: '192.0.2.7', protocol: 'tcp', port: 22, expect: 'drop' }]],
  },
  sshkeys: { ssh_key: [key('a'), key('b')], protect: [true, false] },
  profile: {
    timezone: ['UTC', 'Europe/Berlin'],
    authorized_keys: [[], [key('a')]],
    email_notifications: [true, false],
  },
}

type Leaves = Readonly<Record<string, unknown>>
interface File {
  owner?: string
  region?: string
  networks: Leaves
  groups: Leaves
  /** Fields by kind and name. */
  objects: Readonly<Record<string, Readonly<Record<string, Leaves>>>>
  rdns: Leaves
  isBelow: boolean
}

const some = (values: readonly unknown[]) => fc.constantFrom(...values)
const entryOf = (kind: string) =>
  fc.record(Object.fromEntries(Object.entries(fields[kind] ?? {}).map(([field, values]) => [field, some(values)])), {
    requiredKeys: [],
  })
const named = (kind: string) => fc.dictionary(fc.constantFrom('one', 'two', 'constructor'), entryOf(kind))
const networks = [['192.0.2.7'], '198.51.100.0/24', ['192.0.2.7', '2001:db8::/48']]
const rule = { action: 'accept', protocol: 'tcp', from: 'office' }
const anyFile: fc.Arbitrary<File> = fc.record(
  {
    owner: fc.constantFrom('team', 'other'),
    region: fc.constantFrom('us-east', 'us-ord'),
    networks: fc.dictionary(fc.constantFrom('office', 'vpn'), some(networks)),
    groups: fc.dictionary(fc.constant('ssh'), some([[], [rule], [rule, { ...rule, ports: 22 }]])),
    objects: fc.record({
      volumes: named('volumes'),
      firewalls: named('firewalls'),
      sshkeys: named('sshkeys'),
      profile: fc.dictionary(fc.constant(''), entryOf('profile')),
    }),
    rdns: fc.dictionary(fc.constantFrom('192.0.2.7', '2001:db8::7'), some([null, 'a.example', 'b.example'])),
    isBelow: fc.boolean(),
  },
  { requiredKeys: ['networks', 'groups', 'objects', 'rdns', 'isBelow'] },
)

/** Builds an entry of a file from its fields: those with a dot become an object. */
function entryFrom(leaves: Leaves): Record<string, unknown> {
  const entry: Record<string, Record<string, unknown> | unknown> = {}
  for (const [field, value] of Object.entries(leaves)) {
    const [outer = '', inner] = field.split('.')
    entry[outer] = inner === undefined ? value : { ...(entry[outer] as object | undefined), [inner]: value }
  }
  return entry
}

function textOf({ owner, region, networks, groups, objects, rdns }: File): string {
  const { profile = {}, ...named } = objects
  const entries = (all: Readonly<Record<string, Leaves>>) =>
    Object.fromEntries(Object.entries(all).map(([name, leaves]) => [name, entryFrom(leaves)]))
  return JSON.stringify({
    ...(owner && { owner }),
    ...(region && { defaults: { region } }),
    networks,
    rules: groups,
    ...Object.fromEntries(Object.entries(named).map(([kind, all]) => [kind, entries(all)])),
    ...(profile[''] && { profile: entryFrom(profile['']) }),
    rdns,
  })
}

/** Merges files by the contract: each field has the value of the last file that sets it. */
function merge(files: readonly File[]): File {
  const last: File = { networks: {}, groups: {}, objects: {}, rdns: {}, isBelow: false }
  for (const { owner, region, networks, groups, objects, rdns } of files) {
    if (owner) last.owner = owner
    if (region) last.region = region
    last.networks = { ...last.networks, ...networks }
    last.groups = { ...last.groups, ...groups }
    last.rdns = { ...last.rdns, ...rdns }
    for (const [kind, all] of Object.entries(objects)) {
      const entries: Record<string, Leaves> = { ...last.objects[kind] }
      for (const [name, leaves] of Object.entries(all))
        entries[name] = { ...(Object.hasOwn(entries, name) ? entries[name] : {}), ...leaves }
      last.objects = { ...last.objects, [kind]: entries }
    }
  }
  return last
}

/** Definitions of all names that rules use. */
const definitions: File = {
  networks: { office: ['203.0.113.9'], vpn: ['203.0.113.10'] },
  groups: { ssh: [] },
  objects: {},
  rdns: {},
  isBelow: false,
}

/** Returns the desired state, or the sorted messages of the problems. */
async function outcomeOf(texts: readonly string[], levels: readonly Level[]): Promise<unknown> {
  const files = Object.fromEntries(texts.map((text, at) => [`${at}.json`, text]))
  const sources = levels.map((level, at) => ({ ...source(`${at}.json`, files), level }))
  try {
    return valuesOf(await readDesiredState(sources, {}))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return (error.details.failures ?? []).map(({ problem }) => problem.message).sort()
  }
}

test('random files have the same desired state as their merge into one file by this test', async () => {
  let refined = 0
  let wrong = 0
  const property = fc.asyncProperty(fc.array(anyFile, { minLength: 1, maxLength: 4 }), async (others) => {
    const files = [definitions, ...others]
    let level: Level = { argument: 0, folders: [] }
    const levels = files.map(({ isBelow }) => {
      level = isBelow
        ? { argument: level.argument, folders: [...level.folders, 'below'] }
        : { argument: level.argument + 1, folders: [] }
      return level
    })
    const together = await outcomeOf(files.map(textOf), levels)
    const alone = await outcomeOf([textOf(merge(files))], [{ argument: 0, folders: [] }])
    expect(together).toEqual(alone)
    if (Array.isArray(alone)) wrong += 1
    else if (others.length > 1) refined += 1
  })
  await fc.assert(property, { numRuns: runs(100) })
  expect(Math.min(refined, wrong)).toBeGreaterThan(10)
})
