/** Token scopes (api.md, Authentication). */
import { expect, test } from 'vitest'
import { covers, leastScopes } from '../../src/rules/scope-cover'
import { scopeResources, scopesFault, unknownScope } from '../../src/rules/scopes'

test.for(['*', 'volumes:read_only', 'volumes:read_write ips:read_only', 'child_account:read_only', 'ips:read'])(
  'Scopes are valid: %j',
  (text) => {
    expect(scopesFault(text)).toBeUndefined()
    expect(unknownScope(text)).toBeUndefined()
  },
)

test.for([
  ['', 'Must be scopes separated by one space, without one at the ends'],
  ['ips:read_only ', 'Must be scopes separated by one space, without one at the ends'],
  ['ips:read_only  volumes:read_only', 'Must be scopes separated by one space, without one at the ends'],
  ['ips:read_only,volumes:read_only', 'Must be scopes separated by one space, not by commas'],
  ['volumes:read_only *', '* is full scope and stands alone'],
  ['volumes', '"volumes" is not a scope: write it as volumes:read_only or volumes:read_write'],
  ['volumes:read', '"volumes:read" is not a scope: write it as volumes:read_only or volumes:read_write'],
  ['!volumes:read_only', '"!volumes:read_only" is not a scope: write it as volumes:read_only or volumes:read_write'],
  ['volumes:read_only!', '"volumes:read_only!" is not a scope: write it as volumes:read_only or volumes:read_write'],
  ['x'.repeat(60), `"${'x'.repeat(60)}" is not a scope: write it as volumes:read_only or volumes:read_write`],
  ['x'.repeat(61), `"${'x'.repeat(60)}..." is not a scope: write it as volumes:read_only or volumes:read_write`],
] as const)('Scopes are rejected: %j', ([text, fault]) => {
  expect(scopesFault(text)).toBe(fault)
})

test('An unknown scope is reported with a suggestion or a list', () => {
  expect(unknownScope('ips:read_only volume:read_only')).toBe(
    '"volume:read_only" is not a known scope. Did you mean "volumes"?',
  )
  expect(unknownScope('xyzzyx:read_only')).toBe(
    '"xyzzyx:read_only" is not a known scope. Known are: account, child_account, computes, databases, domains, events, ' +
      'firewall, images, ips, monitor, balancers, object_storage, scripts, volumes, vpc',
  )
})

test.for([
  [['*'], 'volumes:read_write', true],
  [['*'], '*', true],
  [['volumes:read_write'], '*', false],
  // All named scopes together are not full scope.
  [scopeResources.map((name) => `${name}:read_write`), '*', false],
  [['volumes:read_write'], 'volumes:read_only', true],
  [['volumes:read_only'], 'volumes:read_only', true],
  [['ips:read'], 'ips:read', true],
  [['ips:read'], 'ips:read_only', false],
  [['ips:read_only'], 'ips:read', true],
  [['ips:read_write'], 'ips:read', true],
  [['firewall:read_only', 'volumes:read_write'], 'volumes:read_only', true],
  [['volumes:read_only'], 'volumes:read_write', false],
  [['ips:read_write'], 'volumes:read_only', false],
  [['ips:read_only'], 'volumes:read', false],
  [['account:read_write'], 'child_account:read_only', false],
  [[], 'volumes:read_only', false],
] as const)('Scopes cover another: %j and %s: %s', ([scopes, required, isCovered]) => {
  expect(covers(scopes, required)).toBe(isCovered)
})

test('The fewest scopes have no duplicates and none that another covers', () => {
  expect(leastScopes(['ips:read', 'ips:read_only', 'volumes:read_only', 'volumes:read_write'])).toEqual([
    'ips:read_only',
    'volumes:read_write',
  ])
  expect(leastScopes(['ips:read'])).toEqual(['ips:read'])
  expect(leastScopes(['volumes:read_write', '*'])).toEqual(['*'])
  expect(leastScopes([])).toEqual([])
})
