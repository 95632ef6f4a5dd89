import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, vi } from 'vitest'
import { holdLock } from '../../src/files/lock'
import { heldFile, resetState, sharedFile } from '../../src/sandbox/file-storage'
import { failed } from '../files/watched'
import { bundleScript } from '../support/bundle'
import { test as base } from './fixture'

interface Files {
  folder: string
  file: string
  /** Starts a script in a process, which is killed when the test ends. */
  run: (script: string, ...args: string[]) => Promise<ChildProcess>
}

const test = base.extend<Files>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures this one needs
  folder: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
    await use(folder)
    rmSync(folder, { recursive: true, force: true })
  },
  file: async ({ folder }, use) => use(join(folder, 'state', 'world.json')),
  run: async ({ folder }, use) => {
    const children: ChildProcess[] = []
    await use(async (script, ...args) => {
      const path = await bundleScript(folder, script)
      const child = spawn('node', [path, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
      children.push(child)
      return child
    })
    for (const child of children) child.kill('SIGKILL')
  },
})

const create = { body: { label: 'a', region: 'us-east' } }

/** Creates a number of volumes in a shared file, and prints the id of each one that was answered. */
const creator = `
  import { sharedFile } from './sandbox/file-storage'
  import { openSandbox } from './sandbox/sandbox'
  async function main() {
    const [file = '', count] = process.argv.slice(2)
    const sandbox = await openSandbox({ storage: sharedFile(file) })
    const { baseUrl } = await sandbox.listen()
    for (let done = 0; done < Number(count); done += 1) {
      const answer = await fetch(baseUrl + '/volumes', {
        method: 'POST',
        headers: { Authorization: 'Bearer ' + sandbox.ownerToken, 'Content-Type': 'application/json' },
        body: JSON.stringify({ label: 'v' + process.pid, region: 'us-east' }),
      })
      const body = await answer.json()
      process.stdout.write((answer.status === 200 ? body.id : JSON.stringify(body)) + '\\n')
    }
    await sandbox.close()
  }
  main()
`

/** Collects the lines that a child prints until it ends, and kills it when there are enough. */
async function linesOf(child: ChildProcess, isEnough: (lines: string[]) => boolean = () => false): Promise<string[]> {
  const lines: string[] = []
  if (!child.stdout) return lines
  for await (const line of createInterface(child.stdout)) {
    lines.push(line)
    if (isEnough(lines)) child.kill('SIGKILL')
  }
  return lines
}

/** Target of a link; undefined if the link is gone. */
function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

/** Targets of this process's open descriptors of a file, also of a replaced one. */
function descriptorsOf(file: string): unknown[] {
  const links = readdirSync('/proc/self/fd').map((one) => linkOf(`/proc/self/fd/${one}`))
  return links.filter((link) => link === file || link === `${file} (deleted)`)
}

/** Processes and thousands of locks are slow on a busy machine. */
const slow = { timeout: 120_000 }

