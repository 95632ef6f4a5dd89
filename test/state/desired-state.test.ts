/** Account files, read without a service: their desired state, and their problems with lines (state.md, The file). */
import { describe, expect, test } from 'vitest'
import { readDesiredState } from '../../src/account-file/desired-state'
import { problemsIn, read, source } from '../support/desired-state'

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2kqDZbJwWzL1dMRPbmTzc6iUOh3TM0YrKDzDfJ6QyD'

describe('account files', () => {
  test('add up to one desired state', async () => {
    const files = {
      'a.yaml': 'owner: team\ndefaults: { region: us-east }\nvolumes: { a: { size: 20 }, b: }',
      'b.yaml': 'owner: team\ndefaults: { region: us-east }\nvolumes: { c: {} }\nrdns: { "2001:DB8::7": null }',
      'c.yaml': '{}',
      'd.yaml': 'sshkeys:',
      'e.json': '{"profile": {"timezone": "UTC"}, "defaults": {}}',
    }
    const { settings, entries, regionPlace } = await read(files)
    expect({ settings, regionPlace: `${regionPlace}` }).toEqual({
      settings: { owner: 'team', defaults: { region: 'us-east' } },
      regionPlace: 'a.yaml:2',
    })
    const values = [...entries].map(([kind, named]) => [kind, [...named].map(([name, { value }]) => [name, value])])
    expect(values).toEqual([
      [
        'volumes',
        [
          ['a', { size: 20 }],
          ['b', {}],
          ['c', {}],
        ],
      ],
      ['rdns', [['2001:db8::7', null]]],
      ['profile', [['', { timezone: 'UTC' }]]],
    ])
  })

  test('have the default region of the context unless they name one', async () => {
    const defaults = { region: 'eu-west' }
    expect((await read({ 'a.yaml': '{}' }, undefined, defaults)).settings.defaults).toEqual(defaults)
    const own = { 'a.yaml': 'defaults: { region: us-east }' }
    expect((await read(own, undefined, defaults)).settings.defaults).toEqual({ region: 'us-east' })
  })

  test.for<[text: string, ...problems: string[]]>([
    ['- volumes', 'a.yaml: Must be an object, not a list'],
    ['format_version: 1', 'a.yaml: it is a saved plan, which only apply accepts, without other files'],
    ['firewals: {}', 'a.yaml:1: firewals: unknown key. Did you mean "firewalls"?'],
    [
      'zzz: {}',
      'a.yaml:1: zzz: unknown key. The keys are: owner, defaults, networks, rules, volumes, firewalls, sshkeys, ips, rdns, tokens, profile',
    ],
    ['owner: [me]', 'a.yaml:1: owner: Must be a tag'],
    ["owner: ''", 'a.yaml:1: owner: Must be a tag'],
    ['defaults: [a]', 'a.yaml:1: defaults: Must be an object, not a list'],
    ['defaults: { zone: a }', 'a.yaml:1: defaults.zone: unknown key. The keys are: region'],
    ['defaults: { region: 5 }', 'a.yaml:1: defaults.region: Must be a name'],
    ["defaults: { region: '' }", 'a.yaml:1: defaults.region: Must be a name'],
    ['volumes: [data]', 'a.yaml:1: volumes: Must be an object, not a list'],
    ['profile: 7', 'a.yaml:1: profile: Must be an object, not a number'],
    ['volumes:\n  data: big', 'a.yaml:2: volumes.data: Must be an object, not a text'],
    ['volumes:\n  data:\n    size: 0', 'a.yaml:3: volumes.data.size: Must be 1 or greater'],
    ['sshkeys:\n  k: {}', 'a.yaml:2: sshkeys.k.ssh_key: is required'],
    ['sshkeys:\n  k:', 'a.yaml:2: sshkeys.k.ssh_key: is required'],
    ['rdns:\n  www: a.example.net', 'a.yaml:2: rdns.www: Must be an IPv4 or IPv6 address'],
    ['rdns:\n  192.0.2.11: 7', 'a.yaml:2: rdns.192.0.2.11: Must be a string, not a number. Put it in quotes'],
    ['rdns:\n  2001:db8::7: null\n  2001:DB8::7: null', 'a.yaml:3: rdns.2001:DB8::7: is already in a.yaml:2'],
    [
      'volumes:\n  a: { size: 0 }\nowner: 5',
      'a.yaml:2: volumes.a.size: Must be 1 or greater',
      'a.yaml:3: owner: Must be a tag',
    ],
  ])('are rejected with the line of each problem: %j', async ([text, ...problems]) => {
    expect(await problemsIn({ 'a.yaml': text })).toEqual({ code: 'usage', problems })
  })

  test('are rejected if they differ in the owner or the default region, or repeat a name', async () => {
    const one = 'owner: team\ndefaults: { region: us-east }\nvolumes: { data: {} }'
    expect(await problemsIn({ 'a.yaml': one, 'b.yaml': one.replace('team', 'other').replace('east', 'west') })).toEqual(
      {
        code: 'usage',
        problems: [
          'b.yaml:1: owner: differs from "team" at a.yaml:1',
          'b.yaml:2: defaults.region: differs from "us-east" at a.yaml:2',
          'b.yaml:3: volumes.data: is already in a.yaml:3',
        ],
      },
    )
  })
})

