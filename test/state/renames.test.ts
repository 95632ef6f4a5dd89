/** Entries with `was`: which object they rename, and when there is nothing to rename (state.md, For teams). */
import { describe, expect, test } from 'vitest'
import { type Answers, linesOf, planOf, refusalsOf, stepsOf } from '../support/pure-plans'

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2kqDZbJwWzL1dMRPbmTzc6iUOh3TM0YrKDzDfJ6QyD'
const regions = ['us-east', 'eu-west']
const volume = (id: number, label: string, more: object = {}) => {
  const usual = { size: 20, region: 'us-east', compute_id: null, tags: ['a'], status: 'active' }
  return { id, label, ...usual, filesystem_path: `/dev/${label}`, ...more }
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

describe('an entry with was', () => {
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
    const wanted = text({ [kind]: { new: { was: 'old', ...fields } } })
    const answers = account({ [kind]: [record] })
    expect(await stepsOf(wanted, answers)).toEqual([[does, '7', { label: 'new' }]])
    expect(await linesOf(wanted, answers)).toEqual(changes)
    const { objects } = await planOf(wanted, answers)
    expect(objects).toMatchObject([{ kind, name: 'new', id: 7, action: 'update', steps: [{ action: 'rename' }] }])
  })

  test('renames before all other changes of the object', async () => {
    const wanted = text({ volumes: { new: { was: 'old', size: 30, tags: ['b'] } } })
    expect(await stepsOf(wanted, account({ volumes: [volume(7, 'old')] }))).toEqual([
      ['volumes update', '7', { label: 'new' }],
      ['volumes resize', '7', { size: 30 }],
      ['volumes update', '7', { tags: ['b'] }],
    ])
  })

  test('changes nothing once the object has the new label', async () => {
    const wanted = text({ volumes: { new: { was: 'old' } } })
    expect(await stepsOf(wanted, account({ volumes: [volume(7, 'new')] }))).toEqual([])
  })

  test('creates the object if neither label exists', async () => {
    const wanted = text({ volumes: { new: { was: 'old', region: 'us-east' } } })
    expect(await stepsOf(wanted, account())).toEqual([['volumes create', { label: 'new', region: 'us-east' }]])
  })

  test('keeps the object from --prune', async () => {
    const wanted = text({ owner: 'team', volumes: { new: { was: 'old' } } })
    const answers = account({ volumes: [volume(7, 'old', { tags: ['team'] })] })
    expect(await stepsOf(wanted, answers, { prune: true })).toEqual([['volumes update', '7', { label: 'new' }]])
  })

  test('moves services under the new label of its firewall', async () => {
    const wanted = text({
      firewalls: { front: { was: 'web', devices: { computes: [] } }, back: { devices: { computes: [1] } } },
    })
    const answers = account({ firewalls: [firewall(7, 'web', [1]), firewall(8, 'back')] })
    expect(await stepsOf(wanted, answers)).toEqual([
      ['firewalls devices add', '8', { id: 1, type: 'compute' }],
      ['firewalls update', '7', { label: 'front' }],
      ['firewalls devices delete', '7', '71'],
    ])
    const kept = text({ firewalls: { front: { was: 'web', devices: { computes: [1] } } } })
    expect(await stepsOf(kept, answers)).toEqual([['firewalls update', '7', { label: 'front' }]])
  })

  test('tells a field that the answer lacked as unknown, under the new label too', async () => {
    const wanted = text({ volumes: { new: { was: 'old', size: 30 } } })
    const answers = account({ volumes: [volume(7, 'old', { size: undefined })] })
    expect(await refusalsOf(wanted, answers)).toEqual([
      ['a.yaml:1', 'defect', 'volumes.new.size: The answer lacks the size, so skyctl cannot compare it'],
    ])
  })

  test.for<[records: object[], who: string]>([
    [[volume(7, 'old'), volume(8, 'new')], 'volume "old" (7) and volume "new" (8) both exist'],
    [[volume(7, 'old'), volume(8, 'old')], 'volume "old" (7) and volume "old" (8) both exist'],
    [
      [volume(7, 'old'), volume(8, 'old'), volume(9, 'new')],
      'volume "old" (7) and volume "old" (8) and volume "new" (9) exist',
    ],
  ])('is refused with its line, and both objects, if %j', async ([volumes, who]) => {
    expect(await refusalsOf('volumes:\n  new:\n    was: old', account({ volumes }))).toEqual([
      [
        'a.yaml:3',
        'conflict',
        `volumes.new.was: ${who}, so skyctl cannot tell which one is meant. Rename or delete the other`,
      ],
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
  ])('is a usage error if the files contradict it: %s', async ([file, ...problems]) => {
    const refusals = await refusalsOf(file, account())
    expect(refusals.map(([, code, message]) => [code, message])).toEqual(problems.map((one) => ['usage', one]))
  })

  test('may have the former label of an entry of another kind', async () => {
    const wanted = text({ volumes: { new: { was: 'old' } }, firewalls: { old: {} } })
    const answers = account({ volumes: [volume(7, 'old')], firewalls: [firewall(8, 'old')] })
    expect(await stepsOf(wanted, answers)).toEqual([['volumes update', '7', { label: 'new' }]])
  })
})

describe('a hint at was', () => {
  const notes = async (file: string, volumes: object[], prune = true) =>
    (await planOf(file, account({ volumes }), { prune })).notes.map(({ name, text }) => `${name}: ${text}`)
  const hint = (name: string, from: string, place: string) =>
    `${name}: it looks like volume ${from}, which is in no file. To rename that one instead, add to its entry: was: ${place}`

  test.for([true, false])(
    'names the line to write for a new volume that looks like one without an entry, prune %s',
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
    ['an owner of its own', 'region: us-east', { tags: ['other'] }],
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
})
