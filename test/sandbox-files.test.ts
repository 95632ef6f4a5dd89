/** Files of the context "sandbox": its folder is private, and its lock must be a lock. */
import { execFileSync } from 'node:child_process'
import fs, { chmodSync, existsSync, mkdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { failed } from './files/watched'
import { test as base, type Result } from './support/skyctl'

const test = base.extend<{ state: string; onSandbox(line: string): Promise<Result> }>({
  state: async ({ env }, use) => use(String(env.SKYCTL_STATE_DIR)),
  onSandbox: async ({ skyctl }, use) =>
    use(async (line) => {
      const env = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
      return skyctl(`--context sandbox ${line}`, { env })
    }),
})

const create = 'volumes create --label new --region us-east --size 20'

describe('an invalid lock of the sandbox', () => {
  const kinds: [what: string, put: (path: string) => void][] = [
    ['a folder', (path) => mkdirSync(path)],
    ['a FIFO', (path) => void execFileSync('mkfifo', [path])],
    ['a link', (path) => symlinkSync('/dev/zero', path)],
  ]

  test.for(kinds)('stops a change with exit code 12 and its path: %s', async ([, put], { onSandbox, state }) => {
    expect((await onSandbox('volumes list')).exit).toBe(0)
    const lock = join(state, 'sandbox.json.lock')
    put(lock)
    for (const line of [create, 'volumes update data-1 --label other', 'volumes delete data-2 --yes']) {
      const { exit, stderr } = await onSandbox(line)
      expect({ line, exit, stderr }).toEqual({
        line,
        exit: 12,
        stderr: expect.stringContaining(`${lock} is not your lock file`),
      })
    }
    const json = JSON.parse((await onSandbox(`${create} --json`)).stderr.trim().split('\n').at(-1) ?? '')
    expect(json.error).toMatchObject({ code: 'local', exit_code: 12 })
    // Reading needs no lock.
    expect(await onSandbox('volumes view data-1 -q')).toMatchObject({ exit: 0, stdout: '3001\n' })
    expect((await onSandbox('volumes view new')).exit).toBe(5)
  })

  test('is named for several targets, too', async ({ onSandbox, state }) => {
    await onSandbox('volumes list')
    mkdirSync(join(state, 'sandbox.json.lock'))
    const { exit, stderr } = await onSandbox('volumes delete data-1 data-2 --yes')
    expect(exit).toBe(12)
    expect(stderr).toContain('sandbox.json.lock is not your lock file')
  })
})

describe('the sandbox file', () => {
  test.for<[what: string, put: (path: string) => void]>([
    ['a FIFO', (path) => void execFileSync('mkfifo', [path])],
    ['a link to a device', (path) => symlinkSync('/dev/zero', path)],
    ['a folder', (path) => mkdirSync(path)],
  ])('is rejected at once and not replaced if it is %s', async ([, put], { onSandbox, state }) => {
    mkdirSync(state, { recursive: true, mode: 0o700 })
    const path = join(state, 'sandbox.json')
    put(path)
    for (const line of ['volumes list', create, 'sandbox world', 'sandbox reset --yes']) {
      const { exit, stderr } = await onSandbox(line)
      expect({ line, exit, stderr }).toEqual({
        line,
        exit: 12,
        stderr: expect.stringContaining(`"${path}": it is not a regular file`),
      })
    }
    expect(statSync(path).isFile()).toBe(false)
  })
})

describe('a sandbox whose file cannot be replaced', () => {
  /** Lets the replacement of the file fail, after it was done or instead. */
  function failReplacing(state: string, isDone: boolean): void {
    const rename = fs.renameSync
    vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      const isState = String(to) === join(state, 'sandbox.json')
      if (!isState || isDone) rename(from, to)
      if (isState) throw failed('EIO', 'i/o error')
    })
    syncBuiltinESMExports()
    onTestFinished(() => {
      vi.restoreAllMocks()
      syncBuiltinESMExports()
    })
  }

  test.for([create, 'volumes update data-1 --label other', 'volumes delete data-2 --yes'])(
    'leaves the outcome of a change unknown, with exit code 11 and the reason: %s',
    async (line, { onSandbox, state }) => {
      await onSandbox('volumes list')
      failReplacing(state, false)
      expect(await onSandbox(line)).toEqual({
        exit: 11,
        stdout: '',
        stderr: expect.stringMatching(/was sent, but its answer was lost: cannot write \S+sandbox\.json: i\/o error/),
      })
      expect(JSON.parse((await onSandbox('history list --json')).stdout)).toMatchObject([{ outcome: 'unknown' }])
    },
  )

  test.for([create, 'volumes update data-1 --label other', 'volumes delete data-2 --yes'])(
    'has made a change that a read shows: %s',
    async (line, { onSandbox, state }) => {
      await onSandbox('volumes list')
      failReplacing(state, true)
      expect(await onSandbox(line)).toMatchObject({ exit: 0 })
      expect(JSON.parse((await onSandbox('history list --json')).stdout)).toMatchObject([{ outcome: 'ok' }])
    },
  )
})

describe('the sandbox folder', () => {
  const all = ['volumes list', create, 'sandbox world', 'sandbox outbox', 'sandbox reset --yes']

  test.for(all)(
    'is rejected if others can write to it and it has foreign files: %s',
    async (line, { onSandbox, state }) => {
      mkdirSync(state, { recursive: true })
      writeFileSync(join(state, 'of-others'), '')
      chmodSync(state, 0o777)
      const { exit, stderr } = await onSandbox(line)
      expect({ exit, stderr }).toEqual({
        exit: 12,
        stderr: expect.stringContaining(`${state} is not private: others can write to it`),
      })
      expect(existsSync(join(state, 'sandbox.json'))).toBe(false)
    },
  )

  test.for(all)('is rejected if it is a symbolic link: %s', async (line, { onSandbox, state }) => {
    mkdirSync(state, { recursive: true, mode: 0o700 })
    renameSync(state, `${state}.other`)
    symlinkSync(`${state}.other`, state)
    const { exit, stderr } = await onSandbox(line)
    expect({ exit, stderr }).toEqual({
      exit: 12,
      stderr: expect.stringContaining(`${state} is not private: it is a symbolic link`),
    })
  })

  test("becomes private again if all its files are skyctl's, with a warning", async ({ onSandbox, state }) => {
    await onSandbox('volumes list')
    chmodSync(state, 0o777)
    const { exit, stderr } = await onSandbox('volumes list')
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: expect.stringContaining(`${state} was open to other users: its mode is now 0700`),
    })
    expect(statSync(state).mode & 0o777).toBe(0o700)
  })
})
