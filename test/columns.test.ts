/** What is shown of records: names of fields that they have, checked by the compiler and, over all commands, here. */
import { describe, expect, expectTypeOf } from 'vitest'
import { fieldPaths } from '../src/catalogue/operation'
import { regions } from '../src/catalogue/regions'
import type { volumes } from '../src/catalogue/volumes'
import type { AnswerRecord, columns } from '../src/engine/columns'
import type { List } from '../src/engine/list'
import { type CommandNode, loadTree, withDescendants } from '../src/generate/tree'
import type { Column, FieldPath } from '../src/output/column'
import { program } from '../src/program'
import { type Fixtures, test } from './support/skyctl'

type Region = AnswerRecord<typeof regions.list>
type Specs = Parameters<typeof columns<typeof volumes.list>>[1]
type RegionPath = 'id' | 'label' | 'country' | 'capabilities' | 'status' | 'resolvers.ipv4' | 'resolvers.ipv6'

describe('the compiler', () => {
  test('knows the fields of an answer by their paths, as --columns does, and no others', () => {
    expectTypeOf<FieldPath<Region>>().toEqualTypeOf<RegionPath>()
    const paths: RegionPath[] = ['id', 'label', 'country', 'capabilities', 'status', 'resolvers.ipv4', 'resolvers.ipv6']
    expect(fieldPaths(regions.list)).toEqual(paths)
  })

  test('knows them in lists, in answers that may be absent, and where records are of several kinds', () => {
    expectTypeOf<FieldPath<AnswerRecord<typeof regions.regionAvailability>>>().toEqualTypeOf<
      'region' | 'plan' | 'available'
    >()
    expectTypeOf<FieldPath<{ one?: { two: string[] } | null; none: object }>>().toEqualTypeOf<'one.two' | 'none'>()
    expectTypeOf<FieldPath<{ kind: 'a'; a: number } | { kind: 'b'; b: number }>>().toEqualTypeOf<'kind'>()
  })

  test('refuses a misspelt column, one of other records, and a key that a list has not', () => {
    expectTypeOf<'label'>().toExtend<Specs[number]>()
    expectTypeOf<'lable'>().not.toExtend<Specs[number]>()
    expectTypeOf<'resolvers.ipv4'>().not.toExtend<Specs[number]>()
    expectTypeOf<Column<'lable'>>().not.toExtend<Specs[number]>()
    expectTypeOf<List<AnswerRecord<typeof volumes.list>>['columns']>().not.toExtend<List<Region>['columns']>()
    expectTypeOf<'plan'>().not.toExtend<List<Region>['key']>()
  })
})

const nodes = withDescendants(await loadTree(program))
const readers = nodes.filter(
  ({ words, command }) =>
    ['list', 'view'].includes(words.at(-1) ?? '') && command?.flags.some(({ name }) => name === 'columns'),
)

/** Names what the command needs, with the first of each that there is: its firewall, itself. */
async function line({ words, command }: CommandNode, skyctl: Fixtures['skyctl']): Promise<string> {
  const first = async (list: string) => (await skyctl(`${list} --quiet --limit 1`)).stdout.trim()
  const group = words.slice(0, -1).join(' ')
  const targets: string[] = []
  for (const { name } of command?.arguments ?? []) {
    const list = name === 'firewall' ? 'firewalls list' : [group, 'list', ...targets].join(' ')
    targets.push(await first(list))
  }
  return [...words, ...targets].join(' ')
}

describe('what a command shows are fields of its answer', () => {
  test.for(readers.map((node) => [node.words.join(' '), node] as const))('%s', async ([, node], { skyctl }) => {
    if (node.words[0] === 'history') await skyctl('volumes update data-2 --tag x')
    const typed = await line(node, skyctl)
    const [shown, all] = [await skyctl(`${typed} -o csv`), await skyctl(`${typed} -o csv --columns all`)]
    expect([shown, all]).toMatchObject([{ exit: 0 }, { exit: 0 }])
    const [names, known] = [shown, all].map(({ stdout }) => stdout.split('\n', 1)[0]?.split(',') ?? [])
    expect(names).not.toEqual([''])
    expect(known).toEqual(expect.arrayContaining(names ?? []))
  })
})
