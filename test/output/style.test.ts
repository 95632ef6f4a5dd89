import { describe, expect, test } from 'vitest'
import { colorWanted, styles } from '../../src/output/style'

describe('colour', () => {
  const auto = (env: Record<string, string>, isTTY: boolean) => colorWanted({ flag: 'auto', env, isTTY })

  test('is on if the output is a terminal', () => {
    expect(auto({}, true)).toBe(true)
    expect(auto({}, false)).toBe(false)
  })

  test('follows --color before anything else', () => {
    const env = { NO_COLOR: '1', FORCE_COLOR: '1', TERM: 'dumb' }
    expect(colorWanted({ flag: 'always', env, isTTY: false })).toBe(true)
    expect(colorWanted({ flag: 'never', env, isTTY: true })).toBe(false)
  })

  test.each<[Record<string, string>, boolean, boolean]>([
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '1', FORCE_COLOR: '1', CLICOLOR_FORCE: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '' }, false, true],
    [{ FORCE_COLOR: '0' }, true, false],
    [{ FORCE_COLOR: '0', CLICOLOR_FORCE: '1' }, true, false],
    [{ FORCE_COLOR: '3', TERM: 'dumb' }, false, true],
    [{ CLICOLOR_FORCE: '1' }, false, true],
    [{ CLICOLOR_FORCE: '0' }, false, false],
    [{ TERM: 'dumb' }, true, false],
  ])('with %j and a terminal %s is %s', (env, isTTY, isOn) => {
    expect(auto(env, isTTY)).toBe(isOn)
  })

  test('leaves text unchanged when off', async () => {
    for (const style of Object.values(await styles(false))) expect(style('x')).toBe('x')
  })

  test('uses the 16 colours of the theme in any environment', async () => {
    const { red, bold } = await styles(true)
    expect([red('x'), bold('x')]).toEqual(['\x1b[31mx\x1b[39m', '\x1b[1mx\x1b[22m'])
  })
})
