/** A label that another object has already (interface.md, Targets). */
import { expect, test } from 'vitest'
import type { Item, Target } from '../../src/account/resource'
import { volumeResource } from '../../src/account/resources/volume'
import type { CommandStep } from '../../src/engine/change-definition'
import { checkLabel, expectOneLabel } from '../../src/engine/duplicate-labels'

async function checked(items: readonly Item[] | undefined, { label = 'web' as unknown, own, ...more }: Options = {}) {
  const { interactive = false, flags = {} } = more
  const told = { looked: [] as string[], warned: [] as string[], error: undefined as unknown }
  const step = {
    flags,
    session: { ui: { interactive, warn: async (text: string) => void told.warned.push(text) } },
    async look(text: string) {
      told.looked.push(text)
      return items && { label: text, items, serviceTime: undefined }
    },
  } as unknown as CommandStep
  await checkLabel(label, volumeResource, step, own).catch((error: unknown) => {
    told.error = error
  })
  return told
}

interface Options {
  label?: unknown
  own?: Item
  interactive?: boolean
  flags?: Record<string, boolean>
}

const web = { id: 7, label: 'web' }

const targets = (count: number) => Array.from({ length: count }, (_, at) => ({ id: at + 1 })) as unknown as Target[]

test('is not given to several objects, be it two or more, unless flags say so', () => {
  const given = (count: number, label: unknown = 'web', flags: Record<string, boolean> = {}) =>
    expectOneLabel(label, targets(count), { noun: 'volume', flags })
  for (const count of [2, 3]) {
    expect(() => given(count)).toThrow(`${count} volumes would get the same label: "web"`)
    expect(() => given(count, 'web', { 'allow-duplicate': true })).not.toThrow()
    expect(() => given(count, 'web', { validate: false })).not.toThrow()
  }
  expect(() => given(1)).not.toThrow()
  expect(() => expectOneLabel(undefined, targets(2), { noun: 'volume', flags: {} })).not.toThrow()
})

test('is refused to a script', async () => {
  expect(await checked([web])).toMatchObject({
    looked: ['web'],
    warned: [],
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

test('is told to a person, who may want it', async () => {
  expect(await checked([web], { interactive: true })).toEqual({
    looked: ['web'],
    warned: ['volume "web" (7) already has this label; commands will need the id of each'],
    error: undefined,
  })
})

test.for<[string, readonly Item[] | undefined, Options]>([
  ['nothing has it', [], {}],
  ['nothing may be looked at', undefined, {}],
  ['it is that of the object itself', [web], { own: web }],
])('is none where %s', async ([, items, options]) => {
  expect(await checked(items, options)).toEqual({ looked: ['web'], warned: [], error: undefined })
})

test('is one where another has it besides', async () => {
  expect((await checked([web, { ...web, id: 8 }], { own: web })).error).toMatchObject({
    message: 'volume "web" (8) already has this label',
  })
})

test.for<Options>([
  { flags: { 'allow-duplicate': true } },
  { flags: { 'if-absent': true } },
  { label: undefined },
  { label: 7 },
])('is not looked for with %j', async (options) => {
  expect(await checked([web], options.flags ? options : { ...options, label: options.label ?? null })).toEqual({
    ...{ looked: [], warned: [], error: undefined },
  })
})
