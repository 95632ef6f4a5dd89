/** `--debug-file`: the lines of --debug, with time and request. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { version } from '../package.json'
import { openDebugFile } from '../src/cli/debug-file'
import { faultServer, reply } from './support/fault-server'
import { test as base } from './support/skyctl'

const time = '2026-01-15T12:00:00.000Z'
const clock = { now: () => Date.parse(time) }

const test = base.extend<{
  open(name?: string): ReturnType<typeof openDebugFile>
  /** Checks the time of each line of the file; returns the lines without it. */
  lines(name?: string): string[]
}>({
  open: async ({ home }, use) =>
    use((name = 'debug.log') =>
      openDebugFile(join(home, name), {
        clock,
        clean: (text) => text.replaceAll('secret', '***'),
        warn: () => {},
        lost: () => {},
      }),
    ),
  lines: async ({ home }, use) =>
    use((name = 'debug.log') =>
      readFileSync(join(home, name), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => {
          expect(line.slice(0, time.length + 1)).toBe(`${time} `)
          return line.slice(time.length + 1)
        }),
    ),
})

describe('a debug file', () => {
  test('has a line for the run, for each note and for each attempt', ({ open, lines }) => {
    const file = open()
    file.note('attempt 2 of 3')
    file.tell({ request: 1, attempt: 2, text: '> GET /volumes' })
    file.tell({ request: 1, attempt: 2, text: '< 200', serviceId: 'abc' })
    file.close()
    const [run = ''] = /^[0-9a-f]{8}/.exec(lines()[0] ?? '') ?? []
    expect(run).toHaveLength(8)
    expect(lines()).toEqual([
      `${run} skyctl ${version} begins`,
      `${run} attempt 2 of 3`,
      `${run}.1.2 > GET /volumes`,
      `${run}.1.2 < 200, request id abc`,
    ])
  })

  test('has no secrets and no control characters, and is private', ({ open, lines, home }) => {
    const file = open()
    file.note('a secret\u001b[2J')
    file.close()
    expect(lines().at(-1)).toMatch(/^\S+ a \*\*\*\\x1b\[2J$/)
    expect(statSync(join(home, 'debug.log')).mode & 0o777).toBe(0o600)
  })

  test('is shared by runs, each with its own id', ({ open, lines }) => {
    for (const _ of [1, 2]) open().close()
    const [one, other, ...more] = lines().map((line) => line.split(' ')[0])
    expect(more).toEqual([])
    expect(one).not.toBe(other)
  })
})

test('a debug file that cannot be written causes one warning', ({ home }) => {
  const warnings: string[] = []
  const options = { clock, clean: String, warn: () => {}, lost: (reason: string) => void warnings.push(reason) }
  const file = openDebugFile(join(home, 'debug.log'), options)
  file.note('one')
  file.close()
  expect(warnings).toEqual([])
  for (const text of ['two', 'three']) file.note(text)
  expect(warnings).toEqual([expect.stringMatching(/^the debug file is incomplete from here on: \S/)])
})

describe('a command with a debug file', () => {
  test('writes its requests to it, numbered from 1, and prints none', async ({ skyctl, home, lines }) => {
    const { stderr } = await skyctl(['volumes', 'view', '3001', '3002', '--debug-file', join(home, 'debug.log')])
    expect(stderr).toBe('')
    const marks = lines().map((line) => line.split(' ')[0]?.replace(/^[0-9a-f]{8}/, ''))
    expect(marks[0]).toBe('')
    expect([...new Set(marks.slice(1))].toSorted()).toEqual(['.1.1', '.2.1'])
  })

  test.runIf(existsSync('/proc/self/fd'))('closes it', async ({ skyctl, home }) => {
    const path = join(home, 'debug.log')
    await skyctl(['volumes', 'view', '3001', '--debug-file', path])
    const { dev, ino } = statSync(path)
    const open = readdirSync('/proc/self/fd').flatMap(
      (file) => statSync(`/proc/self/fd/${file}`, { throwIfNoEntry: false }) ?? [],
    )
    expect(open.filter((file) => file.dev === dev && file.ino === ino)).toEqual([])
  })
})

describe('--debug-file', () => {
  const linesOf = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n')
  const stamp = '2026-01-15T12:00:00\\.\\d{3}Z'

  test('has the output of --debug, each line with its time, run, request and attempt', async ({ skyctl, home }) => {
    const file = join(home, 'debug.log')
    const { stderr } = await skyctl(`volumes view 3001 --debug --debug-file ${file}`)
    const [begin = '', ...rest] = linesOf(file)
    expect(begin).toMatch(new RegExp(`^${stamp} [0-9a-f]{8} skyctl \\d+\\.\\d+\\.\\d+ begins$`))
    const run = begin.split(' ')[1]
    expect(rest.map((line) => line.replace(new RegExp(`^${stamp} ${run}\\.1\\.1 `), ''))).toEqual(
      stderr.trimEnd().split('\n'),
    )
    expect(stderr).toContain('> authorization: [redacted]')
  })

  test('works without --debug, and prints nothing to stderr', async ({ skyctl, home }) => {
    const file = join(home, 'debug.log')
    expect(await skyctl('volumes list', { env: { SKYCTL_DEBUG_FILE: file } })).toMatchObject({ exit: 0, stderr: '' })
    expect(linesOf(file).join('\n')).toMatch(/ < 200 in \d+ ms/)
  })

  test('distinguishes attempts, with their duration and request id', async ({ skyctl, home }) => {
    const file = join(home, 'debug.log')
    const page = { data: [], page: 1, pages: 1, results: 0 }
    const server = await faultServer([
      reply(503, {}, { 'X-Request-Id': 'first-1' }),
      (socket) => socket.destroy(),
      reply(200, page, { 'Request-Id': 'last-3' }),
    ])
    const env = { SKYCTL_BASE_URL: `http://${server.host}/v4` }
    expect((await skyctl(`volumes list --debug-file ${file}`, { env })).exit).toBe(0)
    const messages = linesOf(file).map((line) => line.replace(/^\S+ [0-9a-f]{8}/, ''))
    expect(messages).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^\.1\.1 < 503 in \d+ ms, request id first-1$/),
        expect.stringMatching(/^ GET \/volumes\?\S+: status 503; attempt 2 of 3 in 0\.3s$/),
        expect.stringMatching(/^\.1\.2 < .+ after \d+ ms$/),
        expect.stringMatching(/^\.1\.3 < 200 in \d+ ms, request id last-3$/),
      ]),
    )
  })

  test('appends to the file, and makes it private under any umask and mode', async ({ skyctl, home }) => {
    const file = join(home, 'debug.log')
    writeFileSync(file, 'before\n')
    chmodSync(file, 0o644)
    const before = process.umask(0)
    try {
      const { stderr } = await skyctl(`volumes list --debug-file ${file}`)
      expect(stderr).toBe(`skyctl: warning: ${file} was open to other users: its mode is now 0600\n`)
      await skyctl(`regions list --debug-file ${file}`)
      await skyctl(`regions list --debug-file ${file}.new`)
    } finally {
      process.umask(before)
    }
    expect(linesOf(file)[0]).toBe('before')
    expect(linesOf(file).filter((line) => line.endsWith('begins'))).toHaveLength(2)
    expect([file, `${file}.new`].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600])
  })

  test.for([
    { what: 'in a missing folder', path: 'none/debug.log', make: () => {} },
    { what: 'that is a folder', path: 'folder', make: (path: string) => void mkdirSync(path) },
    { what: 'that is a link', path: 'link', make: (path: string) => symlinkSync('elsewhere', path) },
  ])('$what fails with 12 before anything is sent', async ({ path, make }, { skyctl, home, world }) => {
    const file = join(mkdtempSync(join(home, 'place-')), path)
    make(file)
    const { exit, stdout, stderr } = await skyctl(`volumes delete 3001 --yes --json --debug-file ${file}`)
    expect({ exit, stdout, sent: world.requests() }).toEqual({ exit: 12, stdout: '', sent: [] })
    expect(JSON.parse(stderr).error.message).toContain(`cannot write ${file}`)
  })

  test('on a full disk fails with 12 before anything is sent', async ({ skyctl, world }) => {
    const { exit, stderr } = await skyctl('volumes delete 3001 --yes --debug-file /dev/full')
    expect({ exit, sent: world.requests() }).toEqual({ exit: 12, sent: [] })
    expect(stderr).toContain('cannot write /dev/full')
  })
})
