/** Plans: their output formats, defaults and exit codes, and saved plans that apply accepts or rejects (state.md). */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { digestOf } from '../../src/commands/account-file/saved-plan'
import { test as base } from '../support/account-files'
import { ruleSet } from '../support/firewall-rules'
import { volumePath } from './volume-path'

const json = (text: string) => JSON.parse(text)
const lines = (text: string) => text.trimEnd().split('\n')

interface Fixtures {
  /** Saves the plan of a file, changed by `change` and with a digest that fits, and returns its path. */
  savePlan(text: string, change?: (plan: Record<string, unknown>) => object, flags?: string): Promise<string>
}

const test = base.extend<Fixtures>({
  savePlan: async ({ skyctl, file, home }, use) =>
    use(async (text, change = (plan) => plan, flags = '') => {
      const path = join(home, 'plan.json')
      expect((await skyctl(`plan ${file('wanted.yaml', text)} ${flags} --out ${path} --force`)).exit).toBe(0)
      const changed = { ...change(json(readFileSync(path, 'utf8'))) }
      writeFileSync(path, JSON.stringify({ ...changed, digest: digestOf(changed) }))
      return path
    }),
})

const larger = 'volumes: { data-1: { size: 50 } }'

describe('a saved plan', () => {
  const notSaved = 'is not a plan that "skyctl plan --out" has saved'

  test.for<[string, object, string]>([
    [
      'of another version',
      { format_version: 0 },
      'is a plan of another version: 0. Save it again: skyctl plan FILE --out plan.json',
    ],
    ['without an account', { account: undefined }, notSaved],
    ['without settings', { settings: undefined }, notSaved],
    ['without defaults', { settings: {} }, notSaved],
    ['with invalid defaults', { settings: { defaults: 'us-east' } }, notSaved],
    ['without a desired state', { wanted: null }, notSaved],
    ['with a list as desired state', { wanted: [] }, notSaved],
    ['without the objects of the account', { found: undefined }, notSaved],
    ['with an entry that no file can have', { wanted: { volumes: { x: { size: 'big' } } } }, ': volumes.x: '],
  ])('%s is rejected without any request', async ([, change, reason], { skyctl, savePlan, world }) => {
    const path = await savePlan(larger, (plan) => ({ ...plan, ...change }))
    const requests = world.requests().length
    const { exit, stderr } = await skyctl(`apply ${path} --yes`)
    expect({ exit, stderr, requests: world.requests().length }).toEqual({
      exit: 2,
      stderr: expect.stringContaining(`${path}${reason.startsWith(':') ? '' : ' '}${reason}`),
      requests,
    })
  })

  test('for another service is rejected with the name of that service', async ({ skyctl, savePlan, env }) => {
    const account = { service: 'https://api.example.com/v4', uid: 1, username: 'owner' }
    const path = await savePlan(larger, (plan) => ({ ...plan, account }))
    const { exit, stderr } = await skyctl(`apply ${path} --yes`)
    expect({ exit, stderr }).toEqual({
      exit: 6,
      stderr:
        `skyctl: ${path} is a plan for user "owner" (1) at https://api.example.com/v4, but this is user "owner" (1) at ` +
        `${env.SKYCTL_BASE_URL}. Sign in to that account, or plan again for this one: skyctl plan FILE --out plan.json\n`,
    })
  })

  test('decides whether apply prunes', async ({ skyctl, savePlan, world }) => {
    const { id } = world.volume({ label: 'old', tags: ['team'] })
    const text = 'owner: team\nvolumes: { data-1: { size: 50 } }'
    const without = await savePlan(text)
    expect(await skyctl(`apply ${without} --prune --yes`)).toMatchObject({
      exit: 2,
      stderr: 'skyctl: --prune: a saved plan already decides whether it prunes\n',
    })
    const path = await savePlan(text, undefined, '--prune')
    expect((await skyctl(`apply ${path} --yes`)).exit).toBe(0)
    expect({ old: world.volumes.get(id), size: world.volumes.get(3001)?.size }).toEqual({ old: undefined, size: 50 })
  })

  test('deletes no resource that has changed since', async ({ skyctl, savePlan, world }) => {
    const volume = world.volume({ label: 'old', tags: ['team'] })
    const path = await savePlan('owner: team\nvolumes: {}', undefined, '--prune --max-deletes 1')
    world.volumes.put({ ...volume, tags: ['team', 'needed'] })
    const { exit, stderr } = await skyctl(`apply ${path} --yes`)
    expect({ exit, stderr, left: world.volumes.get(volume.id)?.label }).toEqual({
      exit: 6,
      stderr: expect.stringContaining(`changed since the plan was made: volume "old" (${volume.id}).`),
      left: 'old',
    })
  })

  test('continues after a failure, and then has no changes', async ({ skyctl, savePlan, world }) => {
    world.volume({ label: 'old', tags: ['team'] })
    // An instance with 1 GB fits one volume (api.md, Limits).
    const full = world.volume({ label: 'full', compute_id: 1004 })
    const text =
      'owner: team\nvolumes:\n  data-1: { size: 50 }\n  made: { region: us-east }\n  moved: { region: us-east, compute_id: 1004 }\n'
    const path = await savePlan(text, undefined, '--prune')
    expect((await skyctl(`apply ${path} --yes`)).exit).toBe(9)
    world.volumes.delete(full.id)
    expect(await skyctl(`apply ${path} --yes`)).toMatchObject({ exit: 0 })
    const labels = world.volumes.all().map(({ label }) => label)
    for (const label of ['data-1', 'made', 'moved']) expect(labels.filter((one) => one === label)).toHaveLength(1)
    expect(labels).not.toContain('old')
    const { exit, stderr } = await skyctl(`apply ${path} --yes`)
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: 'No changes; 3 unchanged\n' })
  })

  test('with --only can be applied again after its only match was deleted', async ({ skyctl, savePlan, world }) => {
    world.volume({ label: 'old', tags: ['team'] })
    const path = await savePlan('owner: team\nvolumes: { data-1: {} }', undefined, '--prune --only volumes/old')
    for (const _ of [1, 2]) expect((await skyctl(`apply ${path} --yes`)).exit).toBe(0)
  })

  test.for([
    ['that was changed', { tags: ['other'] }, 3001],
    ['that was replaced by an equal one', { id: 3999 }, 3999],
  ] as const)('is rejected for an object %s after the apply', async ([, change, id], { skyctl, savePlan, world }) => {
    const path = await savePlan(larger)
    expect((await skyctl(`apply ${path} --yes`)).exit).toBe(0)
    const volume = world.volumes.get(3001)
    if (!volume) throw new Error('the example has no volume')
    world.volumes.delete(3001)
    world.volumes.put({ ...volume, ...change } as typeof volume)
    const { exit, stderr } = await skyctl(`apply ${path} --yes`)
    expect({ exit, stderr, size: world.volumes.get(id)?.size }).toEqual({
      exit: 6,
      stderr: expect.stringContaining('the account has changed since the plan was made: volume "data-1" (3001).'),
      size: 50,
    })
  })

  test('warns of unmet expectations with the line of the account file', async ({ skyctl, savePlan, home }) => {
    const path = await savePlan('volumes: { data-1: { size: 50 } }\ntokens:\n  ci: { scopes: [volumes:read_only] }\n')
    const { exit, stderr } = await skyctl(`apply ${path} --yes -o csv`)
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: expect.stringContaining(`token "ci": No token has this label (${home}/wanted.yaml:3)`),
    })
  })

  test('is rejected with the names of all objects that have changed or are new', async ({
    skyctl,
    savePlan,
    world,
  }) => {
    const path = await savePlan(
      'volumes:\n  data-1: { size: 50 }\n  data-2: { size: 50 }\n  fresh: { region: us-east }',
    )
    await skyctl('volumes update data-1 --tag other')
    expect((await skyctl('volumes resize data-2 --size 45')).exit).toBe(0)
    const { id } = world.volume({ label: 'fresh', region: 'us-east', size: 21 })
    const { exit, stderr } = await skyctl(`apply ${path} --yes`)
    expect({ exit, stderr }).toEqual({
      exit: 6,
      stderr: expect.stringMatching(
        /^skyctl: the account has changed since the plan was made: volume "data-1" \(3001\), volume "data-2" \(\d+\), volume "fresh"\. Plan again/,
      ),
    })
    expect(world.volumes.get(id)?.size).toBe(21)
  })

  test('is rejected with the difference of each of them', async ({ skyctl, savePlan }) => {
    const path = await savePlan('volumes: { data-1: { size: 50 }, data-2: {} }')
    await skyctl('volumes update data-1 --tag other')
    await skyctl('volumes delete data-2 --yes')
    const { exit, stderr } = await skyctl(`apply ${path} --yes --json`)
    expect({ exit, errors: json(stderr).error.errors }).toEqual({
      exit: 6,
      errors: [
        { field: 'volumes.data-1.tags', reason: 'Was ["production"], is ["other"] now' },
        { field: 'volumes.data-2', reason: 'Does not exist any more' },
      ],
    })
  })

  test.for<[what: string, text: string, remove: string, object: string]>([
    ['that it changes', larger, 'volumes delete data-2 data-1 --yes', 'volume "data-1" (3001)'],
    [
      'that needs no change',
      'volumes: { data-1: { size: 50 }, data-2: {} }',
      'volumes delete data-2 --yes',
      'volume "data-2" (3002)',
    ],
    [
      'whose rules it changes',
      'firewalls: { web: { rules: { inbound_policy: drop, inbound: [] }, devices: { computes: [1001] } } }',
      'firewalls delete web --yes --force',
      'firewall "web" (4001)',
    ],
  ])(
    'is rejected as outdated after the deletion of an object %s',
    async ([, text, remove, object], { skyctl, savePlan, world }) => {
      const path = await savePlan(text)
      expect(await skyctl('volumes detach data-1 --yes')).toMatchObject({ exit: 0 })
      expect(await skyctl(remove)).toMatchObject({ exit: 0 })
      const writes = world.requests().filter(({ method }) => method !== 'GET').length
      expect(await skyctl(`apply ${path} --yes --allow-lockout`)).toMatchObject({
        exit: 6,
        stderr: expect.stringContaining('the account has changed since the plan was made: '),
      })
      const { stderr } = await skyctl(`apply ${path} --yes --json`)
      expect(json(stderr).error).toMatchObject({ code: 'changed', message: expect.stringContaining(object) })
      expect(world.requests().filter(({ method }) => method !== 'GET')).toHaveLength(writes)
    },
  )

  test('is rejected with the line of an instance that was deleted since', async ({ skyctl, savePlan, world }) => {
    const path = await savePlan('volumes:\n  fresh: { compute_id: 1005 }\n')
    world.computes.delete(1005)
    for (const { id } of world.network.addressesOf(1005)) world.network.addresses.delete(id)
    expect(await skyctl(`apply ${path} --yes`)).toMatchObject({
      exit: 5,
      stderr: expect.stringMatching(/volumes\.fresh\.compute_id[^\n]*compute instance 1005\n/),
    })
  })

  test('with objects of the wrong type counts as outdated', async ({ skyctl, savePlan, world }) => {
    const path = await savePlan(larger, (plan) => ({ ...plan, found: [null, 5] }))
    const { exit, stderr } = await skyctl(`apply ${path} --yes`)
    expect({ exit, stderr }).toEqual({
      exit: 6,
      stderr: expect.stringContaining('the account has changed since the plan was made: volume "data-1" (3001).'),
    })
    expect(world.volumes.get(3001)?.size).toBe(40)
  })

  test('is not confused with an account file in JSON', async ({ skyctl, file, world }) => {
    const path = file('wanted.json', '{"volumes":{"data-1":{"size":50}}}')
    expect((await skyctl(`apply ${path} --yes`)).exit).toBe(0)
    expect(world.volumes.get(3001)?.size).toBe(50)
  })

  test('is written to a new file, or replaces a file with --force', async ({ skyctl, file, world }) => {
    const [path, out] = [file('a.yaml', larger), file('plan.json', 'mine')]
    expect(await skyctl(`plan ${path} --out ${out}`)).toMatchObject({ exit: 12, stdout: '' })
    expect({ text: readFileSync(out, 'utf8'), requests: world.requests() }).toEqual({ text: 'mine', requests: [] })
    expect((await skyctl(`plan ${path} --out ${out} --force`)).exit).toBe(0)
    expect(json(readFileSync(out, 'utf8')).prune).toBe(false)
  })
})

