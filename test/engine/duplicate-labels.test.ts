/** Labels that another object already has (interface.md, Targets). */
import { expect, test } from 'vitest'
import type { Item, Target } from '../../src/account/resource'
import { volumeResource } from '../../src/account/resources/volume'
import type { CommandStep } from '../../src/engine/change-definition'
import { checkLabel, expectOneLabel } from '../../src/engine/duplicate-labels'

async function check(items: readonly Item[] | undefined, { label = 'web' as unknown, own, ...more }: Options = {}) {
  const { interactive = false, flags = {} } = more
  const result = { lookups: [] as string[], warnings: [] as string[], error: undefined as unknown }
  const step = {
    flags,
    session: { ui: { interactive, warn: async (text: string) => void result.warnings.push(text) } },
    async look(text: string) {
      result.lookups.push(text)
      return items && { label: text, items, serviceTime: undefined }
    },
  } as unknown as CommandStep
  await checkLabel(label, volumeResource, step, own).catch((error: unknown) => {
    result.error = error
  })
  return result
}

interface Options {
  label?: unknown
  own?: Item
  interactive?: boolean
  flags?: Record<string, boolean>
}

const web = { id: 7, label: 'web' }

const targets = (count: number) => Array.from({ length: count }, (_, at) => ({ id: at + 1 })) as unknown as Target[]

test('A label cannot be set on several objects without a flag for it', () => {
  const setLabel = (count: number, label: unknown = 'web', flags: Record<string, boolean> = {}) =>
    expectOneLabel(label, targets(count), { noun: 'volume', flags })
  for (const count of [2, 3]) {
    expect(() => setLabel(count)).toThrow(`${count} volumes would get the same label: "web"`)
    expect(() => setLabel(count, 'web', { 'allow-duplicate': true })).not.toThrow()
    expect(() => setLabel(count, 'web', { validate: false })).not.toThrow()
  }
  expect(() => setLabel(1)).not.toThrow()
  expect(() => expectOneLabel(undefined, targets(2), { noun: 'volume', flags: {} })).not.toThrow()
})

test('A duplicate label is refused in a script', async () => {
  expect(await check([web])).toMatchObject({
    lookups: ['web'],
    warnings: [],
    error: {
      code: 'exists',
      message: 'volume "web" (7) already has this label',
      details: {
        errors: [{ field: 'label', reason: 'Is already in use' }],
        hint: 'Choose another, or add --allow-duplicate',
      },
    },
  })
})

test('A duplicate label is a warning on a terminal', async () => {
  expect(await check([web], { interactive: true })).toEqual({
    lookups: ['web'],
    warnings: ['volume "web" (7) already has this label; commands will need the id of each'],
    error: undefined,
  })
})

test.for<[string, readonly Item[] | undefined, Options]>([
  ['nothing has it', [], {}],
  ['the lookup is not permitted', undefined, {}],
  ['only the object itself has it', [web], { own: web }],
])('A label is not a duplicate if %s', async ([, items, options]) => {
  expect(await check(items, options)).toEqual({ lookups: ['web'], warnings: [], error: undefined })
})

test('A label is a duplicate if the object and another one have it', async () => {
  expect((await check([web, { ...web, id: 8 }], { own: web })).error).toMatchObject({
    message: 'volume "web" (8) already has this label',
  })
})

test.for<Options>([
  { flags: { 'allow-duplicate': true } },
  { flags: { 'if-absent': true } },
  { label: undefined },
  { label: 7 },
])('A duplicate label is not looked up with %j', async (options) => {
  expect(await check([web], options.flags ? options : { ...options, label: options.label ?? null })).toEqual({
    ...{ lookups: [], warnings: [], error: undefined },
  })
})
