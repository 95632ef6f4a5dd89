/** What is read of the environment. */
import { describe, expect, test } from 'vitest'
import { showsUnicode, tokenVariable, unknownVariables, withoutToken } from '../../src/rules/environment'

test('other programs are given all of it but the token', () => {
  expect(withoutToken({ SKYCTL_TOKEN: 'x', PATH: '/bin' })).toEqual({ PATH: '/bin' })
})

test.for([
  [{ LANG: 'de_DE.UTF-8' }, true],
  [{ LANG: 'C.utf8' }, true],
  [{ LANG: 'C' }, false],
  [{}, false],
  [{ LC_CTYPE: 'C.UTF-8', LANG: 'C' }, true],
  [{ LC_CTYPE: 'C', LANG: 'C.UTF-8' }, false],
  [{ LC_ALL: 'C', LC_CTYPE: 'C.UTF-8', LANG: 'C.UTF-8' }, false],
  [{ LC_ALL: 'C.UTF-8', LC_CTYPE: 'C' }, true],
  [{ LC_ALL: '', LC_CTYPE: '', LANG: 'C.UTF-8' }, true],
  [{ TERM: 'dumb', LANG: 'C.UTF-8' }, false],
  [{ TERM: 'xterm', LANG: 'C.UTF-8' }, true],
] as const)('whether a terminal shows more than ASCII by %j: %s', ([env, shows]) => {
  expect(showsUnicode(env, 'linux')).toBe(shows)
})

test.for([
  [{}, true],
  [{ LANG: 'C' }, false],
  [{ LANG: 'de_DE.UTF-8' }, true],
  [{ TERM: 'dumb' }, false],
] as const)('whether a console of Windows shows more than ASCII by %j: %s', ([env, shows]) => {
  expect(showsUnicode(env, 'win32')).toBe(shows)
})

describe('a variable', () => {
  test('that brings a token is the text before the file, and none where both are empty', () => {
    expect(tokenVariable({ SKYCTL_TOKEN: 'x', SKYCTL_TOKEN_FILE: '/x' })).toBe('SKYCTL_TOKEN')
    expect(tokenVariable({ SKYCTL_TOKEN: '', SKYCTL_TOKEN_FILE: '/x' })).toBe('SKYCTL_TOKEN_FILE')
    expect(tokenVariable({ SKYCTL_TOKEN: '', SKYCTL_TOKEN_FILE: '' })).toBeUndefined()
  })

  test('that looks like ours and is none is told, with what was meant', () => {
    expect(unknownVariables({ SKYCTL_TOKN: 'x', SKYCTL_TOKEN: 'x', PATH: 'x', MY_SKYCTL_TOKN: 'x' })).toEqual([
      'SKYCTL_TOKN is not a skyctl variable. Did you mean "SKYCTL_TOKEN"?',
    ])
    expect(unknownVariables({ SKYCTL_FROBNICATION: 'x' })).toEqual([
      'SKYCTL_FROBNICATION is not a skyctl variable. See skyctl help environment',
    ])
  })

  test('is as near as what stands behind the prefix', () => {
    expect(unknownVariables({ SKYCTL_: 'x', SKYCTL_X: 'x' })).toEqual([
      'SKYCTL_ is not a skyctl variable. See skyctl help environment',
      'SKYCTL_X is not a skyctl variable. See skyctl help environment',
    ])
  })

  test.for([
    'SKYCTL_SERVICE_HOST',
    'SKYCTL_SERVICE_PORT',
    'SKYCTL_SERVICE_PORT_HTTPS',
    'SKYCTL_PORT',
    'SKYCTL_PORT_443_TCP',
  ])('of a pod beside a service that is called skyctl is not told: %s', (name) => {
    expect(unknownVariables({ [name]: 'x' })).toEqual([])
  })

  test.for(['SKYCTL_PORTS', 'SKYCTL_SERVICE_HOSTS', 'SKYCTL_SERVICE'])(
    'that only begins like one of those is told: %s',
    (name) => {
      expect(unknownVariables({ [name]: 'x' })).toHaveLength(1)
    },
  )
})
