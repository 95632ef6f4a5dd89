/** Entries with `was`: renames, finished and missing renames, and hints at renames (state.md, For teams). */
import { describe, expect, test } from 'vitest'
import { type Answers, linesOf, planOf, refusalsOf, stepsOf } from '../support/pure-plans'

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2kqDZbJwWzL1dMRPbmTzc6iUOh3TM0YrKDzDfJ6QyD'
const otherKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOaTsRGgnX6YoqgGzQOlgOxTJf8kNHOyUuqJCsOvh5Zs'
const regions = ['us-east', 'eu-west']
const volume = (id: number, label: string, more: object = {}) => {
  const defaults = { size: 20, region: 'us-east', compute_id: null, tags: ['a'], status: 'active' }
  return { id, label, ...defaults, filesystem_path: `/dev/${label}`, ...more }
}
const rules = { inbound: [], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' }
const firewall = (id: number, label: string, devices: number[] = []) => ({
  firewall: { id, label, status: 'enabled', tags: [], rules },
  devices: devices.map((one) => ({ id: 10 * id + one, entity: { id: one, label: null, type: 'compute', url: '/' } })),
  asOf: 0,
})
const sshkey = (id: number, label: string) => ({ id, label, ssh_key: key, created: '2026-01-01T00:00:00' })
const account = (more: object = {}): Answers => ({
  volumes: [],
  firewalls: [],
  sshkeys: [],
  rdns: [],
  regions,
  ...more,
})
const text = (value: object) => JSON.stringify(value)

describe('an entry with "was"', () => {
  test.for<[kind: string, record: object, does: string, changes: string[], fields?: object]>([
    [
      'volumes',
      volume(7, 'old'),
      'volumes update',
      ['renamed from "old"', 'mount entries with its path break: /dev/old'],
    ],
    ['volumes', volume(7, 'old', { filesystem_path: undefined }), 'volumes update', ['renamed from "old"']],
    ['firewalls', firewall(7, 'old'), 'firewalls update', ['renamed from "old"']],
    ['sshkeys', sshkey(7, 'old'), 'profile sshkeys update', ['renamed from "old"'], { ssh_key: key }],
  ])('renames the object that has the former label: %s', async ([kind, record, does, changes, fields = {}]) => {
    const accountFile = text({ [kind]: { new: { was: 'old', ...fields } } })
    const answers = account({ [kind]: [record] })
    expect(await stepsOf(accountFile, answers)).toEqual([[does, '7', { label: 'new' }]])
    expect(await linesOf(accountFile, answers)).toEqual(changes)
    const { objects } = await planOf(accountFile, answers)
    expect(objects).toMatchObject([{ kind, name: 'new', id: 7, action: 'update', steps: [{ action: 'rename' }] }])
  })

  test('renames before all other changes of the object', async () => {
    const accountFile = text({ volumes: { new: { was: 'old', size: 30, tags: ['b'] } } })
    expect(await stepsOf(accountFile, account({ volumes: [volume(7, 'old')] }))).toEqual([
      ['volumes update', '7', { label: 'new' }],
      ['volumes resize', '7', { size: 30 }],
      ['volumes update', '7', { tags: ['b'] }],
    ])
  })

  test('changes nothing once the object has the new label', async () => {
    const accountFile = text({ volumes: { new: { was: 'old' } } })
    expect(await stepsOf(accountFile, account({ volumes: [volume(7, 'new')] }))).toEqual([])
  })

  test('creates the object if neither label exists', async () => {
    const accountFile = text({ volumes: { new: { was: 'old', region: 'us-east' } } })
    expect(await stepsOf(accountFile, account())).toEqual([['volumes create', { label: 'new', region: 'us-east' }]])
  })

  test('keeps the object from --prune', async () => {
    const accountFile = text({ owner: 'team', volumes: { new: { was: 'old' } } })
    const answers = account({ volumes: [volume(7, 'old', { tags: ['team'] })] })
    expect(await stepsOf(accountFile, answers, { prune: true })).toEqual([['volumes update', '7', { label: 'new' }]])
  })

  test('moves or keeps the services of the renamed firewall', async () => {
    const accountFile = text({
      firewalls: { front: { was: 'web', devices: { computes: [] } }, back: { devices: { computes: [1] } } },
    })
    const answers = account({ firewalls: [firewall(7, 'web', [1]), firewall(8, 'back')] })
    expect(await stepsOf(accountFile, answers)).toEqual([
      ['firewalls devices add', '8', { id: 1, type: 'compute' }],
      ['firewalls update', '7', { label: 'front' }],
      ['firewalls devices delete', '7', '71'],
    ])
    const unmoved = text({ firewalls: { front: { was: 'web', devices: { computes: [1] } } } })
    expect(await stepsOf(unmoved, answers)).toEqual([['firewalls update', '7', { label: 'front' }]])
  })

  test('reports a field that the answer lacks under the new label', async () => {
    const accountFile = text({ volumes: { new: { was: 'old', size: 30 } } })
    const answers = account({ volumes: [volume(7, 'old', { size: undefined })] })
    expect(await refusalsOf(accountFile, answers)).toEqual([
      ['a.yaml:1', 'defect', 'volumes.new.size: The answer lacks the size, so skyctl cannot compare it'],
    ])
  })

  test.for<[records: object[], conflict: string]>([
    [[volume(7, 'old'), volume(8, 'new')], 'volume "old" (7) and volume "new" (8) both exist'],
    [[volume(7, 'old'), volume(8, 'old')], 'volume "old" (7) and volume "old" (8) both exist'],
    [
      [volume(7, 'old'), volume(8, 'old'), volume(9, 'new')],
      'volume "old" (7), volume "old" (8) and volume "new" (9) exist',
    ],
  ])('is rejected with its line and all objects if several have its labels: %j', async ([volumes, conflict]) => {
    expect(await refusalsOf('volumes:\n  new:\n    was: old', account({ volumes }))).toEqual([
      ['a.yaml:3', 'conflict', `volumes.new.was: ${conflict}, so the entry is ambiguous. Rename or delete the other`],
    ])
  })

  test.for<[file: string, ...problems: string[]]>([
    [
      'volumes:\n  new: { was: old }\n  old: {}',
      'volumes.new.was: "old" is also an entry, in a.yaml:3. Remove one of them',
    ],
    [
      'firewalls:\n  front: { was: web }\n  back: { was: web }',
      'firewalls.back.was: "web" is also the former label of "front", in a.yaml:2',
    ],
    ['volumes:\n  new: { was: new }', 'volumes.new.was: "new" is the label itself'],
    ['volumes:\n  new: { was: "" }', 'volumes.new.was: Must be 1-32 characters'],
    ['firewalls:\n  web: { was: a--b }', 'firewalls.web.was: Must not contain --'],
    ['volumes:\n  new: { was: 5 }', 'volumes.new.was: Must be a string, not a number. Put it in quotes'],
    [
      'rdns:\n  192.0.2.11: { was: 192.0.2.12 }',
      'rdns.192.0.2.11: Must be a string, not an object. Put it in quotes if it is a text with a colon',
    ],
  ])('is a usage error if its former label is invalid or used elsewhere: %s', async ([file, ...problems]) => {
    const refusals = await refusalsOf(file, account())
    expect(refusals.map(([, code, message]) => [code, message])).toEqual(problems.map((one) => ['usage', one]))
  })

  test('may have a former label that is the label of an entry of another kind', async () => {
    const accountFile = text({ volumes: { new: { was: 'old' } }, firewalls: { old: {} } })
    const answers = account({ volumes: [volume(7, 'old')], firewalls: [firewall(8, 'old')] })
    expect(await stepsOf(accountFile, answers)).toEqual([['volumes update', '7', { label: 'new' }]])
  })
})

describe('a suggestion of "was"', () => {
  const notes = async (file: string, volumes: object[], prune = true) =>
    (await planOf(file, account({ volumes }), { prune })).notes.map(({ name, text }) => `${name}: ${text}`)
  const hint = (name: string, from: string, place: string) =>
    `${name}: it looks like volume ${from}, which is in no file. To rename that one instead, add to its entry: was: ${place}`

  test.for([true, false])(
    'has the line to write for a new volume that looks like one without an entry, prune %s',
    async (prune) => {
      const file = 'owner: team\nvolumes:\n  new: { region: us-east }'
      const old = volume(7, 'old', { tags: ['team'] })
      expect(await notes(file, [old], prune)).toEqual([hint('new', '"old" (7)', '"old" (a.yaml:3)')])
    },
  )

  test.for<[what: string, fields: string, record: object]>([
    ['another size', 'size: 30, region: us-east', {}],
    ['another region', 'region: eu-west', {}],
    ['another instance', 'region: us-east', { compute_id: 1001 }],
    ['the tag of another owner', 'size: 20, region: us-east', { tags: ['other'] }],
    ['neither owner nor instance, for a default size', 'size: 20, region: us-east', { tags: [] }],
  ])('is left out for %s', async ([, fields, record]) => {
    const old = volume(7, 'old', { tags: ['team'], ...record })
    expect(await notes(`owner: team\nvolumes:\n  new: { ${fields} }`, [old])).toEqual([])
  })

  test('names each volume once', async () => {
    const file = 'owner: team\ndefaults: { region: us-east }\nvolumes:\n  a: {}\n  b: {}\n  c: {}'
    const volumes = [volume(7, 'x', { tags: ['team'] }), volume(8, 'y', { tags: ['team'] })]
    expect(await notes(file, volumes)).toEqual([
      hint('a', '"x" (7)', '"x" (a.yaml:4)'),
      hint('b', '"y" (8)', '"y" (a.yaml:5)'),
    ])
  })

  test.for<[what: string, fields: string, record: object]>([
    ['with its size, which is not the default', 'size: 30, region: us-east', { size: 30 }],
    ['with its tags', 'region: us-east, tags: [b, a]', { tags: ['a', 'b'] }],
    ['without tags, as an export has it', 'size: 20, region: us-east, tags: []', { tags: [] }],
    ['with all of it, to protect it', 'size: 20, region: us-east, tags: [a], protect: true', {}],
  ])('names a detached volume for an entry %s', async ([, fields, record]) => {
    const old = volume(7, 'old', record)
    expect(await notes(`volumes:\n  new: { ${fields} }`, [old], false)).toEqual([
      hint('new', '"old" (7)', '"old" (a.yaml:2)'),
    ])
  })

  test('takes tags for those of an owner only if the files have one', async () => {
    const fields = 'volumes:\n  new: { size: 30, region: us-east }'
    expect(await notes(`owner: team\n${fields}`, [volume(7, 'old', { size: 30 })], false)).toEqual([])
    expect(await notes(`owner: team\n${fields}`, [volume(7, 'old', { size: 30, tags: ['protected'] })], false)).toEqual(
      [hint('new', '"old" (7)', '"old" (a.yaml:3)')],
    )
  })

  test.for(['region: us-east', 'size: 20, region: us-east'])(
    'is left out for a detached volume of the default size, for an entry without tags: %s',
    async (fields) => {
      expect(await notes(`volumes:\n  new: { ${fields} }`, [volume(7, 'old')], false)).toEqual([])
    },
  )

  const several = (count: number) => Array.from({ length: count }, (_, index) => volume(7 + index, `v${index}`))

  test('names none of several volumes that are alike', async () => {
    const file = 'volumes:\n  new: { size: 20, region: us-east, tags: [a] }'
    expect(await notes(file, several(1), false)).toEqual([hint('new', '"v0" (7)', '"v0" (a.yaml:2)')])
    expect(await notes(file, several(2), false)).toEqual([])
  })

  test('names the volume with the tags of the entry, among attached ones of its size', async () => {
    const volumes = ['x', 'y'].map((tag, index) => volume(7 + index, tag, { compute_id: 1001, tags: [tag] }))
    const file = 'volumes:\n  new: { size: 20, region: us-east, compute_id: 1001, tags: [y] }'
    expect(await notes(file, volumes, false)).toEqual([hint('new', '"y" (8)', '"y" (a.yaml:2)')])
  })

  test('names the SSH key with the same text, whatever its comment', async () => {
    const notesFor = async (entry: string, named = '') => {
      const file = text({ sshkeys: { new: { ssh_key: entry }, ...(named && { [named]: { ssh_key: key } }) } })
      return (await planOf(file, account({ sshkeys: [sshkey(7, 'old')] }))).notes
    }
    expect(await notesFor(`${key} me@new`)).toMatchObject([
      {
        kind: 'sshkeys',
        name: 'new',
        text: expect.stringMatching(/^it looks like SSH key "old" \(7\), .* was: "old" /),
      },
    ])
    expect(await notesFor(key, 'old')).toEqual([])
    expect(await notesFor(otherKey)).toEqual([])
  })

  test.for<[what: string, file: string, tags: string[]]>([
    ['without the tag of the owner', 'owner: team\nvolumes:\n  new: { compute_id: 1001 }', []],
    ['that is only protected', 'owner: team\nvolumes:\n  new: { compute_id: 1001 }', ['protected']],
    ['with the tags of the entry', 'owner: team\nvolumes:\n  new: { compute_id: 1001, tags: [db] }', ['db']],
    ['if the files have no owner', 'defaults: {}\nvolumes:\n  new: { compute_id: 1001 }', ['a']],
  ])('names an object %s', async ([, file, tags]) => {
    expect(await notes(file, [volume(7, 'old', { tags, compute_id: 1001 })], false)).toEqual([
      hint('new', '"old" (7)', '"old" (a.yaml:3)'),
    ])
  })

  test("prefers an object with the owner's tag, and names none that is in a file", async () => {
    const file = 'owner: team\nvolumes:\n  named: {}\n  new: { region: us-east }'
    const volumes = [
      volume(6, 'named', { tags: ['team'] }),
      volume(7, 'x', { tags: [] }),
      volume(8, 'y', { tags: ['team'] }),
    ]
    expect(await notes(file, volumes, false)).toEqual([hint('new', '"y" (8)', '"y" (a.yaml:4)')])
    expect(await notes('owner: team\nvolumes:\n  named: {}', volumes, false)).toEqual([])
  })

  test('comes before the ways to delete a protected object', async () => {
    const file = 'owner: team\nvolumes:\n  new: { region: us-east }'
    const old = volume(7, 'old', { tags: ['team', 'protected'] })
    expect(await refusalsOf(file, account({ volumes: [old] }), { prune: true })).toEqual([
      [
        '--prune',
        'protected',
        'volumes.old: It has the tag "protected", and the plan would delete it. To rename it to "new" instead, add to the entry of "new": was: "old" (a.yaml:3). Remove that tag first. To go on anyway, add --force',
      ],
    ])
  })

  const web = {
    ...rules,
    inbound: [{ action: 'ACCEPT', protocol: 'TCP', ports: '22', addresses: { ipv4: ['0.0.0.0/0'] } }],
  }
  const guard = (id: number, label: string, devices: number[] = []) => {
    const { firewall: unguarded, ...rest } = firewall(id, label, devices)
    return { firewall: { ...unguarded, rules: web }, ...rest }
  }
  const hintedFirewalls = async (entry: object, present: object) =>
    (await planOf(text({ firewalls: { front: entry } }), account({ firewalls: [present] }))).notes.map(
      ({ text: note }) => note.split(',')[0],
    )

  test.for<[what: string, entry: object, present: object]>([
    ['the same rules, for an entry without services', { rules: web }, guard(7, 'web')],
    [
      'the same rules and no services, for an entry with some',
      { rules: web, devices: { computes: [1] } },
      guard(7, 'web'),
    ],
  ])('names a firewall with %s', async ([, entry, present]) => {
    expect(await hintedFirewalls(entry, present)).toEqual(['it looks like firewall "web" (7)'])
  })

  test.for<[what: string, entry: object, present: object]>([
    ['other rules', { rules }, guard(7, 'web')],
    ['no rules at all', { rules }, firewall(7, 'web')],
    ['the same rules for other services', { rules: web, devices: { computes: [2] } }, guard(7, 'web', [1])],
  ])('names no firewall with %s', async ([, entry, present]) => {
    expect(await hintedFirewalls(entry, present)).toEqual([])
  })

  test('is in the rejection of services that the renamed firewall still protects', async () => {
    const file = text({ firewalls: { front: { rules, devices: { computes: [1, 2] } } } })
    const refusals = await refusalsOf(file, account({ firewalls: [guard(7, 'web', [1, 2])] }))
    expect(refusals.map(([, , message]) => message)).toEqual([
      expect.stringMatching(
        /compute 1 is protected by firewall "web".* It looks like firewall "web" \(7\), which is in no file\. .* was: "web" \(a\.yaml:1\)$/,
      ),
      expect.not.stringContaining('looks like'),
    ])
  })
})

describe('a former label that no object has', () => {
  const file = (was: string, more = '') =>
    `owner: team\nvolumes:\n  dat: { was: ${was}, size: 30, region: us-east }\n${more}`
  const noteTexts = async (accountFile: string, volumes: object[]) =>
    (await planOf(accountFile, account({ volumes }))).notes.map(({ name, text: note }) => `${name}: ${note}`)

  test('is reported in a note with the labels that it resembles', async () => {
    expect(await noteTexts(file('oneon'), [volume(7, 'oneone', { tags: [] })])).toEqual([
      'dat: no volume has the label "oneon" of its "was". Did you mean "oneone"? (a.yaml:3)',
    ])
    const accountFile = text({ firewalls: { fro: { was: 'lagacy', rules } } })
    const { notes } = await planOf(accountFile, account({ firewalls: [firewall(7, 'legacy')] }))
    expect(notes).toMatchObject([{ name: 'fro', text: expect.stringContaining('Did you mean "legacy"? (a.yaml:1)') }])
  })

  test("is rejected if it resembles the label of an object with the owner's tag", async () => {
    const volumes = [volume(6, 'oneone-2', { tags: [] }), volume(7, 'oneone', { tags: ['team'] })]
    for (const prune of [true, false])
      expect(await refusalsOf(file('oneon'), account({ volumes }), { prune })).toEqual([
        [
          'a.yaml:3',
          'not_found',
          'volumes.dat.was: No volume has the label "oneon". Did you mean "oneone" or "oneone-2"?',
        ],
      ])
  })

  test('is in the rejection of a new object that lacks a field', async () => {
    const accountFile = 'volumes:\n  data-99:\n    was: oneon'
    expect(await refusalsOf(accountFile, account({ volumes: [volume(7, 'oneone')] }))).toEqual([
      [
        'a.yaml:2',
        'usage',
        'volumes.data-99.region: A new volume needs a region or a compute_id. No volume has the label "oneon" of its "was". Did you mean "oneone"? (a.yaml:3)',
      ],
    ])
  })

  test.for<[what: string, accountFile: string, volumes: object[]]>([
    ['an account without objects', file('data-1'), []],
    ['an account with other labels', file('data-1'), [volume(7, 'postgres', { tags: ['team'] })]],
    [
      'labels that the files name themselves',
      file('data-1', '  data-2: {}\n  data-4: { was: data-3 }'),
      [volume(7, 'data-2', { tags: ['team'] }), volume(8, 'data-3', { tags: ['team'] })],
    ],
  ])('is reported in %s, too', async ([, accountFile, volumes]) => {
    expect(await noteTexts(accountFile, volumes)).toEqual([
      'dat: no volume has the label "data-1" of its "was", so this is a new volume (a.yaml:3)',
    ])
  })

  test('is reported with an object that looks like the entry', async () => {
    expect(await noteTexts(file('data-1'), [volume(7, 'postgres', { size: 30, tags: ['team'] })])).toEqual([
      'dat: no volume has the label "data-1" of its "was", but it looks like volume "postgres" (7), which is in no file. To rename that one instead, set was: "postgres" (a.yaml:3)',
    ])
  })

  test('is not reported after the rename', async () => {
    const volumes = [volume(7, 'dat', { size: 30, tags: ['team'] }), volume(8, 'data-2', { tags: ['team'] })]
    expect(await noteTexts(file('data-1'), volumes)).toEqual([])
  })

  test('is rejected where the plan deletes an object of that kind', async () => {
    const owned = [volume(7, 'postgres', { tags: ['team'] }), volume(8, 'cache', { tags: ['team'] })]
    const refusals = (accountFile: string, volumes: object[], more: object = {}) =>
      refusalsOf(accountFile, account({ volumes, ...more }), { prune: true })
    const reason =
      'volumes.dat.was: No volume has the label "data-1", and the plan deletes volume "cache" (8), volume "postgres" (7). Correct "was", or remove it'
    expect(await refusals(file('data-1'), owned)).toEqual([['a.yaml:3', 'not_found', reason]])
    // One that resembles the former label, but is of nobody.
    const one = [volume(7, 'postgres', { tags: ['team'] }), volume(9, 'data-11', { tags: [] })]
    expect(await refusals(file('data-1'), one)).toEqual([
      [
        'a.yaml:3',
        'not_found',
        'volumes.dat.was: No volume has the label "data-1", and the plan deletes volume "postgres" (7). Correct "was", or remove it',
      ],
    ])
    const firewalls = [{ ...firewall(7, 'web'), firewall: { ...firewall(7, 'web').firewall, tags: ['team'] } }]
    const { objects } = await planOf(file('data-1'), account({ firewalls }), { prune: true })
    expect(objects.map(({ kind, action }) => [kind, action])).toEqual([
      ['volumes', 'create'],
      ['firewalls', 'delete'],
    ])
    expect(await noteTexts(file('data-1'), owned)).toHaveLength(1)
  })
})
