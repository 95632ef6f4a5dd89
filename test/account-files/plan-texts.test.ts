/** Plans as text: their order, their folded changes, the summary of long ones, and Markdown for a pull request. */
import { stripVTControlCharacters } from 'node:util'
import { describe, expect } from 'vitest'
import type { Plan, PlannedObject } from '../../src/account-file/plan'
import type { Consequence } from '../../src/account-file/plan-step'
import { planReport } from '../../src/commands/account-file/plan-report'
import { screenOf } from '../../src/commands/account-file/plan-screen'
import { markdownOf, mostCharacters } from '../../src/commands/account-file/report-markdown'
import { test } from '../support/account-files'
import fc, { runs } from '../support/fast-check'
import { readBlocks, readMarkdown } from '../support/plan-texts'

const lines = (text: string) => text.trimEnd().split('\n')

/** Most severe first, without the least severe kind. */
const severeKinds = ['destroys', 'unprotects', 'cuts off', 'opens', 'starts billing'] as const

interface Volume {
  name: string
  action: PlannedObject['action']
  change: string
  kinds: readonly Consequence['kind'][]
}

const planned = ({ name, action, change, kinds }: Volume, index: number): PlannedObject => ({
  kind: 'volumes',
  noun: 'volume',
  name,
  id: action === 'create' ? undefined : 3000 + index,
  before: () => null,
  after: () => null,
  action,
  steps: [
    {
      action,
      does: 'volumes update',
      target: [],
      changes: [change],
      consequences: kinds.map((kind) => ({ kind, text: 'something' })),
    },
  ],
})

const planOf = (volumes: readonly Volume[]): Plan => ({
  ...{ objects: volumes.map(planned), unchanged: [] },
  ...{ same: 0, notes: [], left: [] },
})

const name = fc.oneof(
  fc
    .tuple(fc.constantFrom('data-', 'a1b', '0', ''), fc.nat(30), fc.constantFrom('', '-x', '"'))
    .map((parts) => parts.join('')),
  fc.integer({ min: 7, max: 12 }).map((number) => `web-${String(number).padStart(2, '0')}`),
  fc.constantFrom(
    'plain',
    'a" … "c',
    'a ... b',
    '```',
    '<b>@octocat</b>',
    '|',
    'two\nlines',
    '999999999',
    '1000000000',
  ),
)
const anyVolume: fc.Arbitrary<Volume> = fc.record({
  name,
  action: fc.constantFrom('create', 'update', 'delete'),
  change: fc.constantFrom('size: 1 -> 2', 'other'),
  kinds: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    fc.subarray([...severeKinds, 'still allowed' as const], { maxLength: 2 }),
  ),
})

/** Gives each deletion the consequence "destroys". */
const volume = anyVolume.map(({ kinds, ...one }): Volume => {
  const others = kinds.filter((kind) => kind !== 'destroys')
  return { ...one, kinds: one.action === 'delete' ? ['destroys', ...others] : kinds }
})

const rankOf = ({ kinds }: Volume) =>
  severeKinds.flatMap((kind, rank) => (kinds.includes(kind) ? [rank] : []))[0] ?? severeKinds.length
const marks = { create: '+', update: '~', delete: '-' }
const shown = (text: string) => text.replaceAll('\n', String.raw`\n`)
const keyOf = (mark: string, label: string, change: string, warnings: readonly string[]) =>
  JSON.stringify([mark, label, [change, ...warnings.map((kind) => `${kind}: something`)]])

