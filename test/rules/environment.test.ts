/** Environment variables. */
import { describe, expect, test } from 'vitest'
import { showsUnicode, tokenVariable, unknownVariables, withoutToken } from '../../src/rules/environment'

test('Other programs get all environment variables but the token', () => {
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
] as const)('A terminal shows Unicode with %j: %s', ([env, isUnicode]) => {
  expect(showsUnicode(env, 'linux')).toBe(isUnicode)
})

test.for([
  [{}, true],
  [{ LANG: 'C' }, false],
  [{ LANG: 'de_DE.UTF-8' }, true],
  [{ TERM: 'dumb' }, false],
] as const)('A Windows console shows Unicode with %j: %s', ([env, isUnicode]) => {
  expect(showsUnicode(env, 'win32')).toBe(isUnicode)
})

describe('The token variable', () => {
  test('is that of the token before that of the file, and none if both are empty', () => {
    expect(tokenVariable({ SKYCTL_TOKEN: 'x', SKYCTL_TOKEN_FILE: '/x' })).toBe('SKYCTL_TOKEN')
    expect(tokenVariable({ SKYCTL_TOKEN: '', SKYCTL_TOKEN_FILE: '/x' })).toBe('SKYCTL_TOKEN_FILE')
    expect(tokenVariable({ SKYCTL_TOKEN: '', SKYCTL_TOKEN_FILE: '' })).toBeUndefined()
  })
})

describe('An unknown SKYCTL_ variable', () => {
  test('is reported with a suggestion', async () => {
    expect(await unknownVariables({ SKYCTL_TOKN: 'x', SKYCTL_TOKEN: 'x', PATH: 'x', MY_SKYCTL_TOKN: 'x' })).toEqual([
      'SKYCTL_TOKN is not a skyctl variable. Did you mean "SKYCTL_TOKEN"?',
    ])
    expect(await unknownVariables({ SKYCTL_FROBNICATION: 'x' })).toEqual([
      'SKYCTL_FROBNICATION is not a skyctl variable. See skyctl help environment',
    ])
  })

  test('is compared without its prefix', async () => {
    expect(await unknownVariables({ SKYCTL_: 'x', SKYCTL_X: 'x' })).toEqual([
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
  ])('is ignored if Kubernetes sets it for a service named skyctl: %s', async (name) => {
    expect(await unknownVariables({ [name]: 'x' })).toEqual([])
  })

  test.for(['SKYCTL_PORTS', 'SKYCTL_SERVICE_HOSTS', 'SKYCTL_SERVICE'])(
    'is reported if it only begins like one of Kubernetes: %s',
    async (name) => {
      expect(await unknownVariables({ [name]: 'x' })).toHaveLength(1)
    },
  )
})
