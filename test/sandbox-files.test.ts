/** Where the context "sandbox" keeps its world: a folder as private as the others, and a lock that is one. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test as base } from './support/skyctl'

const test = base.extend<{ state: string; tried(line: string): Promise<{ exit: number; stderr: string }> }>({
  state: async ({ env }, use) => use(String(env.SKYCTL_STATE_DIR)),
  tried: async ({ skyctl }, use) =>
    use(async (line) => {
      const env = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
      return skyctl(`--context sandbox ${line}`, { env })
    }),
})

const create = 'volumes create --label new --region us-east --size 20'

describe('a lock of the world that is none', () => {
  const kinds: [what: string, make: (path: string) => void][] = [
    ['a folder', (path) => mkdirSync(path)],
    ['a FIFO', (path) => void execFileSync('mkfifo', [path])],
    ['a link', (path) => symlinkSync('/dev/zero', path)],
  ]

  test.for(kinds)('ends a change with 12 and its name, and does nothing: %s', async ([, make], { tried, state }) => {
    expect((await tried('volumes list')).exit).toBe(0)
    const lock = join(state, 'sandbox.ndjson.lock')
    make(lock)
    for (const line of [create, 'volumes update data-1 --label other', 'volumes delete data-2 --yes']) {
      const { exit, stderr } = await tried(line)
      expect({ line, exit, stderr }).toEqual({
        line,
        exit: 12,
        stderr: expect.stringContaining(`${lock} is not your lock file`),
      })
    }
    const json = JSON.parse((await tried(`${create} --json`)).stderr.trim().split('\n').at(-1) ?? '')
    expect(json.error).toMatchObject({ code: 'local', exit_code: 12 })
    // Who only reads needs no lock.
    expect(await tried('volumes view data-1 -q')).toMatchObject({ exit: 0, stdout: '3001\n' })
    expect((await tried('volumes view new')).exit).toBe(5)
  })

  test('is named also where several are changed', async ({ tried, state }) => {
    await tried('volumes list')
    mkdirSync(join(state, 'sandbox.ndjson.lock'))
    const { exit, stderr } = await tried('volumes delete data-1 data-2 --yes')
    expect(exit).toBe(12)
    expect(stderr).toContain('sandbox.ndjson.lock is not your lock file')
  })
})

describe('the world itself', () => {
  test.for<[what: string, make: (path: string) => void]>([
    ['a FIFO', (path) => void execFileSync('mkfifo', [path])],
    ['a link to a device', (path) => symlinkSync('/dev/zero', path)],
    ['a folder', (path) => mkdirSync(path)],
  ])('is refused at once where it is %s, and nothing takes its place', async ([, make], { tried, state }) => {
    mkdirSync(state, { recursive: true, mode: 0o700 })
    const path = join(state, 'sandbox.ndjson')
    make(path)
    for (const line of ['volumes list', create, 'sandbox world', 'sandbox reset --yes']) {
      const { exit, stderr } = await tried(line)
      expect({ line, exit, stderr }).toEqual({
        line,
        exit: 12,
        stderr: expect.stringContaining(`"${path}": it is not a regular file`),
      })
    }
    expect(statSync(path).isFile()).toBe(false)
  })
})

describe('the folder of the world', () => {
  const all = ['volumes list', create, 'sandbox world', 'sandbox outbox', 'sandbox reset --yes']

  test.for(all)('is refused where others can write to it, by %s', async (line, { tried, state }) => {
    mkdirSync(state, { recursive: true })
    writeFileSync(join(state, 'of-others'), '')
    chmodSync(state, 0o777)
    const { exit, stderr } = await tried(line)
    expect({ exit, stderr }).toEqual({
      exit: 12,
      stderr: expect.stringContaining(`${state} is not private: others can write to it`),
    })
    expect(existsSync(join(state, 'sandbox.ndjson'))).toBe(false)
  })

  test.for(all)('is refused where it is a link, by %s', async (line, { tried, state }) => {
    mkdirSync(state, { recursive: true, mode: 0o700 })
    renameSync(state, `${state}.other`)
    symlinkSync(`${state}.other`, state)
    const { exit, stderr } = await tried(line)
    expect({ exit, stderr }).toEqual({
      exit: 12,
      stderr: expect.stringContaining(`${state} is not private: it is a symbolic link`),
    })
  })

  test('gets its mode back where all in it is ours, with a warning', async ({ tried, state }) => {
    await tried('volumes list')
    chmodSync(state, 0o777)
    const { exit, stderr } = await tried('volumes list')
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: expect.stringContaining(`${state} was open to other users: its mode is now 0700`),
    })
    expect(statSync(state).mode & 0o777).toBe(0o700)
  })
})
