/** `npm run test:mutation`: its report is correct for a small project with known gaps. */
import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from './support/temporary-folder'

const repository = join(import.meta.dirname, '..')

const project = {
  'src/rules/noticed.ts': `
export const least = 2 + 3
export const sum = (a: number, b: number) => a + b
export function countTo(end: number) {
  let count = 0
  while (count !== end) count += 1
  return count
}
export function once(make: () => number) {
  let made: number | undefined
  return () => (made ??= make())
}
export const lazily = once(() => 3 * 3)`,
  'src/rules/unnoticed.ts': `
export const isMany = (count: number) => count > 1
export const never = (a: number) => a / 2`,
  'src/main.ts': `
import { isMany } from './rules/unnoticed'
console.log(isMany(2) ? 4 * 2 : 0)`,
  'build/build.mjs': `
import { build } from 'esbuild'
await build({ entryPoints: ['src/main.ts'], bundle: true, platform: 'node', outfile: 'dist/main.js' })`,
  'test/project.test.ts': `
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { countTo, lazily, least, sum } from '../src/rules/noticed'
import { isMany } from '../src/rules/unnoticed'
test('least', () => expect(least).toBe(5))
test('sum', () => expect(sum(1, 2)).toBe(3))
test('countTo', () => expect(countTo(3)).toBe(3))
test('lazily', () => expect(lazily()).toBe(9))
test('isMany', () => expect([isMany(0), isMany(5)]).toEqual([false, true]))
test('a process without an environment, which has loaded nothing else', () => {
  const program = "require('./dist/main.js'); console.log(Object.keys(require.cache).length, 'file')"
  expect(String(execFileSync(process.execPath, ['-e', program], { env: {} }))).toBe('8\\n1 file\\n')
})
test('fails as it is', () => expect(1).toBe(2))`,
  'vitest.config.mts': `export default { test: { include: ['test/**/*.test.ts'], pool: 'forks' } }`,
}

// Six vitest processes run one after the other.
const timeout = 240_000

test('the mutation test names exactly the mutants that no test notices', { timeout }, async () => {
  const root = temporaryFolder()
  for (const [name, text] of Object.entries(project)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  mkdirSync(join(root, 'node_modules'))
  for (const name of ['vitest', 'esbuild', 'vite']) {
    symlinkSync(join(repository, 'node_modules', name), join(root, 'node_modules', name))
  }
  const line = ['bench/mutation.mjs', '--root', root, '--lanes', '1', '--seed', '1', '--list-survivors']
  const { stdout } = await promisify(execFile)(process.execPath, line, { cwd: repository }).catch((error) => error)
  expect(
    stdout,
  ).toBe(`not tried, fails as it is: test/project.test.ts: fails as it is: expected 1 to be 2 // Object.is equality
src/rules/unnoticed.ts:2  EqualityOperator
  - count > 1
  + count >= 1
src/rules/unnoticed.ts:3  ArrowFunction
  - (a: number) => a / 2
  + () => undefined
src/rules/unnoticed.ts:3  ArithmeticOperator, not reached
  - a / 2
  + a * 2
.          100.0 %  1 of 1
rules       84.2 %  16 of 19
repeat with --seed 1
`)
})
