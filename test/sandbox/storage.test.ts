import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs, {
  appendFileSync,
  copyFileSync,
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
import { Tables } from '../../src/sandbox/database'
import { heldFile, resetState, sharedFile } from '../../src/sandbox/file-storage'
import { StateFile } from '../../src/sandbox/state-file'
import { failed } from '../files/watched'
import { bundleScript } from '../support/bundle'
import { test as base, type Service } from './fixture'

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
  file: async ({ folder }, use) => use(join(folder, 'state', 'world.ndjson')),
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

  test('grows by the same amount in a large world as in a small one', async ({ open, file }) => {
    const { call } = await open({ storage: sharedFile(file) })
    const growth = async () => {
      const before = statSync(file).size
      await call('POST /volumes', create)
      return statSync(file).size - before
    }
    const small = await growth()
    for (let count = 0; count < 100; count += 1) await call('POST /volumes', create)
    // The id of the event has more digits.
    expect(Math.abs((await growth()) - small)).toBeLessThan(10)
  })

  test('is not changed by reads or by refused requests', async ({ open, file }) => {
    const { call } = await open({ storage: sharedFile(file) })
    const before = readFileSync(file, 'utf8')
    await call('GET /volumes')
    await call('DELETE /volumes/3001')
    await call('POST /volumes', { body: { label: 'a', compute_id: 1005 } })
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  test.for<[records: number, most: number]>([
    [1, 1000],
    [300, 1200],
  ])('of %d records has at most %d lines, and is then rewritten', ([records, most], { file, folder }) => {
    mkdirSync(join(folder, 'state'))
    const tables = new Tables()
    const table = tables.add('few', {
      settle: (record: { id: number }) => record,
      complete: (record: { id: number }) => record,
    })
    const stateFile = new StateFile(file, tables, () => {
      for (let id = 1; id <= records; id += 1) table.put({ id })
    })
    const change = () => stateFile.change(() => table.put({ id: 1 }))
    const header = () => readFileSync(file, 'utf8').split('\n', 1)[0]
    const linesOfFile = () => readFileSync(file, 'utf8').split('\n').length - 2
    change()
    const first = header()
    while (linesOfFile() < most && header() === first) change()
    expect({ lines: linesOfFile(), isFirst: header() === first }).toEqual({ lines: most, isFirst: true })
    change()
    expect({ lines: linesOfFile(), isFirst: header() === first }).toEqual({ lines: records, isFirst: false })
  })

  test('is not rewritten for its size as long as all records are in use', async ({ open, file }) => {
    const { call } = await open({ storage: heldFile(file) })
    const megabyte = { tags: ['x'.repeat(1024 * 1024 - 100)] }
    for (const id of [3001, 3002, 3003, 3004, 3005]) await call(`PUT /volumes/${id}`, { body: megabyte })
    const before = readFileSync(file, 'utf8')
    await call('PUT /volumes/3006', { body: { tags: [] } })
    expect(readFileSync(file, 'utf8').startsWith(before)).toBe(true)
  })

  test('is rewritten when it is long, and stays the same world', async ({ open, file }) => {
    const { call } = await open({ storage: sharedFile(file) })
    const other = await open({ storage: sharedFile(file) })
    const created = await call('POST /volumes', create)
    await call(`DELETE /volumes/${created.body.id}`)
    const change = () => call('PUT /volumes/3002', { body: { label: 'again' } })
    await change()
    // Like the file after 1,100 more such requests.
    const [line = ''] = readFileSync(file, 'utf8').trimEnd().split('\n').slice(-1)
    appendFileSync(file, `${line}\n`.repeat(1100))
    await change()
    expect(readFileSync(file, 'utf8').split('\n').length).toBeLessThan(400)
    expect((await other.call('GET /volumes/3002')).body.label).toBe('again')
    expect((await other.call('POST /volumes', create)).body.id).toBe(created.body.id + 1)
    expect((await call('GET /volumes')).body).toEqual((await other.call('GET /volumes')).body)
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
    expect(readdirSync(join(file, '..')).sort()).toEqual(['world.ndjson', 'world.ndjson.lock'])
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
    await resetState(join(file, '..', 'none.ndjson'))
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
    expect(readdirSync(join(file, '..'))).toEqual(['world.ndjson'])
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

  test.runIf(existsSync('/proc/self/fd')).for(['shared', 'held'])(
    'has one open descriptor for reading on demand, until the sandbox closes: %s',
    async (kind, { open, file }) => {
      const storage = () => (kind === 'held' ? heldFile(file) : sharedFile(file))
      await (await open({ storage: storage() })).sandbox.close()
      const { call, sandbox } = await open({ storage: storage() })
      copyFileSync(file, `${file}.copy`)
      for (const _ of [1, 2, 3]) await call('POST /volumes', create)
      await call('GET /volumes')
      expect(descriptorsOf(file)).toEqual([file])
      renameSync(`${file}.copy`, file)
      expect((await call('GET /volumes')).body.results).toBe(6)
      expect(descriptorsOf(file)).toEqual([file])
      await sandbox.close()
      expect(descriptorsOf(file)).toEqual([])
    },
  )
})

describe('a large world', slow, () => {
  const count = 5000
  /** A line for each volume, as requests write it. */
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => {
      const id = from + index
      const times = { created: '2026-01-01T00:00:00', updated: '2026-01-01T00:00:00' }
      const place = { region: 'us-east', hardware_type: 'nvme', compute_id: null, config_id: null }
      const record = {
        id,
        label: `volume-${id}`,
        status: 'active',
        size: 20,
        tags: [],
        ...times,
        ...place,
        ready_at: null,
      }
      return `${JSON.stringify([['volumes', id, record]])}\n`
    })

  /** Sandbox with `count` more volumes in its file, and the number of these lines parsed since it was opened. */
  const large = test.extend<{ largeWorld: Service & { parsed(): number } }>({
    largeWorld: async ({ open, file }, use) => {
      await (await open({ storage: sharedFile(file) })).sandbox.close()
      appendFileSync(file, lines(4000, 4000 + count).join(''))
      const parse = vi.spyOn(JSON, 'parse')
      const parsed = () => parse.mock.calls.filter(([text]) => text.startsWith('[["volumes",')).length
      await use({ ...(await open({ storage: sharedFile(file) })), parsed })
      parse.mockRestore()
    },
  })

  large.for([
    ['a volume', 'GET /volumes/8999', {}, 1],
    ['a page', 'GET /volumes?page=2&page_size=100', {}, 100],
    ['volumes with a label', 'GET /volumes', { headers: { 'X-Filter': '{"label":"volume-8000"}' } }, 1],
    [
      'volumes with a label and a size',
      'GET /volumes',
      { headers: { 'X-Filter': '{"label":{"+eq":"volume-8000"},"size":20}' } },
      1,
    ],
    [
      'volumes with a size and a label',
      'GET /volumes',
      { headers: { 'X-Filter': '{"size":20,"label":"volume-8000"}' } },
      1,
    ],
    ['a new volume', 'POST /volumes', create, 0],
    ['a changed volume', 'PUT /volumes/8999', { body: { label: 'other' } }, 1],
    ['another kind of record', 'GET /regions', {}, 0],
  ] as const)(
    'is parsed only as far as a request needs: %s',
    async ([, line, options, most], { largeWorld: { call, parsed } }) => {
      const { status } = await call(line, options)
      expect({ status, parsed: parsed() }).toEqual({ status: 200, parsed: most })
    },
  )

  large('is parsed once for repeated requests', async ({ largeWorld: { call, parsed } }) => {
    for (const _ of [1, 2]) await call('GET /volumes/8999')
    expect(parsed()).toBe(1)
  })

  large('is not rewritten for a change', async ({ largeWorld: { call }, file }) => {
    const before = readFileSync(file, 'utf8')
    await call('PUT /volumes/8999', { body: { label: 'other' } })
    expect(readFileSync(file, 'utf8').startsWith(before)).toBe(true)
  })

  large('is counted and filtered as a whole', async ({ largeWorld: { call } }) => {
    const last = await call('GET /volumes?page=51&page_size=100')
    expect(last.body).toMatchObject({ results: count + 6, pages: 51 })
    expect(last.body.data.map(({ id }: { id: number }) => id)).toEqual([8994, 8995, 8996, 8997, 8998, 8999])
    const some = await call('GET /volumes', { headers: { 'X-Filter': '{"label":{"+contains":"-899"}}' } })
    expect(some.body.results).toBe(10)
  })

  large('has changed records under their new label only, and no deleted ones', async ({ largeWorld, open, file }) => {
    await largeWorld.call('PUT /volumes/8000', { body: { label: 'näme "a"' } })
    await largeWorld.call('DELETE /volumes/8001')
    const { call } = await open({ storage: sharedFile(file) })
    const idsWithLabel = async (label: string) => {
      const { body } = await call('GET /volumes', {
        headers: { 'X-Filter': Buffer.from(JSON.stringify({ label })).toString('latin1') },
      })
      return body.data.map(({ id }: { id: number }) => id)
    }
    expect(await idsWithLabel('näme "a"')).toEqual([8000])
    expect([await idsWithLabel('volume-8000'), await idsWithLabel('volume-8001')]).toEqual([[], []])
    expect((await call('GET /volumes')).body.results).toBe(count + 5)
  })

  large('is the same after it was rewritten without parsing', async ({ open, file }) => {
    const before = await open({ storage: heldFile(file) })
    const world = () => JSON.stringify([...before.world.tables.contents()])
    const megabytes = Array.from({ length: 8 }, (_, index) => ({ tags: [String(index).repeat(1024 * 1024 - 100)] }))
    for (const body of megabytes) await before.call('PUT /volumes/3002', { body })
    // Only one of the eight megabytes, and the volumes, are in use.
    expect(statSync(file).size).toBeLessThan(6 * 1024 * 1024)
    const contents = world()
    await before.sandbox.close()
    const { world: after } = await open({ storage: heldFile(file) })
    expect(JSON.stringify([...after.tables.contents()])).toBe(contents)
  })

  large('reports the line of a damaged record when that record is requested', async ({ largeWorld, open, file }) => {
    await largeWorld.sandbox.close()
    const all = readFileSync(file, 'utf8').split('\n')
    const damaged = all.findIndex((line) => line.includes('"volume-8000"'))
    all[damaged] = all[damaged]?.replace('"size":20', '"size":') ?? ''
    writeFileSync(file, all.join('\n'))
    const { call } = await open({ storage: sharedFile(file) })
    expect((await call('GET /volumes/8001')).status).toBe(200)
    const reason = `${file} is damaged at line ${damaged + 1}`
    expect(await call('GET /volumes/8000')).toMatchObject({ status: 500, body: { errors: [{ field: null, reason }] } })
  })
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

describe('an incomplete last line', () => {
  test.for([
    '[["volumes",3007,{"id":3007,"label":"to',
    Buffer.from('[["volumes",3007,{"label":"é').subarray(0, -1),
    '[',
    '\u0000\u0000',
    `[["volumes",3007,{"id":3007,"label":"${'x'.repeat(5000)}`,
  ])('is ignored by readers and removed by writers: %j', async (incomplete, { open, file }) => {
    const first = await open({ storage: sharedFile(file) })
    await first.call('POST /volumes', create)
    const whole = readFileSync(file, 'utf8')
    appendFileSync(file, incomplete)
    const second = await open({ storage: sharedFile(file) })
    expect((await second.call('GET /volumes')).body.results).toBe(7)
    await second.call('POST /volumes', create)
    expect(readFileSync(file, 'utf8').startsWith(whole)).toBe(true)
    expect(readFileSync(file, 'utf8').endsWith('\n')).toBe(true)
    expect((await first.call('GET /volumes')).body.results).toBe(8)
  })
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

  test.for<[content: string, reason: string]>([
    ['{"contexts":{}}\n', foreign],
    ['hello', foreign],
    ['\n', foreign],
    ['{"skyctl_sandbox":1}\n', foreign],
    ['{"skyctl_sandbox":2,"mark":"0123456789abcdef"}', foreign],
    ['{"skyctl_sandbox":1,"mark":"0123456789abcdef"}\n', 'was written by another version of skyctl'],
  ])('is refused and left unchanged if it has no valid header: %j', async ([content, reason], { open, file }) => {
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, content)
    const refusal = { code: 'local', message: `${file} ${reason}` }
    await expect(open({ storage: sharedFile(file) })).rejects.toMatchObject(refusal)
    await expect(open({ storage: heldFile(file) })).rejects.toMatchObject(refusal)
    expect(readFileSync(file, 'utf8')).toBe(content)
    expect(readdirSync(join(file, '..'))).toEqual(['world.ndjson'])
  })

  test('is read if it has the current header', async ({ open, file }) => {
    mkdirSync(join(file, '..'))
    writeFileSync(file, '{"skyctl_sandbox":2,"mark":"0123456789abcdef"}\n')
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

  test('is refused with the number of a damaged line in the middle', async ({ open, file }) => {
    const { call } = await open({ storage: sharedFile(file) })
    await call('POST /volumes', create)
    const lines = readFileSync(file, 'utf8').split('\n')
    lines[4] = 'x'
    writeFileSync(file, lines.join('\n'))
    await expect(open({ storage: sharedFile(file) })).rejects.toMatchObject({
      code: 'local',
      message: `${file} is damaged at line 5`,
    })
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

  test('leaves no partial line on a full disk', async ({ open, file }) => {
    const { call } = await open({ storage: sharedFile(file) })
    const before = readFileSync(file, 'utf8')
    const write = fs.writeSync as (
      file: number,
      bytes: Uint8Array,
      offset: number,
      length: number,
      at: number,
    ) => number
    const half = (to: number, bytes: Uint8Array, offset: number, length: number, at: number) => {
      if (!String(bytes).includes(deletion)) return write(to, bytes, offset, length, at)
      if (offset > 0) throw failed('ENOSPC', 'no space left on device')
      return write(to, bytes, offset, 9, at)
    }
    const deletion = '["volumes",3002,null]'
    vi.spyOn(fs, 'writeSync').mockImplementation(half as typeof fs.writeSync)
    syncBuiltinESMExports()
    const { status, body } = await call('DELETE /volumes/3002')
    vi.restoreAllMocks()
    syncBuiltinESMExports()
    expect({ status, reason: body.errors[0].reason }).toEqual({
      status: 500,
      reason: expect.stringContaining(`cannot write ${file}: no space left on device`),
    })
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect((await call('DELETE /volumes/3002')).status).toBe(200)
  })
})