describe('a plan', () => {
  const text =
    'owner: team\nvolumes:\n  data-1: { size: 50 }\n  fresh: { region: us-east, size: 20 }\nfirewalls:\n  edge: { tags: [x] }'

  test('lists each object with a mark, and the resources that stay', async ({ skyctl, file, world }) => {
    world.network.firewall({ id: 9100, label: 'edge', rules: ruleSet() })
    const { id } = world.volume({ label: 'old', tags: ['team'] })
    const { stdout } = await skyctl(`plan ${file('a.yaml', text)} --prune`)
    const heads = lines(stdout).filter((line) => /^[+~-]/.test(line))
    expect(heads.toSorted()).toEqual([
      '+ volume "fresh"',
      `- volume "old" (${id})`,
      '~ firewall "edge" (9100)',
      '~ volume "data-1" (3001)',
    ])
    expect(lines(stdout).at(-1)).toBe('1 to create, 2 to update, 1 to delete; 0 unchanged')
    const left = await skyctl(`plan ${file('b.yaml', 'owner: team\nvolumes: { data-2: {} }')}`)
    expect(left.stdout).toBe(
      `  volume "old" (${id}) is in no file and stays; --prune deletes it\nNo changes; 1 unchanged\n`,
    )
  })

  test('has a row for each step as CSV, and only names with --quiet', async ({ skyctl, file }) => {
    const path = file('a.yaml', 'volumes:\n  data-1: { size: 50, tags: [x] }\n  fresh: { region: us-east, size: 20 }')
    const [head, ...rows] = lines((await skyctl(`plan ${path} -o csv`)).stdout)
    expect(head).toBe('kind,name,id,action,change')
    expect(rows.map((row) => row.split(',').slice(0, 4).join())).toEqual(
      expect.arrayContaining(['volumes,data-1,3001,resize', 'volumes,data-1,3001,update', 'volumes,fresh,,create']),
    )
    expect((await skyctl(`plan ${path} -q`)).stdout).toBe('data-1\nfresh\n')
  })

  test.for([
    ['volumes: { data-1: {} }', 0, undefined],
    [larger, 13, '1 object'],
    ['volumes: { data-1: { size: 50 }, data-2: { size: 50 } }', 13, '2 objects'],
  ] as const)('of %s exits with %i if --exit-code is set', async ([account, exit, count], { skyctl, file }) => {
    const path = file('a.yaml', account)
    expect(await skyctl(`plan ${path} --exit-code`)).toMatchObject({
      exit,
      stderr: count === undefined ? '' : `skyctl: the account differs from the files: ${count}\n`,
    })
    expect((await skyctl(`plan ${path}`)).exit).toBe(0)
  })
})