describe('a folded plan', () => {
  test('names exactly the planned objects, each with its own changes, the most severe first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(volume, { maxLength: 60 }), fc.boolean(), async (volumes, ascii) => {
        const blocks = readBlocks(await screenOf(planOf(volumes), { width: 0, color: false, ascii }))
        const read = blocks.flatMap(({ mark, names, lines: below }) =>
          names.map((one) => JSON.stringify([mark, one, below.map((line) => line.replace(/ \(each\)$/, ''))])),
        )
        const expected = volumes.map((one) => keyOf(marks[one.action], shown(one.name), one.change, one.kinds))
        expect(read.toSorted()).toEqual(expected.toSorted())
        const ranks = new Map(
          volumes.map((one) => [keyOf(marks[one.action], shown(one.name), one.change, one.kinds), rankOf(one)]),
        )
        const order = read.map((key) => ranks.get(key) ?? -1)
        expect(order).toEqual(order.toSorted((one, other) => one - other))
      }),
      { numRuns: runs(150) },
    )
  })

  test('has a block for each object with --full, and for each of up to three equal ones', async () => {
    const equal = (count: number) =>
      planOf(
        Array.from({ length: count }, (_, index) => ({ name: `d-${index}`, action: 'create', change: 'x', kinds: [] })),
      )
    const titles = async (count: number, full: boolean) =>
      lines(await screenOf(equal(count), { width: 0, color: false, full })).filter((line) => line.startsWith('+'))
    expect(await titles(3, false)).toEqual(['+ volume "d-0"', '+ volume "d-1"', '+ volume "d-2"'])
    expect(await titles(4, false)).toEqual(['+ 4 volumes "d-0" … "d-3"'])
    expect(await titles(4, true)).toHaveLength(4)
  })
})

describe('a plan as Markdown', () => {
  const long = fc.record({
    volume,
    length: fc.oneof(fc.nat(100), fc.integer({ min: 100, max: 20_000 })),
    copies: fc.integer({ min: 1, max: 12 }),
  })

  test('fits a comment, shows the most severe changes, counts the others, and has names in code only', () => {
    fc.assert(
      fc.property(fc.array(long, { maxLength: 60, size: 'max' }), fc.boolean(), (parts, full) => {
        const volumes = parts.flatMap(({ volume: one, length, copies }, index) =>
          Array.from({ length: copies }, (_, copy) => {
            return { ...one, name: `${one.name}-${index}-${copy}`, change: `${index} ${'y'.repeat(length)}` }
          }),
        )
        const text = markdownOf(planReport(planOf(volumes), { full }))
        expect(text.length).toBeLessThanOrEqual(mostCharacters)
        const { code, outside } = readMarkdown(text)
        expect(outside).not.toMatch(/@|something|yyy|<(?!\/?(details|summary)>)/)
        const read = new Set(readBlocks(code).flatMap(({ names }) => names))
        const isShown = (one: Volume) => read.has(shown(one.name))
        const ranks = (some: readonly Volume[]) => some.map(rankOf)
        const cut = volumes.filter((one) => !isShown(one))
        expect(Math.max(...ranks(volumes.filter(isShown)))).toBeLessThanOrEqual(Math.min(...ranks(cut)))
        const [, rest = ''] = /Not shown: (.*)\.\*\*/.exec(outside) ?? []
        const counts = [...rest.matchAll(/(\d+) of "/g)].map(([, count]) => Number(count))
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(cut.length)
      }),
      { numRuns: runs(100) },
    )
  })

  test('has a summary and sections, the most severe first and long ones collapsed', async ({ skyctl, file, world }) => {
    // Volume 3002 looks like "v0", which would add a note.
    world.volumes.delete(3002)
    const old = world.volume({ label: 'old`|@x', size: 15, tags: ['team'] })
    const edge = world.network.firewall({ label: 'edge' })
    world.network.device(edge.id, 'compute', 1004)
    const many = Array.from({ length: 30 }, (_, index) => `  v${index * 2}: { size: ${20 + index}, region: us-east }\n`)
    const path = file('a.yaml', `owner: team\nfirewalls: { edge: { status: disabled } }\nvolumes:\n${many.join('')}`)
    const { exit, stdout } = await skyctl(`plan ${path} --prune -o markdown --exit-code`)
    expect(exit).toBe(13)
    expect(stdout).toContain(`**30 to create, 1 to update, 1 to delete; 0 unchanged**

**Destroys (1 volume)**

\`\`\`diff
- volume "old\`|@x" (${old.id})
    destroys: all of its data, for ever
    deleted, with 15 GiB
\`\`\`

**Unprotects (1 firewall)**

\`\`\`diff
! firewall "edge" (${edge.id})
    unprotects: compute 1004 is open to all traffic
    status: enabled -> disabled
\`\`\`

<details>
<summary>Starts billing (30 volumes, 1035 GiB)</summary>

\`\`\`diff
+ volume "v0"
    starts billing: 20 GiB, until it is deleted
`)
    expect(stdout.endsWith('```\n\n</details>\n')).toBe(true)
    const dry = await skyctl(`apply ${path} --prune --dry-run -o markdown`)
    expect(dry.stdout).toBe(stdout)
  })

  test('without changes is one line', async ({ skyctl, file }) => {
    const path = file('a.yaml', 'volumes: { data-1: {} }')
    expect((await skyctl(`plan ${path} -o markdown`)).stdout).toBe('**No changes; 1 unchanged**\n')
  })

  test('is rejected with flags of other formats, and by commands that print no plan', async ({
    skyctl,
    file,
    world,
  }) => {
    const path = file('a.yaml', 'volumes: { data-1: { size: 50 } }')
    const refusals: [string, string][] = [
      [`apply ${path} -o markdown --yes`, '--output markdown prints a plan, and apply prints one only with --dry-run'],
      [`plan ${path} -o markdown --columns name`, '--columns and --output markdown contradict each other'],
      [`plan ${path} -o markdown --json`, '--json and --output markdown contradict each other'],
      ['volumes list -o markdown', '--output: "markdown" is not one of'],
    ]
    for (const [line, message] of refusals)
      expect(await skyctl(line)).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringContaining(message) })
    expect(world.requests().every(({ method }) => method === 'GET')).toBe(true)
  })
})

