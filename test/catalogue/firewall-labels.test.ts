import { describe, expect, test } from 'vitest'
import { firewallLabelFault } from '../../src/catalogue/firewalls'
import { expectUnder } from '../support/fastest'

/** api.md, Firewall label rules. */
describe('a firewall label', () => {
  test.each(['web', 'a-b', 'a_b.c-d', 'a-_b', '123', 'a'.repeat(32)])('may be %s', (label) => {
    expect(firewallLabelFault(label)).toBeUndefined()
  })

  test.each([
    ['', 'Must be 3-32 characters'],
    ['ab', 'Must be 3-32 characters'],
    ['a'.repeat(33), 'Must be 3-32 characters'],
    ['-web', 'Must begin and end with a letter or a digit'],
    ['web.', 'Must begin and end with a letter or a digit'],
    ['_web', 'Must begin and end with a letter or a digit'],
    ['web-', 'Must begin and end with a letter or a digit'],
    ['web--1', 'Must not contain --'],
    ['web__1', 'Must not contain __'],
    ['web..1', 'Must not contain ..'],
    ['web 1', 'Must contain only letters, digits, hyphens, underscores and periods'],
    ['wéb', 'Must contain only letters, digits, hyphens, underscores and periods'],
    ['web\n', 'Must contain only letters, digits, hyphens, underscores and periods'],
  ])('may not be %j: %s', (label, fault) => {
    expect(firewallLabelFault(label)).toBe(fault)
  })
})

describe('a firewall label of a megabyte', () => {
  test.each(['a', '-', 'a-'])('is checked quickly: "%s" repeated', (part) => {
    const label = part.repeat(1_000_000)
    expectUnder(50, () => firewallLabelFault(label))
  })
})