describe('a plan of objects with defaults or without labels', () => {
  const newVolume = 'volumes: { fresh: { size: 20 } }'

  test('creates volumes in the region of the context, unless the file names one', async ({ skyctl, file, sandbox }) => {
    const env = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
    const stdin = sandbox.ownerToken
    await skyctl(`auth login --context lab --with-token --base-url ${sandbox.baseUrl}`, { stdin, env })
    const regionOf = async (text: string) => {
      const { objects } = json((await skyctl(`plan ${file('a.yaml', text)} --json`, { env })).stdout)
      return objects[0].steps[0].body.region
    }
    expect((await skyctl(`plan ${file('a.yaml', newVolume)}`, { env })).exit).toBe(2)
    expect((await skyctl('context update lab --region eu-west', { env })).exit).toBe(0)
    expect(await regionOf(newVolume)).toBe('eu-west')
    expect(await regionOf(`defaults: { region: us-east }\n${newVolume}`)).toBe('us-east')
  })

  test('works if the contexts cannot be read', async ({ skyctl, file }) => {
    file('config/contexts.json/none', '')
    expect((await skyctl(`plan ${file('a.yaml', 'volumes: { data-1: {} }')}`)).exit).toBe(0)
  })

  test('names an address once, and the profile without a label', async ({ skyctl, file, world }) => {
    world.network.address({ address: '203.0.113.11', compute_id: 1001 })
    const text = 'rdns: { 203.0.113.11: www.example.net }\nprofile: { timezone: Asia/Kathmandu }'
    const { stdout } = await skyctl(`plan ${file('a.yaml', text)}`)
    expect(lines(stdout).filter((line) => line.startsWith('~'))).toEqual(['~ address 203.0.113.11', '~ profile'])
  })
})

