/** Outputs of an apply for the next step of a job: id and result of each object (state.md, For teams). */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test } from '../support/account-files'
import { schemaFaults } from '../support/strict-schemas'
import { volumePath } from './volume-path'

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

const text = `owner: team
volumes:
  zeta: { region: us-east }
  data-2: {}
  files: { was: data-1 }
firewalls: { web: {} }
`

describe('apply --outputs', () => {
  test('writes the same as --json prints, with the id of every object, changed or not', async ({
    skyctl,
    file,
    home,
    world,
  }) => {
    const old = world.volume({ label: 'old', tags: ['team'] })
    const out = join(home, 'out.json')
    const { exit, stdout } = await skyctl(`apply ${file('a.yaml', text)} --prune --yes --json --outputs ${out}`)
    expect({ exit, written: read(out) }).toEqual({ exit: 0, written: JSON.parse(stdout) })
    expect(schemaFaults('apply', read(out))).toBeUndefined()
    const zetaId = world.volumes.all().find(({ label }) => label === 'zeta')?.id
    expect(read(out).objects).toEqual([
      { kind: 'volumes', name: 'data-2', id: 3002, action: 'none', ok: true, ...volumePath('data-2') },
      { kind: 'volumes', name: 'files', id: 3001, action: 'update', ok: true, ...volumePath('files') },
      { kind: 'volumes', name: 'old', id: old.id, action: 'delete', ok: true, ...volumePath('old') },
      { kind: 'volumes', name: 'zeta', id: zetaId, action: 'create', ok: true, ...volumePath('zeta') },
      { kind: 'firewalls', name: 'web', id: 4001, action: 'none', ok: true },
    ])
    expect(statSync(out).mode & 0o777).toBe(0o600)
  })

  test('writes the file again in every run, even without changes', async ({ skyctl, file, home }) => {
    const [path, out] = [file('a.yaml', text), file('out.json', '')]
    expect(await skyctl(`apply ${path} --yes --outputs ${out}`)).toMatchObject({ exit: 0, stdout: '' })
    const ids = (all: { name: string; id: number }[]) => all.map(({ name, id }) => [name, id])
    const first = read(out)
    expect(await skyctl(`apply ${path} --yes --outputs ${out}`)).toMatchObject({ exit: 0 })
    const { changed, actions, objects } = read(out)
    expect({ changed, actions, ids: ids(objects) }).toEqual({ changed: false, actions: [], ids: ids(first.objects) })
    expect(objects.map(({ action, ok }: Record<string, unknown>) => [action, ok])).toEqual(
      objects.map(() => ['none', true]),
    )
    await skyctl(`plan ${path} --out ${home}/plan.json`)
    expect(await skyctl(`apply ${home}/plan.json --yes --outputs ${out} --json`)).toMatchObject({ exit: 0 })
    expect(ids(read(out).objects)).toEqual(ids(first.objects))
  })

  test('writes created, failed and unchanged objects after a failure', async ({ skyctl, file, home, world }) => {
    // An instance with 1 GB fits one volume (api.md, Limits).
    world.volume({ label: 'full', compute_id: 1004 })
    const volumes =
      'volumes:\n  moved: { region: us-east, compute_id: 1004 }\n  made: { region: us-east }\n  data-1: {}\n'
    const out = join(home, 'out.json')
    const { exit } = await skyctl(`apply ${file('a.yaml', volumes)} --yes --outputs ${out}`)
    const createdId = world.volumes.all().find(({ label }) => label === 'made')?.id
    expect({ exit, objects: read(out).objects }).toEqual({
      exit: 9,
      objects: [
        expect.objectContaining({ name: 'data-1', id: 3001, action: 'none', ok: true }),
        expect.objectContaining({ name: 'made', id: createdId, action: 'create', ok: true }),
        { kind: 'volumes', name: 'moved', id: null, action: 'create', ok: false, filesystem_path: null },
      ],
    })
    expect(schemaFaults('apply', read(out))).toBeUndefined()
  })

  test('names an object that was created before its wait timed out', async ({ skyctl, file, home, world }) => {
    const out = join(home, 'out.json')
    const path = file('a.yaml', 'volumes:\n  late: { size: 20, region: us-east }\n')
    const { exit, stdout, stderr } = await skyctl(`apply ${path} --yes --json --wait-timeout 0s --outputs ${out}`)
    expect(JSON.parse(stderr).error.code).toBe('wait_timed_out')
    const late = world.volumes.all().find(({ label }) => label === 'late')?.id
    const expected = { name: 'late', id: late, action: 'create', ok: false }
    expect({ exit, actions: JSON.parse(stdout).actions, objects: read(out).objects }).toMatchObject({
      exit: 10,
      actions: [expected],
      objects: [expected],
    })
    expect(late).toBeTypeOf('number')
  })

  test.for([
    ['an account file', 'volumes: { data-1: {} }'],
    ['other JSON', '{"objects": []}'],
    ['a saved plan', undefined],
  ] as const)(
    'never replaces %s, not even with --force, and sends nothing',
    async ([, other], { skyctl, file, home, world }) => {
      const path = file('a.yaml', text)
      const out = join(home, 'other')
      if (other === undefined) await skyctl(`plan ${path} --out ${out}`)
      else writeFileSync(out, other)
      const [before, sent] = [readFileSync(out, 'utf8'), world.requests().length]
      for (const flags of ['', '--force']) {
        expect(await skyctl(`apply ${path} --yes --outputs ${out} ${flags}`)).toEqual({
          exit: 12,
          stdout: '',
          stderr: `skyctl: "${out}" already exists and does not hold the outputs of an apply. Name another file\n`,
        })
      }
      expect({ text: readFileSync(out, 'utf8'), sent: world.requests().length }).toEqual({ text: before, sent })
    },
  )

  test('replaces outputs that are larger than the limit for secrets', async ({ skyctl, file, home }) => {
    const out = join(home, 'out.json')
    writeFileSync(out, JSON.stringify({ changed: true, objects: [{ name: 'x'.repeat(100_000) }] }))
    expect(await skyctl(`apply ${file('a.yaml', text)} --yes --outputs ${out}`)).toMatchObject({ exit: 0 })
    expect(read(out).objects).toHaveLength(4)
  })

  test.for([
    ['apply', '--yes --outputs', 'team/x.json'],
    ['apply', '--yes --outputs', 'team/deep/x.yaml'],
    ['plan', '--out', 'team/plan.json'],
  ] as const)(
    'and plan --out write no file that the folder would hold: %s %s %s',
    async ([command, flags, name], { skyctl, file, home, world }) => {
      file('team/deep/a.yaml', text)
      const path = join(home, name)
      const { exit, stderr } = await skyctl(`${command} ${home}/team ${flags} ${path}`)
      expect({ exit, stderr }).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining(`"${path}" is in "${home}/team", and would be read as an account file`),
      })
      expect([existsSync(path), world.requests()]).toEqual([false, []])
      const beside = join(home, 'team', 'deep', '.x.json')
      expect(await skyctl(`${command} ${home}/team/deep/a.yaml ${flags} ${path}`)).toMatchObject({ exit: 0 })
      expect(await skyctl(`${command} ${home}/team/deep/a.yaml ${flags} ${beside}`)).toMatchObject({ exit: 0 })
    },
  )

  test('writes no file for a dry run or a rejected plan', async ({ skyctl, file, home, world }) => {
    const out = join(home, 'out.json')
    const path = file('a.yaml', text)
    expect(await skyctl(`apply ${path} --dry-run --outputs ${out}`)).toEqual({
      exit: 2,
      stdout: '',
      stderr: 'skyctl: --outputs: a dry run has none\n',
    })
    expect(world.requests()).toEqual([])
    writeFileSync(out, '{"changed": false, "objects": []}')
    const smaller = file('b.yaml', 'volumes: { data-1: { size: 1 } }')
    expect(await skyctl(`apply ${smaller} --yes --outputs ${out}`)).toMatchObject({ exit: 6 })
    expect(read(out)).toEqual({ changed: false, objects: [] })
  })
})
