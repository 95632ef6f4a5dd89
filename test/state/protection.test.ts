/** Entries with `protect`: rejected plans, and the tag of protected objects (state.md, For teams). */
import { describe, expect, test } from 'vitest'
import type { Plan } from '../../src/account-file/plan'
import { Problem } from '../../src/errors'
import fc, { runs } from '../support/fast-check'
import { type Answers, linesOf, planOf, refusalsOf, stepsOf } from '../support/pure-plans'

const keys = ['IJ2kqDZbJwWzL1dMRPbmTzc6iUOh3TM0YrKDzDfJ6QyD', 'ILq5CeZ9vU8HSbHCCT0nTbFqvbJJM5tWYHfqbmWk1DFA'].map(
  (data) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA${data}`,
)
const regions = ['us-east', 'eu-west']
const east = { type: 'ipv4', public: true, region: 'us-east', rdns: null }
const rdns = [1, 2].map((id) => ({ ...east, address: `192.0.2.${id}`, compute_id: id }))
const volume = (more: object = {}) => ({
  ...{ id: 7, label: 'data', size: 20, region: 'us-east', compute_id: 1, tags: ['protected'], status: 'active' },
  ...more,
})
const ssh = { action: 'ACCEPT', protocol: 'TCP', ports: '22', addresses: { ipv4: ['203.0.113.0/24'] } }
const closed = { inbound: [ssh], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' }
const firewall = (more: object = {}, computes: readonly number[] = [1]) => ({
  firewall: { id: 8, label: 'web', status: 'enabled', tags: ['protected'], rules: closed, ...more },
  devices: computes.map((id) => ({ id: 80 + id, entity: { id, label: null, type: 'compute', url: '/' } })),
  asOf: 0,
})
const sshkey = { id: 9, label: 'ci', ssh_key: keys[0], created: '2026-01-01T00:00:00' }
const account = (more: object = {}): Answers => ({ volumes: [], firewalls: [], sshkeys: [], rdns, regions, ...more })
const protectedAccount = account({ volumes: [volume()], firewalls: [firewall()], sshkeys: [sshkey] })
const remedy = 'Apply "protect: false" first, in a plan of its own. To go on anyway, add --force'
const tagged = 'It has the tag "protected"'

describe('a protected object', () => {
  test.for<[file: string, line: number, field: string, harm: string]>([
    ['volumes:\n  data:\n    compute_id: null', 3, 'volumes.data.compute_id', 'detach it'],
    ['volumes:\n  data:\n    compute_id: 2', 3, 'volumes.data.compute_id', 'detach it'],
    ['firewalls:\n  web:\n    status: disabled', 3, 'firewalls.web.status', 'disable it'],
    [
      'firewalls:\n  web:\n    devices:\n      computes: []',
      4,
      'firewalls.web.devices.computes',
      'remove compute 1 from it',
    ],
    ['firewalls:\n  web:\n    rules: { inbound_policy: accept }', 3, 'firewalls.web.rules', 'allow all traffic'],
  ])('is safe from a plan that harms it, even without protect in the file: %j', async ([file, line, field, harm]) => {
    expect(await refusalsOf(file, protectedAccount)).toEqual([
      [`a.yaml:${line}`, 'protected', `${field}: ${tagged}, and the plan would ${harm}. ${remedy}`],
    ])
    const protecting = file.replace(/(data|web):\n/, '$1:\n    protect: true\n')
    const untagged = account({ volumes: [volume({ tags: [] })], firewalls: [firewall({ tags: [] })] })
    for (const answers of [protectedAccount, untagged])
      expect(await refusalsOf(protecting, answers)).toEqual([
        [`a.yaml:${line + 1}`, 'protected', `${field}: It is protected, and the plan would ${harm}. ${remedy}`],
      ])
  })

  test('is safe from the plan that ends its protection', async () => {
    const file = 'volumes: { data: { protect: false, compute_id: null } }'
    expect(await refusalsOf(file, protectedAccount)).toEqual([
      [
        'a.yaml:1',
        'protected',
        `volumes.data.compute_id: It is still protected, and the plan would detach it. ${remedy}`,
      ],
    ])
    expect(await stepsOf('volumes: { data: { protect: false } }', protectedAccount)).toEqual([
      ['volumes update', '7', { tags: [] }],
    ])
  })

  test('that is a firewall keeps its services if another firewall claims them', async () => {
    const file =
      'firewalls:\n  new:\n    rules: { inbound_policy: drop, outbound_policy: accept }\n    devices: { computes: [1] }\n  web: { devices: { computes: [] } }'
    expect((await refusalsOf(file, protectedAccount)).map(([place, code]) => [place, code])).toEqual([
      ['a.yaml:5', 'protected'],
    ])
  })

  test('is not pruned', async () => {
    const answers = account({
      volumes: [volume({ tags: ['team', 'protected'] })],
      firewalls: [firewall({ tags: ['team', 'protected'] })],
    })
    const reason = `${tagged}, and the plan would delete it. Remove that tag first. To go on anyway, add --force`
    expect(await refusalsOf('owner: team', answers, { prune: true })).toEqual([
      ['--prune', 'protected', `volumes.data: ${reason}`],
      ['--prune', 'protected', `firewalls.web: ${reason}`],
    ])
    expect((await planOf('owner: team', answers)).left).toHaveLength(2)
    const forced = await planOf('owner: team', answers, { prune: true, force: true })
    expect(forced.objects.map(({ name, action }) => [name, action])).toEqual([
      ['data', 'delete'],
      ['web', 'delete'],
    ])
  })

  test('that is an SSH key is safe only with protect in its file, because keys have no tags', async () => {
    const file = (protect: string) => `sshkeys:\n  ci:\n    ssh_key: ${keys[1]}\n${protect}`
    expect(await refusalsOf(file('    protect: true'), protectedAccount)).toEqual([
      [
        'a.yaml:3',
        'protected',
        'sshkeys.ci.ssh_key: It is protected, and the plan would replace it. Set "protect: false". To go on anyway, add --force',
      ],
    ])
    for (const free of ['', '    protect: false']) expect(await stepsOf(file(free), protectedAccount)).toHaveLength(2)
  })

  test('may grow, be renamed or enabled, and get services, rules and other tags', async () => {
    const answers = account({ volumes: [volume()], firewalls: [firewall({ status: 'disabled' })] })
    const file = JSON.stringify({
      volumes: { big: { was: 'data', size: 30, tags: ['a'] } },
      firewalls: { web: { status: 'enabled', devices: { computes: [1, 2] }, rules: { inbound: [] }, tags: [] } },
    })
    expect(await stepsOf(file, answers)).toEqual([
      ['volumes update', '7', { label: 'big' }],
      ['volumes resize', '7', { size: 30 }],
      ['volumes update', '7', { tags: ['a', 'protected'] }],
      ['firewalls rules update', '8', { ...closed, inbound: [] }],
      ['firewalls devices add', '8', { id: 2, type: 'compute' }],
      ['firewalls enable', '8'],
    ])
  })

  test('can be harmed with force', async () => {
    const file = 'volumes: { data: { compute_id: null } }'
    expect((await planOf(file, protectedAccount, { force: true })).objects).toHaveLength(1)
  })

  test('is assumed if the answer lacks the tags', async () => {
    const answers = account({ volumes: [volume({ tags: undefined })] })
    const unknown = 'The answer lacks the tags, so skyctl cannot'
    expect(await refusalsOf('volumes: { data: { compute_id: null } }', answers)).toEqual([
      [
        'a.yaml:1',
        'defect',
        `volumes.data.compute_id: ${unknown} tell whether it is protected, and the plan would detach it`,
      ],
    ])
    expect(await refusalsOf('volumes: { data: { protect: true } }', answers)).toEqual([
      ['a.yaml:1', 'defect', `volumes.data.tags: ${unknown} compare it`],
    ])
  })
})

describe('the tag of a protected object', () => {
  test.for<[entry: object, present: string[], sent: string[] | undefined, lines: string[]]>([
    [{ protect: true }, ['a'], ['a', 'protected'], ['protect: false -> true']],
    [{ protect: true, tags: ['b'] }, ['a'], ['b', 'protected'], ['tags: a -> b', 'protect: false -> true']],
    [{ protect: true, tags: [] }, ['protected'], undefined, []],
    [{ tags: ['b'] }, ['a', 'protected'], ['b', 'protected'], ['tags: a -> b']],
    [{ tags: ['protected'] }, [], ['protected'], ['protect: false -> true']],
    [{ protect: false }, ['a', 'protected'], ['a'], ['protect: true -> false']],
    [{ protect: false, tags: ['b'] }, ['protected'], ['b'], ['tags: none -> b', 'protect: true -> false']],
    [{ protect: false }, ['a'], undefined, []],
    [{}, ['protected'], undefined, []],
  ])(
    'follows protect, and stays if the file does not mention it: %j over %j',
    async ([fields, present, sent, lines]) => {
      const file = (owner: string) => JSON.stringify({ owner, volumes: { data: fields }, firewalls: { web: fields } })
      const answers = account({ volumes: [volume({ tags: present })], firewalls: [firewall({ tags: present })] })
      const steps = sent
        ? [
            ['volumes update', '7', { tags: sent }],
            ['firewalls update', '8', { tags: sent }],
          ]
        : []
      expect(await stepsOf(file('team'), answers)).toEqual(steps)
      expect(await linesOf(file('team'), answers)).toEqual([...lines, ...lines])
    },
  )

  test("is part of the creation of an object, like the owner's tag", async () => {
    const file = 'owner: team\nvolumes: { data: { region: us-east, tags: [a], protect: true } }'
    expect(await stepsOf(file, account())).toEqual([
      ['volumes create', { label: 'data', region: 'us-east', tags: ['a', 'team', 'protected'] }],
    ])
  })

  test('contradicts protect: false in the same entry', async () => {
    expect(await refusalsOf('volumes:\n  data:\n    tags: [protected]\n    protect: false', protectedAccount)).toEqual([
      ['a.yaml:4', 'usage', 'volumes.data.protect: The tag "protected" in tags says the opposite'],
    ])
  })

  test.for(['"yes"', '1', 'null'])('is not set by a protect that is not a boolean: %s', async (value) => {
    const [refusal] = await refusalsOf(`volumes:\n  data: { protect: ${value} }`, protectedAccount)
    expect(refusal).toEqual(['a.yaml:2', 'usage', expect.stringContaining('volumes.data.protect: Must be a boolean')])
  })
})

/** Returns the ids that a plan harms, judged by its commands alone. */
function harmedBy({ objects }: Plan): string[] {
  return objects.flatMap(({ kind, before, steps }) =>
    steps.flatMap(({ does, target: [id], body = {} }) => {
      const filtered = JSON.stringify(before()).includes('"inbound_policy":"DROP"')
      const rules = filtered && body.inbound_policy === 'ACCEPT'
      const isHarm = /^volumes (delete|detach)|^firewalls (delete|devices delete)|^profile sshkeys delete/.test(does)
      // Without services, a firewall protects nothing.
      const isDisabled = does === 'firewalls disable' && !JSON.stringify(before()).includes('"computes":[]')
      return isHarm || isDisabled || (does === 'firewalls rules update' && rules) ? [`${kind} ${id}`] : []
    }),
  )
}

/** Returns the ids whose tag a plan removes. */
const freedBy = ({ objects }: Plan): string[] =>
  objects.flatMap(({ kind, before, steps }) =>
    steps.flatMap(({ target: [id], body = {} }) =>
      JSON.stringify(before()).includes('"protect":true') &&
      Array.isArray(body.tags) &&
      !body.tags.includes('protected')
        ? [`${kind} ${id}`]
        : [],
    ),
  )

const tags = fc.subarray(['team', 'protected', 'a'])
const computes = fc.subarray([1, 2])
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const labels = ['one', 'two', 'old-one', 'old-two']
const entry = {
  protect: some(fc.boolean()),
  tags: some(fc.subarray(['team', 'a'])),
  was: some(fc.constantFrom('old-one', 'old-two')),
}
const rules = fc.record({ inbound_policy: fc.constantFrom('ACCEPT', 'DROP'), inbound: fc.constantFrom([], [ssh]) })
const worlds = fc.record({
  volumes: fc.dictionary(fc.constantFrom(...labels), fc.record({ compute_id: fc.constantFrom(null, 1, 2), tags })),
  firewalls: fc.dictionary(
    fc.constantFrom(...labels),
    fc.record({ status: fc.constantFrom('enabled', 'disabled'), tags, computes, rules }),
  ),
  file: fc.record({
    owner: fc.constant('team'),
    volumes: fc.dictionary(
      fc.constantFrom('one', 'two'),
      fc.record({ ...entry, compute_id: some(fc.constantFrom(null, 1, 2)), region: fc.constant('us-east') }),
    ),
    firewalls: fc.dictionary(
      fc.constantFrom('one', 'two'),
      fc.record({
        ...entry,
        status: some(fc.constantFrom('enabled', 'disabled')),
        devices: some(fc.record({ computes: some(computes) })),
        rules: rules.map((one) => ({ ...one, outbound: [], outbound_policy: 'ACCEPT' })),
      }),
    ),
  }),
  prune: fc.boolean(),
})

test('no random plan deletes, detaches, disables or opens a protected object, or removes a service from it', async () => {
  let [planned, refused, freed] = [0, 0, 0]
  await fc.assert(
    fc.asyncProperty(worlds, async ({ volumes, firewalls, file, prune }) => {
      const answers = account({
        volumes: Object.entries(volumes).map(([label, one], id) => volume({ ...one, label, id: 10 + id })),
        firewalls: Object.entries(firewalls).map(([label, { computes, rules, ...one }], id) =>
          firewall({ ...one, label, id: 20 + id, rules: { ...closed, ...rules } }, computes),
        ),
      })
      const entries = [...Object.entries(file.volumes), ...Object.entries(file.firewalls)]
      const isSound = entries.every(([, one]) => one.was === undefined || !entries.some(([name]) => name === one.was))
      const ids = [
        ...(answers.volumes ?? []).map((one) => ({ key: 'volumes', ...Object(one) })),
        ...(answers.firewalls ?? []).map((one) => ({ key: 'firewalls', ...Object(one).firewall })),
      ]
      const sets = ({ key, label }: Record<string, unknown>, protect: boolean) =>
        Object.entries(Object(file)[key as string] as Record<string, { protect?: boolean; was?: string }>).some(
          ([name, one]) => one.protect === protect && (name === label || one.was === label),
        )
      const isProtected = (one: Record<string, unknown>) =>
        (one.tags as string[]).includes('protected') || sets(one, true)
      const idsOf = (isMatch: (one: Record<string, unknown>) => boolean) =>
        ids.filter(isMatch).map(({ key, id }) => `${key} ${id}`)
      try {
        const plan = await planOf(JSON.stringify(file), answers, { prune })
        planned += 1
        freed += freedBy(plan).length
        const harmed = harmedBy(plan)
        expect(idsOf(isProtected).filter((one) => harmed.includes(one))).toEqual([])
        const unmentioned = idsOf((one) => !sets(one, false))
        expect(unmentioned.filter((one) => freedBy(plan).includes(one))).toEqual([])
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        refused += error.details.failures?.some(({ problem }) => problem.code === 'protected') ? 1 : 0
        expect({ isSound, code: error.code }).not.toEqual({ isSound, code: 'defect' })
      }
    }),
    { numRuns: runs(200) },
  )
  // Otherwise the random plans did not cover all cases.
  expect([planned, refused, freed].every((count) => count > 0)).toBe(true)
}, 600_000)
