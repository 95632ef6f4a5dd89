/**
 * Every property of parsers, on a million inputs each: `npm run test:fuzz`, or another number with `RUNS=100000`.
 * Asynchronous ones (YAML, proxies) have a tenth of the inputs.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const files = ['test/properties', 'test/rules/ports.test.ts', 'test/rules/addresses.test.ts']
const env = { RUNS: '1000000', ...process.env }
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const words = ['run', ...files, '--testTimeout', '36000000', ...process.argv.slice(2)]
const child = spawn(process.execPath, [vitest, ...words], { cwd: root, env, stdio: 'inherit' })
child.on('exit', (code) => {
  process.exitCode = code ?? 1
})
