/** Labels that another object already has (interface.md, Targets). */

import { expect, test } from 'vitest'
import type { ActionStep } from '../../src/account/action'
import type { ChangeOptions } from '../../src/account/change-context'
import { checkLabel } from '../../src/account/label-lookup'
import type { Item } from '../../src/account/resource'
import { volumeResource } from '../../src/account/resources/volume'

async function check(items: readonly Item[] | undefined, { label = 'web' as unknown, own, ...options }: Options = {}) {
  const result = { lookups: [] as string[], warnings: [] as string[], error: undefined as unknown }
  const notices: ActionStep['notices'] = []
  const step = {
    options,
    notices,
    account: { access: { context: async () => undefined, credential: async () => ({ sandbox: true }) } },
    async look(text: string) {
      result.lookups.push(text)
      return items && { label: text, items, serviceTime: undefined }
    },
  } as unknown as ActionStep
  await checkLabel(label, volumeResource, step, own && { ...own, input: 'web' }).catch((error: unknown) => {
    result.error = error
  })
  result.warnings = notices.map((notice) => notice(8))
  return result
}

interface Options extends ChangeOptions {
  label?: unknown
  own?: Item
}

const web = { id: 7, label: 'web' }

test('A duplicate label is refused', async () => {
  expect(await check([web], { allowDuplicate: false })).toMatchObject({
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

test('A duplicate label is a warning if the caller prefers that', async () => {
  expect(await check([web], { allowDuplicate: 'warn' })).toEqual({
    lookups: ['web'],
    warnings: [
      'volume "web" (7) already has this label; commands will need the id of each. Rename one: skyctl volumes update 8 --label NEW_LABEL',
    ],
    error: undefined,
  })
})

test('The refusal names no option if the caller offers none', async () => {
  expect((await check([web])).error).toMatchObject({ details: { hint: 'Choose another' } })
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

test.for<Options>([{ allowDuplicate: true }, { ifAbsent: true }, { label: undefined }, { label: 7 }])(
  'A duplicate label is not looked up with %j',
  async (options) => {
    expect(await check([web], 'label' in options ? { ...options, label: options.label ?? null } : options)).toEqual({
      ...{ lookups: [], warnings: [], error: undefined },
    })
  },
)
