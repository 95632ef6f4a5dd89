/** Folders of account files (state.md): "a folder: by name, sub-folders after files". */
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test } from './support/account-files'

const invalid = 'volumes:\n  x: { size: 0 }'
const labels = (world: { volumes: { all(): { label: string }[] } }) => world.volumes.all().map(({ label }) => label)

describe('a folder of account files', () => {
  test('keeps what a sub-folder names when apply prunes', async ({ skyctl, file, home, world }) => {
    for (const label of ['a', 'b', 'c', 'd']) world.volume({ label, tags: ['team'] })
    file('account/a.yaml', 'owner: team\nvolumes: { a: {} }')
    file('account/prod/b.yml', 'volumes: { b: {} }')
    file('account/prod/eu/west/c.json', '{"volumes": {"c": {}}}')
    const { exit, stdout } = await skyctl(`plan ${home}/account --prune`)
    expect({ exit, removed: stdout.match(/volume "."/g) }).toEqual({ exit: 0, removed: ['volume "d"'] })
    expect((await skyctl(`apply ${home}/account --prune --yes`)).exit).toBe(0)
    expect(labels(world).filter((label) => label.length === 1)).toEqual(['a', 'b', 'c'])
  })

  test('has its own files first, then those of its sub-folders, each by name', async ({
    skyctl,
    file,
    home,
    problems,
  }) => {
    for (const [at, name] of ['z.yaml', 'b/2.yaml', 'a.yaml', 'b/10.yaml', 'b/0/x.json', 'a/z.YML'].entries())
      file(`all/${name}`, `{"volumes": {"v${at}": {"size": 0}}}`)
    const { exit, stderr } = await skyctl(`plan ${home}/all`)
    const names = problems(stderr).map((line) => line.split(':')[0])
    const order = ['a.yaml', 'z.yaml', 'a/z.YML', 'b/10.yaml', 'b/2.yaml', 'b/0/x.json']
    expect({ exit, names: [...new Set(names)] }).toEqual({ exit: 2, names: order.map((name) => `all/${name}`) })
  })

  test('may hold the schema of its files, which is no account file itself', async ({
    skyctl,
    file,
    home,
    problems,
  }) => {
    file('all/a.yaml', 'volumes: { data-1: {} }')
    const schema = file('all/account.schema.json', (await skyctl('export --schema')).stdout)
    expect(await skyctl(`plan ${home}/all`)).toMatchObject({ exit: 0, stdout: 'No changes; 1 unchanged\n', stderr: '' })
    expect((await skyctl(`plan ${home}/all -v`)).stderr).toContain(
      `skipped: "${schema}" is the JSON Schema of account files\n`,
    )
    const named = await skyctl(`plan ${schema}`)
    expect({ exit: named.exit, problems: problems(named.stderr) }).toEqual({
      exit: 2,
      problems: [
        'all/account.schema.json: it is a JSON Schema, with which editors check account files, and no account file',
      ],
    })
  })

  test('says with -v what it skips, and nothing otherwise', async ({ skyctl, file, home }) => {
    file('all/sub/a.yaml', 'volumes: {}')
    for (const name of ['README.md', '.hidden.yaml', '.git/config.yaml', 'sub/a.yaml.bak']) file(`all/${name}`, invalid)
    const quiet = await skyctl(`plan ${home}/all`)
    expect(quiet).toMatchObject({ exit: 0, stderr: '' })
    const { stderr } = await skyctl(`plan ${home}/all -v`)
    expect(
      stderr
        .replaceAll(`${home}/`, '')
        .split('\n')
        .filter((line) => line.startsWith('skipped')),
    ).toEqual([
      'skipped: "all/.git" is hidden: its name begins with a dot',
      'skipped: "all/.hidden.yaml" is hidden: its name begins with a dot',
      'skipped: "all/README.md" is not a .yaml, .yml or .json file',
      'skipped: "all/sub/a.yaml.bak" is not a .yaml, .yml or .json file',
    ])
    const notes = (await skyctl(`plan ${home}/all -v --json`)).stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(notes).toContainEqual({
      note: { message: `skipped: "${home}/all/README.md" is not a .yaml, .yml or .json file` },
    })
  })

  test('with files in its sub-folders alone is one', async ({ skyctl, file, home }) => {
    file('all/sub/a.yaml', 'volumes: { data-1: {} }')
    mkdirSync(join(home, 'all/empty'))
    expect(await skyctl(`plan ${home}/all`)).toMatchObject({ exit: 0, stdout: 'No changes; 1 unchanged\n' })
  })

  test('is read once, however many links and arguments lead to it', async ({ skyctl, file, home }) => {
    file('all/sub/a.yaml', 'volumes: { data-1: {} }')
    file('elsewhere/b.yaml', 'volumes: { data-2: {} }')
    symlinkSync('..', join(home, 'all/sub/loop'))
    symlinkSync('sub', join(home, 'all/z'))
    symlinkSync('../elsewhere', join(home, 'all/linked'))
    for (const words of ['all', 'all all', 'all/sub all', 'all all/sub/', './all/../all']) {
      const paths = words.split(' ').map((word) => `${home}/${word}`)
      const { exit, stdout } = await skyctl(`plan ${paths.join(' ')}`)
      expect({ words, exit, stdout }).toEqual({ words, exit: 0, stdout: 'No changes; 2 unchanged\n' })
    }
    const { stderr } = await skyctl(`plan ${home}/all -v`)
    expect(stderr.replaceAll(`${home}/`, '')).toContain(
      'skipped: "all/sub/loop" is the folder "all", which is already read\n',
    )
  })

  test.for<[what: string, target: string, reason: string]>([
    ['leads nowhere', 'gone', 'no such file'],
    ['leads to itself', 'link', 'ELOOP'],
  ])(
    'is refused where a link in it %s: that may have been a folder',
    async ([, target, reason], { skyctl, file, home, world }) => {
      file('all/a.yaml', 'owner: team\nvolumes: {}')
      symlinkSync(target, join(home, 'all/link'))
      world.volume({ label: 'b', tags: ['team'] })
      const { exit, stderr } = await skyctl(`apply ${home}/all --prune --yes`)
      expect({ exit, stderr }).toEqual({ exit: 12, stderr: `skyctl: cannot read "${home}/all/link": ${reason}\n` })
      expect(world.requests()).toEqual([])
    },
  )

  test('is refused where a link leads to half the machine', async ({ skyctl, file, home, world }) => {
    file('all/a.yaml', 'volumes: {}')
    for (let index = 0; index < 1000; index += 1) mkdirSync(join(home, `many/${index}`), { recursive: true })
    symlinkSync('../many', join(home, 'all/many'))
    const { exit, stderr } = await skyctl(`plan ${home}/all`)
    expect({ exit, stderr }).toEqual({ exit: 12, stderr: expect.stringContaining('over 1000 folders') })
    expect(world.requests()).toEqual([])
  })
})
