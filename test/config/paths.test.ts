/** Folders of skyctl's files (interface.md, Configuration). */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { configPaths } from '../../src/config/paths'
import { temporaryFolder } from '../support/temporary-folder'

describe('The folders', () => {
  const pathsOf = (platform: NodeJS.Platform, home: string, env = {}) => {
    const { config, file, state, cache } = configPaths({ env, platform, homedir: () => home })
    return { config, file, state, cache }
  }

  test('are those of the XDG specification on Linux', () => {
    expect(pathsOf('linux', '/home/a')).toEqual({
      config: '/home/a/.config/skyctl',
      file: '/home/a/.config/skyctl/contexts.json',
      state: '/home/a/.local/state/skyctl',
      cache: '/home/a/.cache/skyctl',
    })
    expect(
      pathsOf('linux', '/home/a', { XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s', XDG_CACHE_HOME: '/k' }),
    ).toMatchObject({ config: '/c/skyctl', state: '/s/skyctl', cache: '/k/skyctl' })
  })

  test('are in the Library on macOS', () => {
    expect(pathsOf('darwin', '/Users/a', { XDG_CONFIG_HOME: '/c' })).toEqual({
      config: '/Users/a/Library/Preferences/skyctl',
      file: '/Users/a/Library/Preferences/skyctl/contexts.json',
      state: '/Users/a/Library/Application Support/skyctl',
      cache: '/Users/a/Library/Caches/skyctl',
    })
  })

  test('are in AppData on Windows', () => {
    const env = { APPDATA: 'C:\\Users\\a\\AppData\\Roaming' }
    expect(pathsOf('win32', 'C:\\Users\\a', env)).toEqual({
      config: 'C:\\Users\\a\\AppData\\Roaming\\skyctl\\Config',
      file: 'C:\\Users\\a\\AppData\\Roaming\\skyctl\\Config\\contexts.json',
      state: 'C:\\Users\\a\\AppData\\Local\\skyctl\\Data',
      cache: 'C:\\Users\\a\\AppData\\Local\\skyctl\\Cache',
    })
  })

  test('are set by SKYCTL_CONFIG_DIR and SKYCTL_STATE_DIR, even without a home', () => {
    const env = { SKYCTL_CONFIG_DIR: '/c', SKYCTL_STATE_DIR: '/s/', XDG_CONFIG_HOME: '/x', XDG_CACHE_HOME: '/k' }
    expect(pathsOf('linux', '', env)).toEqual({
      config: '/c',
      file: '/c/contexts.json',
      state: '/s/',
      cache: '/k/skyctl',
    })
  })

  test('are never below the current directory', () => {
    expect(pathsOf('linux', '/home/a', { XDG_CONFIG_HOME: 'x', XDG_STATE_HOME: '', SKYCTL_STATE_DIR: '' })).toEqual(
      pathsOf('linux', '/home/a'),
    )
    const relative = configPaths({ env: { SKYCTL_CONFIG_DIR: './x' }, platform: 'linux', homedir: () => '/home/a' })
    const relativeError = { code: 'usage', message: 'SKYCTL_CONFIG_DIR must be an absolute path' }
    expect(() => relative.file).toThrow(expect.objectContaining(relativeError))
    for (const home of ['', '.', 'a/b']) {
      const unknown = {
        code: 'local',
        message: 'no config folder: the home folder is unknown',
        details: { hint: 'Set HOME, or SKYCTL_CONFIG_DIR and SKYCTL_STATE_DIR, to absolute paths' },
      }
      expect(() => pathsOf('linux', home)).toThrow(expect.objectContaining(unknown))
    }
  })

  test('do not come from the user database if HOME is empty, except on Windows', () => {
    expect(() => pathsOf('linux', '/home/a', { HOME: '' })).toThrow(expect.objectContaining({ code: 'local' }))
    expect(
      pathsOf('linux', '/home/a', { HOME: '', XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s', XDG_CACHE_HOME: '/k' }),
    ).toMatchObject({ config: '/c/skyctl', state: '/s/skyctl', cache: '/k/skyctl' })
    expect(pathsOf('win32', 'C:\\Users\\a', { HOME: '' })).toEqual(pathsOf('win32', 'C:\\Users\\a'))
  })

  test('are determined only when they are used', () => {
    const homedir = () => {
      throw new Error('no such user')
    }
    const paths = configPaths({ env: {}, platform: 'linux', homedir })
    expect(() => paths.state).toThrow(expect.objectContaining({ code: 'local' }))
  })

  test.each([{}, { XDG_CONFIG_HOME: 'set' }])('are those of the package conf: %o', (variables) => {
    const folder = temporaryFolder()
    const env = { HOME: folder, ...('XDG_CONFIG_HOME' in variables && { XDG_CONFIG_HOME: join(folder, 'xdg') }) }
    const script = `import Conf from 'conf'
      const conf = new Conf({ projectName: 'skyctl', projectSuffix: '', configName: 'contexts' })
      process.stdout.write(conf.path)`
    const args = ['--input-type=module', '-e', script]
    const path = execFileSync(process.execPath, args, { env, cwd: join(import.meta.dirname, '../..') }).toString()
    expect(configPaths({ env, platform: process.platform, homedir: () => folder }).file).toBe(path)
  })

  test('are absolute with a drive on Windows, and without one elsewhere', () => {
    const stateFolder = (platform: NodeJS.Platform, SKYCTL_STATE_DIR: string) => () =>
      pathsOf(platform, platform === 'win32' ? 'C:\\Users\\a' : '/home/a', { SKYCTL_STATE_DIR }).state
    expect(stateFolder('win32', 'C:\\x\\..\\y')()).toBe('C:\\y')
    expect(stateFolder('linux', '/x/../y')()).toBe('/y')
    const relativeError = { code: 'usage', message: 'SKYCTL_STATE_DIR must be an absolute path' }
    expect(stateFolder('linux', 'C:\\x')).toThrow(expect.objectContaining(relativeError))
    expect(stateFolder('win32', 'x\\y')).toThrow(expect.objectContaining(relativeError))
  })
})