describe('a long plan', () => {
  const many = Array.from({ length: 8 }, (_, index) => `  v${index}: { size: ${20 + index}, region: us-east }\n`).join(
    '',
  )

  test('begins and ends with its summary and its consequences', async ({ skyctl, file, world }) => {
    for (const label of ['old-1', 'old-2', 'old-3']) world.volume({ label, tags: ['team'] })
    const path = file('a.yaml', `owner: team\nvolumes:\n${many}`)
    const all = lines((await skyctl(`plan ${path} --prune`)).stdout)
    expect(all.slice(0, 4)).toEqual([
      '8 to create, 3 to delete; 0 unchanged',
      '  destroys: 3 volumes "old-1" ... "old-3"',
      '  starts billing: 8 volumes, 188 GiB',
      '',
    ])
    expect(all.slice(-2)).toEqual([
      '  destroys: 3 volumes; starts billing: 8 volumes, 188 GiB',
      '8 to create, 3 to delete; 0 unchanged',
    ])
    const prompt = await skyctl(`apply ${path} --prune --max-deletes 3`)
    expect(prompt.stderr).toContain(
      'skyctl: This plan destroys 3 resources and starts billing. Add --yes to apply it without a terminal\n',
    )
  })

  test.for([40, 80])('fits %d columns', async (columns, { skyctl, file }) => {
    const path = file('a.yaml', `volumes:\n${many}`)
    const { stdout } = await skyctl(`plan ${path} --color always`, { columns })
    expect(stdout).toContain('\u001b[')
    const all = lines(stripVTControlCharacters(stdout))
    expect(all.filter((line) => line.length > columns)).toEqual([])
    expect(all[0]).toBe('8 to create; 0 unchanged')
  })

  test.for([
    ['C', '...'],
    ['C.UTF-8', '…'],
  ] as const)('writes ranges with characters of the locale: %s', async ([LC_ALL, dots], { skyctl, file }) => {
    const equal = many.replaceAll(/size: \d+/g, 'size: 20')
    const path = file('a.yaml', `volumes:\n${equal}`)
    const { stdout } = await skyctl(`plan ${path}`, { env: { LC_ALL } })
    expect(lines(stdout)[0]).toBe(`+ 8 volumes "v0" ${dots} "v7"`)
    const markdown = await skyctl(`plan ${path} -o markdown`, { env: { LC_ALL } })
    expect(markdown.stdout).toContain('+ 8 volumes "v0" … "v7"')
  })

  test('folds resources that are in no file and stay', async ({ skyctl, file, world }) => {
    for (const label of ['a-1', 'a-2', 'a-3', 'a-4']) world.volume({ label, tags: ['team'] })
    const path = file('a.yaml', 'owner: team\nvolumes: { data-1: {} }')
    const note = '  4 volumes "a-1" ... "a-4" are in no file and stay; --prune deletes them'
    expect(lines((await skyctl(`plan ${path}`)).stdout)[0]).toBe(note)
    expect(lines((await skyctl(`plan ${path} --full`)).stdout)).toHaveLength(5)
  })
})
