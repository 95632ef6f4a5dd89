/** Flags that the environment gives (interface.md, Environment). */
import { expect, test } from 'vitest'
import { withVariables } from '../../src/engine/variable-flags'

test.for([
  ['timeout', 'SKYCTL_TIMEOUT', '90s'],
  ['retries', 'SKYCTL_RETRIES', '3'],
  ['max-wait', 'SKYCTL_MAX_WAIT', '5m'],
  ['wait-timeout', 'SKYCTL_WAIT_TIMEOUT', '1h'],
  ['color', 'SKYCTL_COLOR', 'always'],
  ['debug-file', 'SKYCTL_DEBUG_FILE', '/tmp/x'],
] as const)('--%s is %s where it was not typed', ([flag, variable, text]) => {
  expect(withVariables({}, { [variable]: text })).toEqual({ [flag]: text })
  expect(withVariables({ [flag]: text }, { [variable]: 'never looked at' })).toEqual({ [flag]: text })
  expect(withVariables({}, { [variable]: '' })).toEqual({})
})

test.for([
  ['timeout', 'SKYCTL_TIMEOUT', 'soon'],
  ['retries', 'SKYCTL_RETRIES', '21'],
  ['retries', 'SKYCTL_RETRIES', '-1'],
  ['max-wait', 'SKYCTL_MAX_WAIT', 'soon'],
  ['wait-timeout', 'SKYCTL_WAIT_TIMEOUT', 'soon'],
  ['color', 'SKYCTL_COLOR', 'pink'],
] as const)('--%s and %s refuse %s, and say which of them it was', ([flag, variable, text]) => {
  expect(() => withVariables({}, { [variable]: text })).toThrow(variable)
  expect(() => withVariables({ [flag]: text }, {})).toThrow(`--${flag}`)
})

test('SKYCTL_YES answers yes or no, in any of their usual forms', () => {
  for (const text of ['1', 'true', 'yes', 'y', 'on', 'YES']) {
    expect(withVariables({}, { SKYCTL_YES: text }), text).toEqual({ yes: true })
  }
  for (const text of ['', '0', 'false', 'no', 'n', 'off', 'OFF']) {
    expect(withVariables({}, { SKYCTL_YES: text }), text).toEqual({})
  }
  expect(() => withVariables({}, { SKYCTL_YES: 'maybe' })).toThrow('SKYCTL_YES: "maybe" is neither true nor false')
  expect(withVariables({ yes: true }, { SKYCTL_YES: '0' })).toEqual({ yes: true })
})
