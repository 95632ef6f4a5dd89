/** `--debug-file`: what --debug shows, line by line with its time and request. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { version } from '../package.json'
import { openDebugFile } from '../src/debug-file'
import { test as base } from './support/skyctl'

const time = '2026-01-15T12:00:00.000Z'
const clock = { now: () => Date.parse(time) }

const test = base.extend<{
  open(name?: string): ReturnType<typeof openDebugFile>
  /** What the file holds, without its time, which is checked. */
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
  test('has a line of the run, of what it notes, and of each attempt', ({ open, lines }) => {
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

  test('holds no secret, nothing that commands a terminal, and is for its owner alone', ({ open, lines, home }) => {
    const file = open()
    file.note('a secret\u001b[2J')
    file.close()
    expect(lines().at(-1)).toMatch(/^\S+ a \*\*\*\\x1b\[2J$/)
    expect(statSync(join(home, 'debug.log')).mode & 0o777).toBe(0o600)
  })

  test('is shared by runs, each of which has a name', ({ open, lines }) => {
    for (const _ of [1, 2]) open().close()
    const [one, other, ...more] = lines().map((line) => line.split(' ')[0])
    expect(more).toEqual([])
    expect(one).not.toBe(other)
  })
})

test('a debug file that takes no more is told of once', ({ home }) => {
  const lost: string[] = []
  const given = { clock, clean: String, warn: () => {}, lost: (reason: string) => void lost.push(reason) }
  const file = openDebugFile(join(home, 'debug.log'), given)
  file.note('one')
  file.close()
  expect(lost).toEqual([])
  for (const text of ['two', 'three']) file.note(text)
  expect(lost).toEqual([expect.stringMatching(/^the debug file is incomplete from here on: \S/)])
})

describe('a run with one', () => {
  test('has the requests in it, numbered from 1, and shows none', async ({ skyctl, home, lines }) => {
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
