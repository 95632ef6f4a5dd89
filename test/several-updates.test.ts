/** Updates, resizes and attachments of several objects that a line names: all or none is found, and a label is for one. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { type Fixtures, test } from './support/skyctl'

const json = (text: string) => JSON.parse(text)

type World = Fixtures['world']

const tagsOf = (world: World, ...labels: string[]) =>
  labels.map((label) => world.volumes.all().find((volume) => volume.label === label)?.tags)

const changes = (world: World) => world.requests().filter(({ method }) => method !== 'GET')

describe('volumes update', () => {
  test('changes each of several volumes, and prints a record for each', async ({ skyctl, world }) => {
    const ids = ['a', 'b', 'c'].map((label) => world.volume({ label, tags: [label] }).id)
    const { exit, stdout, stderr } = await skyctl(`volumes update a ${ids[1]} c --add-tag prod --json`)
    expect({ exit, records: json(stdout) }).toEqual({
      exit: 0,
      records: ['a', 'b', 'c'].map((label, place) =>
        expect.objectContaining({ id: ids[place], label, ok: true, tags: [label, 'prod'] }),
      ),
    })
    expect(stderr).toBe('')
    const { stderr: summary } = await skyctl('volumes update a b c --add-tag prod')
    expect(summary).toMatch(/\nnone updated: 3 unchanged\n$/)
  })

  test('prints one object for one volume', async ({ skyctl, world }) => {
    world.volume({ label: 'a', tags: [] })
    const { stdout } = await skyctl('volumes update a --add-tag prod --json')
    expect(json(stdout)).toMatchObject({ label: 'a', tags: ['prod'] })
    expect(json(stdout)).not.toHaveProperty('ok')
  })

  test.for([
    ['volumes update a b --label new', ''],
    ['volumes update - --label new', 'a\nb\n'],
    ['volumes update a - --label new --json', 'b\n'],
    ['firewalls update web spare --label new-one', ''],
  ])('gives no label to several: %s', async ([line = '', stdin], { skyctl, world }) => {
    for (const label of ['a', 'b']) world.volume({ label })
    const { exit, stdout, stderr } = await skyctl(line, { stdin })
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
    expect(stderr).toMatch(/2 (volumes|firewalls) would get the same label: \\?"new/)
    expect(stderr).toMatch(/Name one (volume|firewall)/)
    expect(world.requests()).toEqual([])
  })

  test.for([
    ['--context prod', "skyctl --context prod volumes update a --label 'my vol'"],
    ['', "skyctl volumes update a --label 'my vol'"],
  ])('proposes to quote a label of two words: %s', async ([before, proposed], { skyctl, world }) => {
    for (const label of ['a', 'vol']) world.volume({ label })
    // No context is read for a wrong line.
    const { exit, stderr } = await skyctl(`${before} volumes update a --label my vol`.trim())
    expect({ exit, stderr }).toEqual({
      exit: 2,
      stderr: `skyctl: 2 volumes would get the same label: "my". Quote the value: --label 'my vol'. Try: ${proposed}\n`,
    })
    expect(world.requests()).toEqual([])
  })

  test.for([
    ['--tag x unknown', 'volume "unknown" not found', '--tag', 'x,unknown'],
    ['--add-tag x unknown', 'volume "unknown" not found', '--add-tag', 'x,unknown'],
    ['--add-tag x dat', 'volume "dat" not found. Did you mean "data"?', '--add-tag', 'x,dat'],
    ['--add-tag 7 77', 'volume 77 not found', '--add-tag', '7,77'],
  ])(
    'changes nothing if the second of two tags is no volume: %s',
    async ([flags, message = '', flag, list = ''], { skyctl, world }) => {
      world.volumes.all().map(({ id }) => world.volumes.delete(id))
      world.volume({ label: 'data', tags: ['kept'] })
      const { exit, stderr } = await skyctl(`volumes update data ${flags}`)
      const text = `${flag} '${list.replace(',', ' ')}'`
      const hint = `Quote the value: ${text}. For several: ${flag} ${list}. Try: skyctl volumes update data ${flag} ${list}`
      const first = `skyctl: ${message}${message.endsWith('?') ? '' : '.'} ${hint}`
      expect({ exit, stderr }).toEqual({ exit: 9, stderr: `${first}\n0 of 2 updated, 1 not tried\n` })
      expect({ tags: tagsOf(world, 'data'), changes: changes(world) }).toEqual({ tags: [['kept']], changes: [] })
    },
  )

  test.for([
    ['a b', 'nothing to change'],
    ['a b c', 'nothing to change'],
    ['a b --tag x --add-tag y', '--add-tag and --remove-tag cannot be used with --tag'],
  ])('finds a wrong line before anything is looked up: %s', async ([words, message], { skyctl, world }) => {
    const { exit, stderr } = await skyctl(`volumes update ${words}`)
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining(`skyctl: ${message}`) })
    expect(world.requests()).toEqual([])
  })

  test('looks ten labels up in one list', async ({ skyctl, world }) => {
    const labels = Array.from({ length: 10 }, (_, index) => `many-${index}`)
    for (const label of labels) world.volume({ label, tags: [] })
    expect((await skyctl(`volumes update ${labels.join(' ')} --tag prod`)).exit).toBe(0)
    expect(tagsOf(world, ...labels)).toEqual(labels.map(() => ['prod']))
    const reads = world.requests('GET').map(({ path }) => path)
    expect({ reads, writes: changes(world).length }).toEqual({ reads: ['/volumes?page_size=500&page=1'], writes: 10 })
  })

  test('continues with a journal', async ({ skyctl, world, home }) => {
    const ids = ['a', 'b'].map((label) => world.volume({ label, tags: [] }).id)
    const file = join(home, 'done.ndjson')
    const line = 'volumes update a b --tag prod --concurrency 1'
    expect((await skyctl(`${line} --journal ${file}`)).exit).toBe(0)
    // As if the process had been killed before the second volume.
    const [header, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
    writeFileSync(file, [header, ...lines.filter((one) => json(one).target === 1)].map((one) => `${one}\n`).join(''))
    const { exit, stdout } = await skyctl(`${line} --resume ${file} --json`)
    expect({ exit, labels: json(stdout).map(({ label }: { label: string }) => label) }).toEqual({
      exit: 0,
      labels: ['a', 'b'],
    })
    const [a, b] = ids.map((id) => `/volumes/${id}`)
    expect(world.requests('PUT').map(({ path }) => path)).toEqual([a, b, b])
  })
})

describe('volumes resize', () => {
  test('grows each, and leaves one that would shrink', async ({ skyctl, world }) => {
    const [a, b, c] = [20, 90, 30].map((size, place) => world.volume({ label: 'abc'.charAt(place), size }).id)
    const { exit, stdout, stderr } = await skyctl('volumes resize a b c --size 40 --json')
    expect(exit).toBe(9)
    expect(json(stdout)).toMatchObject([
      { id: a, size: 40, ok: true },
      { id: b, ok: false, error: { code: 'conflict', message: expect.stringContaining('cannot shrink') } },
      { id: c, size: 40, ok: true },
    ])
    expect(json(stderr.trimEnd().split('\n').at(-1) ?? '').error.message).toContain('2 of 3 resized')
    expect([a, b, c].map((id) => world.volumes.get(Number(id))?.size)).toEqual([40, 90, 40])
  })

  test('without --size takes a last number for it, also if a volume has this id', async ({ skyctl, world }) => {
    const { id } = world.volume({ label: 'a', size: 20 })
    const other = world.volume({ label: 'b', size: 20 })
    expect(await skyctl(`volumes resize a ${other.id}`)).toEqual({
      exit: 2,
      stdout: '',
      stderr: `skyctl: --size is required. Did you mean --size ${other.id}? Try: skyctl volumes resize a --size ${other.id}\n`,
    })
    const { stderr } = await skyctl('volumes resize a b')
    expect(stderr).toBe('skyctl: --size is required. For example: skyctl volumes resize a b --size 80 --wait\n')
    expect([world.volumes.get(id)?.size, changes(world)]).toEqual([20, []])
  })
})

describe('volumes attach', () => {
  test('attaches those of the region of the instance', async ({ skyctl, world }) => {
    const volumes = ['us-east', 'eu-west', 'us-east'].map((region, place) => {
      const label = `v-${place}`
      return world.volume({ label, region }).id
    })
    const { exit, stdout, stderr } = await skyctl('volumes attach v-0 v-1 v-2 --compute-id web-1 --wait --json')
    expect(exit).toBe(9)
    expect(json(stdout)).toMatchObject([
      { id: volumes[0], compute_id: 1001, ok: true },
      {
        id: volumes[1],
        ok: false,
        error: {
          code: 'conflict',
          errors: [{ field: 'compute_id', reason: 'The volume is in eu-west, the compute instance in us-east' }],
        },
      },
      { id: volumes[2], compute_id: 1001, ok: true },
    ])
    expect(json(stderr.trimEnd().split('\n').at(-1) ?? '').error.message).toContain('2 of 3 attached')
    expect(volumes.map((id) => world.volumes.get(id)?.compute_id)).toEqual([1001, null, 1001])
  })
})

describe('firewalls update', () => {
  test('asks one question about all that it disables', async ({ skyctl, world }) => {
    const statuses = () =>
      ['web', 'legacy'].map((label) => world.network.firewalls.all().find((one) => one.label === label)?.status)
    const line = 'firewalls update web legacy --status disabled'
    const { exit, stderr } = await skyctl(line)
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining('Disable "web", "legacy"?') })
    expect(changes(world)).toEqual([])
    expect((await skyctl(`${line} --yes`)).exit).toBe(0)
    expect(statuses()).toEqual(['disabled', 'disabled'])
  })

  test('disables none that is protected, without --force', async ({ skyctl, world }) => {
    expect((await skyctl('firewalls update web legacy --add-tag protected')).exit).toBe(0)
    const { exit, stderr } = await skyctl('firewalls update web legacy --status disabled --yes')
    expect({ exit, stderr }).toEqual({ exit: 9, stderr: expect.stringMatching(/protected.*\n0 of 2 updated\n$/s) })
    expect(world.requests('PUT').length).toBe(2)
    expect((await skyctl('firewalls update web legacy --status disabled --yes --force')).exit).toBe(0)
  })
})
