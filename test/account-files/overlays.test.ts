/** Overlays for environments, and changes of named networks, planned and applied (state.md, For teams). */
import { describe, expect } from 'vitest'
import { test } from '../support/account-files'

const base = `owner: web
defaults: { region: us-east }
volumes:
  pgdata:
    size: 40
    tags: [db]
  logs: {}
`
const prod = `volumes:
  pgdata:
    size: 60
    protect: true
rdns:
  192.0.2.11: www.example.net
`
const refinement = (folder: string) =>
  `volumes.pgdata: ${folder}base.yaml:4 (tags), refined in ${folder}prod.yaml:2 (size, protect)`

describe('a base and an overlay', () => {
  test('are applied like one merged file, and leave no changes', async ({ skyctl, file, world }) => {
    const files = `${file('base.yaml', base)} ${file('prod.yaml', prod)}`
    expect((await skyctl(`apply ${files} --yes`)).exit).toBe(0)
    const created = world.volumes.all().filter(({ label }) => ['pgdata', 'logs'].includes(label))
    expect(new Set(created.map(({ label, size, region, tags }) => ({ label, size, region, tags })))).toEqual(
      new Set([
        { label: 'logs', size: 20, region: 'us-east', tags: ['web'] },
        { label: 'pgdata', size: 60, region: 'us-east', tags: ['db', 'web', 'protected'] },
      ]),
    )
    expect((await skyctl(`plan ${files} --exit-code`)).stdout).toBe('No changes; 3 unchanged\n')
    const together = file(
      'all.yaml',
      base.replace('size: 40', 'size: 60\n    protect: true') + prod.split('\n').slice(4).join('\n'),
    )
    expect((await skyctl(`plan ${together} --exit-code`)).stdout).toBe('No changes; 3 unchanged\n')
  })

  test('have one plan with plan, apply, a saved plan and stdin among the files', async ({ skyctl, file, home }) => {
    const [first, second] = [file('base.yaml', base), file('prod.yaml', prod)]
    const { stdout } = await skyctl(`plan ${first} ${second} --out ${home}/plan.json`)
    expect(stdout).toContain('60 GiB, in us-east, tags db, web, protected')
    expect((await skyctl(`apply ${first} ${second} --dry-run`)).stdout).toBe(stdout)
    expect((await skyctl(`apply ${home}/plan.json --dry-run`)).stdout).toBe(stdout)
    expect((await skyctl(`plan - ${second}`, { stdin: base })).stdout).toBe(stdout)
    const { stdout: other } = await skyctl(`plan ${first} - ${second}`, {
      stdin: 'volumes: { pgdata: { tags: [big] } }',
    })
    expect(other).toBe(stdout.replace('tags db, web', 'tags big, web'))
  })

  test('have the lines of each key printed with -v only', async ({ skyctl, file, home }) => {
    const files = `${file('base.yaml', base)} ${file('prod.yaml', prod)}`
    for (const command of [`plan ${files}`, `apply ${files} --dry-run`]) {
      expect((await skyctl(command)).stderr).toBe('')
      const { stderr } = await skyctl(`${command} -v`)
      expect(stderr.replaceAll(`${home}/`, '').split('\n')).toContain(refinement(''))
    }
    const notes = (await skyctl(`plan ${files} -v --json`)).stderr.trim().split('\n')
    expect(notes.map((line) => JSON.parse(line))).toContainEqual({ note: { message: refinement(`${home}/`) } })
  })

  test('are rejected with the line of the value that the account cannot match', async ({
    skyctl,
    file,
    world,
    problems,
  }) => {
    world.volume({ label: 'pgdata', size: 50, region: 'us-east' })
    const first = file('base.yaml', base)
    const refused = async (text: string) => problems((await skyctl(`plan ${first} ${file('prod.yaml', text)}`)).stderr)
    expect(await refused('volumes:\n  pgdata:\n    region: eu-west')).toEqual([
      'prod.yaml:3: volumes.pgdata.region: It is in us-east, and a volume cannot be moved',
    ])
    expect(await refused('volumes:\n  pgdata: { tags: [] }')).toEqual([
      'base.yaml:5: volumes.pgdata.size: It has 50 GiB, and a volume cannot shrink',
    ])
    expect(await refused('volumes:\n  pgdata:\n    size: 50\n    compute_id: nobody')).toEqual([
      expect.stringMatching(/^prod\.yaml:4: volumes\.pgdata\.compute_id: /),
    ])
  })

  test('are rejected in one folder, but accepted in nested folders', async ({
    skyctl,
    file,
    home,
    world,
    problems,
  }) => {
    file('flat/base.yaml', base)
    file('flat/prod.yaml', prod)
    const { exit, stderr } = await skyctl(`apply ${home}/flat --yes`)
    expect({ exit, problems: problems(stderr) }).toEqual({
      exit: 2,
      problems: ['flat/prod.yaml:2: volumes.pgdata: is already in flat/base.yaml:4'],
    })
    const files = 'flat/base.yaml flat/prod.yaml'
    expect(stderr.replaceAll(`${home}/`, '')).toContain(`refines the other, name them in order: skyctl plan ${files}\n`)
    expect(world.requests()).toEqual([])
    file('deep/account.yaml', base)
    file('deep/prod/account.yaml', prod)
    expect((await skyctl(`plan ${home}/deep`)).stdout).toContain('60 GiB, in us-east')
    file('deep/staging/account.yaml', 'volumes:\n  pgdata: { size: 20 }')
    expect(problems((await skyctl(`plan ${home}/deep`)).stderr)).toEqual([
      'deep/staging/account.yaml:2: volumes.pgdata: is already in deep/prod/account.yaml:2',
    ])
    expect((await skyctl(`plan ${home}/deep`)).stderr).toContain(`plan ${home}/deep/prod/ ${home}/deep/staging/\n`)
  })

  test('keep the resources that either of them names when apply prunes', async ({ skyctl, file, world }) => {
    for (const label of ['pgdata', 'logs', 'mine', 'gone']) world.volume({ label, tags: ['web'] })
    const files = `${file('base.yaml', base)} ${file('prod.yaml', 'volumes: { mine: {}, pgdata: { size: 60 } }')}`
    const { stdout } = await skyctl(`plan ${files} --prune`)
    expect(stdout.match(/^- .*/gm)).toEqual([expect.stringContaining('volume "gone"')])
  })
})

