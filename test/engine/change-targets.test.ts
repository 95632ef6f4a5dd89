/** A label is for one object: several targets never get the same one by mistake. */
import { expect, test } from 'vitest'
import type { ChangeOptions } from '../../src/account/change-context'
import { expectOneLabel } from '../../src/engine/change-targets'

test('A label cannot be set on several objects without an option for it', () => {
  const targets = (count: number) => Array.from({ length: count }, (_, index) => ({ input: `web-${index + 1}` }))
  const setLabel = (count: number, options: ChangeOptions = {}, label: unknown = 'web') =>
    expectOneLabel(label, targets(count), 'volume', options)
  for (const count of [2, 3]) {
    expect(() => setLabel(count)).toThrow(`${count} volumes would get the same label: "web"`)
    expect(() => setLabel(count, { allowDuplicate: 'warn' })).toThrow('would get the same label')
    expect(() => setLabel(count, { allowDuplicate: true })).not.toThrow()
    expect(() => setLabel(count, { validate: false })).not.toThrow()
  }
  expect(() => setLabel(1)).not.toThrow()
  expect(() => expectOneLabel(undefined, targets(2), 'volume', {})).not.toThrow()
})