describe('a file that an account file includes', () => {
  test('contains the text or object of one key', async () => {
    const files = {
      'a.yaml': 'sshkeys: { k: { file: k.pub } }\nfirewalls: { web: { rules: web.yaml } }',
      'k.pub': `${key} ada: desk # 1\n`,
      'web.yaml': 'inbound_policy: drop',
    }
    const { entries } = await read(files, ['a.yaml'])
    expect(entries.get('sshkeys')?.get('k')?.value).toEqual({ ssh_key: `${key} ada: desk # 1` })
    expect(entries.get('firewalls')?.get('web')?.value).toEqual({ rules: { inbound_policy: 'DROP' } })
  })

  test('has its problems reported with its own lines', async () => {
    const files = {
      'a.yaml': 'volumes: {}\nfirewalls: { web: { rules: web.yaml } }',
      'web.yaml': '\ninbound_policy: maybe',
    }
    const problems = ['web.yaml:2: firewalls.web.rules.inbound_policy: Must be one of: ACCEPT, DROP']
    expect(await problemsIn(files, ['a.yaml'])).toEqual({ code: 'usage', problems })
    // In a folder, it is read as a part of the other file only.
    expect(await problemsIn(files)).toEqual({ code: 'usage', problems })
  })

  test('has its problems listed where it is included, among those of all files by line', async () => {
    const files = {
      'b.yaml': 'networks: { office: [] }\nfirewalls:\n  web: { rules: web.yaml }\n  spare: 5\nowner: 7',
      'a.yaml': 'volumes: { v: { siez: 20, was: v } }\nsnapshots: {}\nrules: []',
      'web.yaml': 'inbound: []\nfoo: 1\ninbound_policy: maybe',
    }
    const { problems } = await problemsIn(files, ['b.yaml', 'a.yaml'])
    expect(problems.map((problem) => problem.split(': ').slice(0, 2).join(' '))).toEqual([
      'b.yaml:1 networks.office',
      'web.yaml:2 firewalls.web.rules.foo',
      'web.yaml:3 firewalls.web.rules.inbound_policy',
      'b.yaml:4 firewalls.spare',
      'b.yaml:5 owner',
      'a.yaml:1 volumes.v.siez',
      'a.yaml:1 volumes.v.was',
      'a.yaml:2 snapshots',
      'a.yaml:3 rules',
    ])
  })

  test('is rejected as an account file if no other file includes it', async () => {
    const { problems } = await problemsIn({ 'a.yaml': 'volumes: {}', 'web.yaml': 'inbound: []' })
    expect(problems).toEqual([expect.stringMatching(/^web\.yaml: this is a rules file: /)])
  })

  test('cannot be combined with the key that it sets', async () => {
    const files = { 'a.yaml': `sshkeys:\n  k:\n    file: k.pub\n    ssh_key: ${key}`, 'k.pub': key }
    expect(await problemsIn(files, ['a.yaml'])).toEqual({
      code: 'usage',
      problems: ['a.yaml:3: sshkeys.k.file: ssh_key sets the same, so set only one of them'],
    })
  })

  test('that cannot be read is a local error, or a usage error if a file is wrong, too', async () => {
    const missing = 'sshkeys:\n  k:\n    file: none.pub'
    const problem = 'a.yaml:3: sshkeys.k.file: cannot read "none.pub"'
    expect(await problemsIn({ 'a.yaml': missing })).toEqual({ code: 'local', problems: [problem] })
    expect(await problemsIn({ 'a.yaml': `${missing}\nowner: 5` })).toEqual({
      code: 'usage',
      problems: [problem, 'a.yaml:4: owner: Must be a tag'],
    })
  })

  test('passes on an error that is a defect of skyctl', async () => {
    const defect = new TypeError('a defect')
    const broken = {
      ...source('a.yaml', { 'a.yaml': 'sshkeys: { k: { file: k.pub } }' }),
      read: () => Promise.reject(defect),
    }
    await expect(readDesiredState([broken], {})).rejects.toBe(defect)
  })
})
