/**
 * Fills V8's code cache of the built program, as earlier runs would in a person's home. A process in a new home
 * compiles the program again, which takes half of its CPU time. So the cache is filled once per build, and `process.ts`
 * links it to the homes.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestProject } from 'vitest/node'
import { executable, program } from './program'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with the files of `skyctl/code` in the cache folder. */
    codeCache: string
  }
}

const root = join(import.meta.dirname, '../..')

/** One line of each kind that tests often start. Code that one compiles is cached for the next. */
const lines = [
  '--help',
  'volumes list',
  'volumes list --json',
  'volumes create --label warm --region us-east --size 20',
  'volumes update warm --tag a',
  'volumes delete warm --yes --json',
  'firewalls rules list web',
  'firewalls rules add web inbound --action accept --protocol tcp --port 4443 --from 192.0.2.1 --yes',
  'firewalls open web --port 22 --from 192.0.2.1 --for 1s --yes',
  'plan account.yaml',
  'history list',
  'tokens list',
  'completion values regions',
]

export default async function setup({ provide }: TestProject): Promise<() => void> {
  const cache = join(root, 'node_modules/.cache/skyctl')
  const build = createHash('sha256')
    .update(process.version)
    .update(readFileSync(join(root, 'dist/code-cache.js')))
  const folder = join(cache, build.digest('hex').slice(0, 16))
  // An executable contains its compiled code.
  if (!executable && !existsSync(folder)) {
    rmSync(cache, { recursive: true, force: true })
    await fill(folder)
  }
  // On the disk of the homes, so that it can be linked to them.
  const copy = mkdtempSync(join(tmpdir(), 'skyctl-code-'))
  if (existsSync(folder)) cpSync(join(folder, 'skyctl/code'), copy, { recursive: true })
  provide('codeCache', copy)
  return () => rmSync(copy, { recursive: true })
}

async function fill(folder: string): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true })
  const home = mkdtempSync(`${folder}-`)
  const common = { PATH: process.env.PATH, HOME: home, XDG_CACHE_HOME: join(home, 'cache') }
  const service = start('sandbox start --json', { cwd: home, env: common })
  const [announced] = await once(service.stdout, 'data')
  const { base_url, token } = JSON.parse(String(announced))
  const env = { ...common, SKYCTL_BASE_URL: base_url, SKYCTL_TOKEN: token }
  const run = async (line: string) => text(start(line, { cwd: home, env }).stdout)
  writeFileSync(join(home, 'account.yaml'), await run('export'))
  for (const line of lines) await run(line)
  service.kill()
  await once(service, 'close')
  renameSync(join(home, 'cache'), folder)
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
}

function start(line: string, options: { cwd: string; env: NodeJS.ProcessEnv }) {
  const [file = '', ...before] = program
  return spawn(file, [...before, ...line.split(' ')], { ...options, stdio: ['ignore', 'pipe', 'ignore'] })
}
