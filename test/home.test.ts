/** The home folder, as `os.homedir` tells it: POSIX asks HOME first, Windows never. */
import { homedir } from 'node:os'
import { expect, test } from 'vitest'
import { homeFolder } from '../src/home'

const { getBuiltinModule } = process
const of = (given: Pick<NodeJS.Process, 'platform' | 'env'>) =>
  homeFolder({ ...given, getBuiltinModule } as NodeJS.Process)

test('is HOME, but on Windows', () => {
  expect(of({ platform: 'linux', env: { HOME: '/home/ada' } })).toBe('/home/ada')
  expect(of({ platform: 'win32', env: { HOME: '/home/ada' } })).toBe(homedir())
})

test('is what the system says where HOME is not set', () => {
  expect(of({ platform: 'linux', env: {} })).toBe(homedir())
})
