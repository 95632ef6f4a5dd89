/** The home folder: HOME first on POSIX, never on Windows, else `os.homedir`. */
import { homedir } from 'node:os'
import { expect, test } from 'vitest'
import { homeFolder } from '../src/platform/system'

const { getBuiltinModule } = process
const of = (system: Pick<NodeJS.Process, 'platform' | 'env'>) =>
  homeFolder({ ...system, getBuiltinModule } as NodeJS.Process)

test('the home folder is HOME, except on Windows', () => {
  expect(of({ platform: 'linux', env: { HOME: '/home/ada' } })).toBe('/home/ada')
  expect(of({ platform: 'win32', env: { HOME: '/home/ada' } })).toBe(homedir())
})

test('the home folder is that of os.homedir if HOME is not set', () => {
  expect(of({ platform: 'linux', env: {} })).toBe(homedir())
})