describe('a world in a file', slow, () => {
  test('survives a restart', async ({ open, file }) => {
    const first = await open({ storage: sharedFile(file) })
    const { body } = await first.call('POST /volumes', create)
    await first.call('DELETE /volumes/3002')
    await first.sandbox.close()
    const second = await open({ storage: sharedFile(file) })
    expect((await second.call(`GET /volumes/${body.id}`)).body).toEqual(body)
    expect((await second.call('GET /volumes/3002')).status).toBe(404)
    expect((await second.call('GET /volumes')).body.results).toBe(6)
  })

  test('continues a transition that began before a restart', async ({ open, file }) => {
    const first = await open({ storage: sharedFile(file) })
    await first.call('POST /volumes/3002/resize', { body: { size: 30 } })
    const second = await open({ storage: sharedFile(file) })
    expect((await second.call('GET /volumes/3002')).body.status).toBe('resizing')
    second.clock.advance(1000)
    expect((await second.call('GET /volumes/3002')).body.status).toBe('active')
  })

  test('is private: file 0600, new folder 0700', async ({ open, file, folder }) => {
    await open({ storage: sharedFile(file) })
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
    expect((statSync(join(folder, 'state')).mode & 0o777).toString(8)).toBe('700')
  })

  test('is not changed by reads or by refused requests', async ({ open, file }) => {
    const { call } = await open({ storage: sharedFile(file) })
    const before = readFileSync(file, 'utf8')
    await call('GET /volumes')
    await call('DELETE /volumes/3001')
    await call('POST /volumes', { body: { label: 'a', compute_id: 1005 } })
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  test('can be read, by a new process too, while another process has its lock', async ({ open, file }) => {
    const first = await open({ storage: sharedFile(file) })
    const { body } = await first.call('POST /volumes', create)
    const lock = await holdLock(`${file}.lock`)
    const second = await open({ storage: sharedFile(file) })
    for (const { call } of [first, second]) {
      expect((await call('GET /volumes')).body.results).toBe(7)
      expect((await call(`GET /volumes/${body.id}`)).body).toEqual(body)
    }
    expect(second.sandbox.describe().volumes).toHaveLength(7)
    expect(readdirSync(join(file, '..')).sort()).toEqual(['world.json', 'world.json.lock'])
    lock.release()
  })

  test('is not damaged by a byte order mark', async ({ open, file }) => {
    const first = await open({ storage: sharedFile(file) })
    await first.call('POST /volumes', create)
    writeFileSync(file, `\ufeff${readFileSync(file, 'utf8')}`)
    const second = await open({ storage: sharedFile(file) })
    for (const { call } of [second, first]) {
      expect((await call('POST /volumes', create)).status).toBe(200)
    }
    expect((await second.call('GET /volumes')).body.results).toBe(9)
    expect((await (await open({ storage: sharedFile(file) })).call('GET /volumes')).body.results).toBe(9)
    await resetState(file)
    expect((await second.call('GET /volumes')).body.results).toBe(6)
  })

  test('starts over after a reset, also in a process that has it open', async ({ open, file }) => {
    const { call } = await open({ storage: sharedFile(file) })
    await call('DELETE /volumes/3002')
    await call('POST /volumes', create)
    await resetState(file)
    expect((await call('GET /volumes/3002')).status).toBe(200)
    expect((await call('GET /volumes')).body.results).toBe(6)
    await resetState(join(file, '..', 'none.json'))
  })

  test('starts over after a reset even if it is longer than before', async ({ open, file }) => {
    const one = await open({ storage: sharedFile(file) })
    await one.call('DELETE /volumes/3002')
    await resetState(file)
    const two = await open({ storage: sharedFile(file) })
    for (const _ of [1, 2, 3]) await two.call('POST /volumes', create)
    expect((await one.call('GET /volumes')).body).toEqual((await two.call('GET /volumes')).body)
  })

  test('is the earlier one after the file was replaced by a copy', async ({ open, file }) => {
    const { call } = await open({ storage: sharedFile(file) })
    const copy = readFileSync(file)
    await call('POST /volumes', create)
    writeFileSync(file, copy)
    expect((await call('GET /volumes')).body.results).toBe(6)
  })

  test('has no temporary file left of a killed writer', async ({ open, file }) => {
    mkdirSync(join(file, '..'))
    writeFileSync(`${file}.0123456789abcdef.tmp`, 'half')
    await open({ storage: sharedFile(file) })
    expect(readdirSync(join(file, '..'))).toEqual(['world.json'])
  })

  test.runIf(existsSync('/proc/self/fd')).for(['shared', 'held'])(
    'is closed after each request: %s',
    async (kind, { open, file }) => {
      const { call } = await open({ storage: kind === 'held' ? heldFile(file) : sharedFile(file) })
      await call('POST /volumes', create)
      await call('GET /volumes')
      expect(descriptorsOf(file)).toEqual([])
    },
  )
})

describe('several processes', slow, () => {
  test('see the changes of others at the next request', async ({ open, file }) => {
    const one = await open({ storage: sharedFile(file) })
    const two = await open({ storage: sharedFile(file) })
    const { body } = await one.call('POST /volumes', create)
    expect((await two.call(`GET /volumes/${body.id}`)).status).toBe(200)
    await two.call(`DELETE /volumes/${body.id}`)
    expect((await one.call(`GET /volumes/${body.id}`)).status).toBe(404)
  })

  test('lose no changes and share no ids', async ({ open, file, run }) => {
    const children = await Promise.all(Array.from({ length: 4 }, () => run(creator, file, '25')))
    const ids = (await Promise.all(children.map((child) => linesOf(child)))).flat().map(Number)
    expect(new Set(ids).size).toBe(100)
    const { world } = await open({ storage: sharedFile(file) })
    expect(world.volumes.size).toBe(106)
    expect(ids.every((id) => world.volumes.get(id))).toBe(true)
  })

  test.for([1, 20])(
    'leave a valid file with all answered changes if one is killed after %d answers',
    async (answers, { open, file, run }) => {
      const child = await run(creator, file, '100000')
      const ids = (await linesOf(child, (lines) => lines.length >= answers)).map(Number)
      expect(ids.length).toBeGreaterThanOrEqual(answers)
      const { world, call } = await open({ storage: sharedFile(file) })
      for (const id of ids) expect(world.volumes.get(id)).toBeDefined()
      expect(world.volumes.size - 6 - ids.length).toBeGreaterThanOrEqual(0)
      expect((await call('POST /volumes', create)).status).toBe(200)
    },
  )
})

describe('a file held by a sandbox', () => {
  test('is refused to a second sandbox until the first closes', async ({ open, file }) => {
    const first = await open({ storage: heldFile(file) })
    const { body } = await first.call('POST /volumes', create)
    await expect(open({ storage: heldFile(file) })).rejects.toMatchObject({ code: 'local' })
    await first.sandbox.close()
    const second = await open({ storage: heldFile(file) })
    expect((await second.call(`GET /volumes/${body.id}`)).status).toBe(200)
  })

  test('is not written any more after another sandbox took it over', async ({ open, file }) => {
    const { call } = await open({ storage: heldFile(file) })
    const text = readFileSync(`${file}.lock`, 'utf8')
    writeFileSync(`${file}.lock`, text.replace(/"mark":"\w+"/, '"mark":"0123456789abcdef"'))
    const before = readFileSync(file, 'utf8')
    const { status, body } = await call('POST /volumes', create)
    expect({ status, reason: body.errors[0].reason }).toEqual({
      status: 500,
      reason: `${file} was taken over by another sandbox while this one was suspended`,
    })
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  test('is not reset', async ({ open, file }) => {
    const { call } = await open({ storage: heldFile(file) })
    await call('DELETE /volumes/3002')
    await expect(resetState(file)).rejects.toMatchObject({ code: 'local' })
    expect((await call('GET /volumes/3002')).status).toBe(404)
  })

  test('is free again after its holder was killed', async ({ open, file, run }) => {
    const holder = await run(
      `
      import { heldFile } from './sandbox/file-storage'
      import { openSandbox } from './sandbox/sandbox'
      async function main() {
        const sandbox = await openSandbox({ storage: heldFile(process.argv[2] ?? '') })
        process.stdout.write((await sandbox.listen()).baseUrl + '\\n')
      }
      main()`,
      file,
    )
    const exited = once(holder, 'exit')
    expect(await linesOf(holder, (lines) => lines.length === 1)).toEqual([expect.stringContaining('http://127.0.0.1:')])
    await exited
    const { call } = await open({ storage: heldFile(file) })
    expect((await call('GET /volumes')).status).toBe(200)
  })
})

describe('a state file', () => {
  const foreign = 'is not a sandbox state file'
  const start = '{"skyctl_sandbox":3,"mark":"0123456789abcdef"'

  test.for<[content: string, reason: string]>([
    ['{"contexts":{}}\n', foreign],
    ['hello', foreign],
    ['\n', foreign],
    ['{"skyctl_sandbox":3,"tables":{}}\n', foreign],
    ['{"skyctl_sandbox":2,"mark":"0123456789abcdef"}\n', 'was written by another version of skyctl'],
    [start, 'is damaged'],
    [`${start},"tables":{"volumes":`, 'is damaged'],
    [`${start}}`, 'is damaged'],
    [`${start},"tables":{"volumes":{"last_id":1,"records":[7]}}}`, 'is damaged'],
  ])(
    'is refused and left unchanged if it is no document of this version: %j',
    async ([content, reason], { open, file }) => {
      mkdirSync(join(file, '..'), { recursive: true })
      writeFileSync(file, content)
      const refusal = { code: 'local', message: `${file} ${reason}` }
      await expect(open({ storage: sharedFile(file) })).rejects.toMatchObject(refusal)
      await expect(open({ storage: heldFile(file) })).rejects.toMatchObject(refusal)
      expect(readFileSync(file, 'utf8')).toBe(content)
      expect(readdirSync(join(file, '..'))).toEqual(['world.json'])
    },
  )

  test('is read if it has the current format', async ({ open, file }) => {
    mkdirSync(join(file, '..'))
    writeFileSync(file, `${start},"tables":{}}\n`)
    expect((await open({ storage: sharedFile(file) })).world.users.all()).toEqual([])
  })

  test('is not removed by a reset if it is a folder', async ({ folder }) => {
    await expect(resetState(folder)).rejects.toMatchObject({ code: 'local', message: expect.stringContaining(folder) })
  })

  test('is not removed by a reset if it is another file', async ({ folder }) => {
    const file = join(folder, 'notes.txt')
    writeFileSync(file, 'mine\n')
    await expect(resetState(file)).rejects.toMatchObject({ code: 'local' })
    expect(readFileSync(file, 'utf8')).toBe('mine\n')
  })

  test('is accepted and reset if it is empty, as mktemp creates it', async ({ open, folder }) => {
    const file = join(folder, 'empty')
    writeFileSync(file, '')
    expect((await (await open({ storage: heldFile(file) })).call('GET /volumes')).body.results).toBe(6)
    const another = join(folder, 'another')
    writeFileSync(another, '')
    await resetState(another)
    expect(existsSync(another)).toBe(false)
  })
})

describe('a request that cannot be saved', () => {
  test('fails and changes nothing', async ({ open, file }) => {
    const { call, world } = await open({ storage: sharedFile(file) })
    renameSync(file, `${file}.aside`)
    mkdirSync(file)
    const { status, body } = await call('DELETE /volumes/3002')
    expect(status).toBe(500)
    expect(body.errors).toMatchObject([{ field: null, reason: expect.stringContaining(file) }])
    expect(world.volumes.get(3002)).toBeDefined()
    rmSync(file, { recursive: true })
    renameSync(`${file}.aside`, file)
    expect((await call('DELETE /volumes/3002')).status).toBe(200)
  })

  test('leaves the file as it was on a full disk', async ({ open, file }) => {
    const { call } = await open({ storage: sharedFile(file) })
    const before = readFileSync(file, 'utf8')
    const write = fs.writeFileSync
    vi.spyOn(fs, 'writeFileSync').mockImplementation((path, data, options) => {
      write(path, String(data).slice(0, 9), options)
      throw failed('ENOSPC', 'no space left on device')
    })
    syncBuiltinESMExports()
    const { status, body } = await call('DELETE /volumes/3002')
    vi.restoreAllMocks()
    syncBuiltinESMExports()
    expect({ status, reason: body.errors[0].reason }).toEqual({
      status: 500,
      reason: expect.stringContaining(`cannot write ${file}: no space left on device`),
    })
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(readdirSync(join(file, '..'))).toEqual(['world.json'])
    expect((await call('DELETE /volumes/3002')).status).toBe(200)
  })
})