const officeAt = (office: string) => `networks: { office: ${office} }
rules: { ssh: [{ action: accept, protocol: tcp, ports: 22, from: office, label: ssh }] }
firewalls:
  team-a:
    rules:
      inbound_policy: drop
      outbound_policy: accept
      outbound: []
      inbound: [{ use: ssh }, { action: accept, protocol: tcp, ports: 443, from: office, label: https }]
  team-b:
    rules: { inbound_policy: drop, outbound_policy: accept, inbound: [{ use: ssh }], outbound: [] }
`

test('a plan shows a changed network once, and its JSON has all addresses', async ({ skyctl, file }) => {
  const path = file('a.yaml', officeAt('192.0.2.1'))
  expect(await skyctl(`apply ${path} --yes`)).toMatchObject({ exit: 0 })
  file('a.yaml', officeAt('192.0.2.2'))
  const { stdout } = await skyctl(`plan ${path}`)
  expect(stdout).toBe(`network "office": +192.0.2.2/32 -192.0.2.1/32 (2 firewalls, 3 rules)
~ firewall "team-a" (${/"team-a" \((\d+)\)/.exec(stdout)?.[1]})
    changed  inbound 1, inbound 2: with network "office"
~ firewall "team-b" (${/"team-b" \((\d+)\)/.exec(stdout)?.[1]})
    changed  inbound 1: with network "office"
2 to update; 0 unchanged
`)
  const data = await skyctl(`plan ${path} --json`)
  const expanded = file('b.yaml', officeAt('192.0.2.2').replaceAll('from: office', 'addresses: 192.0.2.2'))
  const named = JSON.parse(data.stdout)
  const plain = JSON.parse((await skyctl(`plan ${expanded} --json`)).stdout.replaceAll(expanded, path))
  expect({ ...named, networks: [] }).toEqual(plain)
  expect(named.networks).toEqual([
    { name: 'office', added: ['192.0.2.2/32'], removed: ['192.0.2.1/32'], firewalls: 2, rules: 3 },
  ])
  const applied = await skyctl(`apply ${path} --yes`)
  expect(applied).toMatchObject({ exit: 0, stderr: expect.stringContaining('network "office": +192.0.2.2/32') })
  expect(await skyctl(`plan ${path} --exit-code`)).toMatchObject({ exit: 0 })
})