describe('apply', () => {
  test('without differences changes nothing, and prints that as text and as data', async ({ skyctl, file, world }) => {
    const path = file('a.yaml', 'volumes: { data-1: {} }')
    expect(await skyctl(`apply ${path}`)).toEqual({ exit: 0, stdout: '', stderr: 'No changes; 1 unchanged\n' })
    const { stdout } = await skyctl(`apply ${path} --json`)
    const data1 = { kind: 'volumes', name: 'data-1', id: 3001, action: 'none', ok: true, ...volumePath('data-1') }
    expect(json(stdout)).toEqual({ format_version: 1, changed: false, actions: [], objects: [data1], unprotected: [] })
    expect((await skyctl(`apply ${path} -o csv`)).stdout).toBe('kind,name,id,action,ok\n')
    expect(world.requests().every(({ method }) => method === 'GET')).toBe(true)
  })

  test('prints the result of each object as data, and the plan alone as text', async ({ skyctl, file, world }) => {
    const path = file('a.yaml', 'volumes:\n  data-1: { size: 50 }\n  fresh: { region: us-east, size: 20 }')
    const { exit, stdout } = await skyctl(`apply ${path} --yes --json`)
    const fresh = world.volumes.all().find(({ label }) => label === 'fresh')?.id
    const actions = [
      { kind: 'volumes', name: 'data-1', id: 3001, action: 'update', ok: true },
      { kind: 'volumes', name: 'fresh', id: fresh, action: 'create', ok: true },
    ]
    const objects = actions.map((one) => ({ ...one, ...volumePath(one.name) }))
    expect({ exit, output: json(stdout) }).toEqual({
      exit: 0,
      output: { format_version: 1, changed: true, actions, objects, unprotected: [] },
    })
    const again = file('a.yaml', 'volumes: { data-1: { size: 60 } }')
    const asText = await skyctl(`apply ${again} --yes`)
    expect(asText).toMatchObject({ exit: 0, stdout: '', stderr: expect.stringContaining('~ volume "data-1" (3001)') })
    const rows = await skyctl(`apply ${file('a.yaml', 'volumes: { data-1: { size: 70 } }')} --yes -o csv`)
    expect(rows.stdout).toBe('kind,name,id,action,ok\nvolumes,data-1,3001,update,true\n')
    const quiet = await skyctl(`apply ${file('a.yaml', 'volumes: { data-1: { size: 80 } }')} --yes -q`)
    expect(quiet.stdout).toBe('data-1\n')
  })

  test('asks about consequences that cannot be undone, each kind once', async ({ skyctl, file, world }) => {
    for (const label of ['old', 'older']) world.volume({ label, tags: ['team'] })
    const path = file('a.yaml', 'owner: team\nvolumes: { data-1: { size: 50 } }')
    const { exit, stderr } = await skyctl(`apply ${path} --prune`)
    expect({ exit, last: lines(stderr).at(-1) }).toEqual({
      exit: 2,
      last: 'skyctl: This plan destroys 2 resources and starts billing. Add --yes to apply it without a terminal',
    })
    const tagged = await skyctl(`apply ${file('b.yaml', 'volumes: { data-1: { tags: [x] } }')}`)
    expect(lines(tagged.stderr).at(-1)).toBe(
      'skyctl: The changes of this plan apply at once. Add --yes to apply it without a terminal',
    )
    expect(world.requests().every(({ method }) => method === 'GET')).toBe(true)
  })
})

describe('export', () => {
  test('writes the named kinds, and rejects an unknown one', async ({ skyctl, world }) => {
    expect(Object.keys(json((await skyctl('export volumes sshkeys --json')).stdout)).sort()).toEqual([
      'sshkeys',
      'volumes',
    ])
    const requests = world.requests().length
    expect(await skyctl('export volume')).toMatchObject({
      exit: 2,
      stdout: '',
      stderr: expect.stringContaining('"volume" is not a kind of resource. Did you mean "volumes"?'),
    })
    expect(world.requests()).toHaveLength(requests)
  })

  test.for([
    ['yaml', 0],
    ['json', 0],
    ['csv', 2],
    ['ndjson', 2],
  ] as const)('as %s exits with %i', async ([format, exit], { skyctl }) => {
    const result = await skyctl(`export volumes -o ${format}`)
    expect(result.exit).toBe(exit)
    if (exit === 0) expect(result.stdout).toContain('volumes')
    else expect(result.stderr).toContain(`a file cannot be ${format}`)
  })
})
