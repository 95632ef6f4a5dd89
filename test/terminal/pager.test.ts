/** Pager for output that is longer than the screen. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test as plainTest } from 'vitest'
import { pagerNamed } from '../../src/cli/pager'
import { program } from '../../src/commands/index'
import { commandsIn, loadTree } from '../../src/engine/command-nodes'
import type { World } from '../support/sandbox'
import { keys, processTest as test } from '../support/terminal'

/** A pager that marks each line. */
const marking = { SKYCTL_PAGER: "sed 's/^/| /'" }
const isPaged = (screen: readonly string[]) => screen.some((line) => line.startsWith('| '))

function manyVolumes(world: World, count = 60): void {
  for (let index = 0; index < count; index += 1) world.volume({ label: `many-${index}` })
}

describe('The pager', () => {
  test('gets all of a list that is longer than the screen', async ({ terminal, world }) => {
    manyVolumes(world)
    const { exit, screen } = await terminal('volumes list', { env: marking }).end
    expect(exit).toBe(0)
    expect(screen.every((line) => line.startsWith('| '))).toBe(true)
    expect(screen.filter((line) => line.includes('many-'))).toHaveLength(60)
  })

  test.for([
    [8, false],
    [9, true],
  ] as const)(
    'is used if no row is left for the shell prompt: a heading and %i lines on 10 rows: %s',
    async ([limit, paged], { terminal, world }) => {
      manyVolumes(world)
      const { end } = terminal(`volumes list --columns id,label --limit ${limit}`, { env: marking, rows: 10 })
      expect(isPaged((await end).screen)).toBe(paged)
    },
  )

  test.for([
    [4, true],
    [20, false],
  ] as const)(
    'is used if wrapped lines are longer than the screen: %i rows: %s',
    async ([rows, paged], { terminal }) => {
      const { screen } = await terminal('volumes list -o ndjson --limit 1', { env: marking, rows }).end
      expect(isPaged(screen)).toBe(paged)
    },
  )

  test.for(['', '--help', 'volumes --help', 'volumes create --help', 'help', 'help flags'])(
    'is not used for a page of help, so that the next command reaches the shell: skyctl %s',
    async (line, { terminal }) => {
      for (const columns of [60, 80]) {
        const { exit, screen } = await terminal(line, { env: marking, rows: 24, columns }).end
        expect({ exit, paged: isPaged(screen) }).toEqual({ exit: 0, paged: false })
      }
    },
  )

  test.for([
    'volumes list --json',
    'volumes create --help --all',
    'help account-file',
    '--context sandbox sandbox world',
  ])('gets each format of a command that reads: %s', async (line, { terminal, world }) => {
    manyVolumes(world)
    const { exit, screen } = await terminal(line, { env: marking, rows: 12 }).end
    expect({ exit, paged: isPaged(screen) }).toEqual({ exit: 0, paged: true })
  })

  test('is not used for output to a pipe', async ({ shellTerminal, world }) => {
    manyVolumes(world)
    const { screen } = await shellTerminal('skyctl volumes list --json | cat', { env: marking }).end
    expect(isPaged(screen)).toBe(false)
  })

  test('gets colours and settings for less and lv, but no token', async ({ terminal, world }) => {
    manyVolumes(world)
    const colored = terminal('volumes list', { env: marking })
    await colored.end
    expect(colored.raw()).toMatch(/\x1b\[32mactive/)
    const { screen } = await terminal('volumes list', { env: { SKYCTL_PAGER: 'cat >/dev/null; env' } }).end
    expect(screen).toEqual(expect.arrayContaining([expect.stringMatching(/^LESS=FRX /), 'LV=-c']))
    expect(screen.filter((line) => line.startsWith('SKYCTL_TOKEN='))).toEqual([])
    const own = { SKYCTL_PAGER: 'cat >/dev/null; env', LESS: 'S', LV: '' }
    expect((await terminal('volumes list', { env: own }).end).screen).toEqual(expect.arrayContaining(['LESS=S', 'LV=']))
  })

  test.for<[Record<string, string | undefined>, string | undefined]>([
    [{ SKYCTL_PAGER: undefined }, '1'],
    [{ SKYCTL_PAGER: undefined, LESSSECURE: '' }, ''],
    [{}, undefined],
  ])('gets LESSSECURE only if neither it nor SKYCTL_PAGER is set: %j', async ([env, expected], { terminal, world }) => {
    manyVolumes(world)
    const pager = 'cat >/dev/null; env'
    const { screen } = await terminal('volumes list', { env: { PAGER: pager, SKYCTL_PAGER: pager, ...env } }).end
    expect(screen.find((line) => line.startsWith('LESSSECURE='))?.slice('LESSSECURE='.length)).toBe(expected)
  })

  test('is skipped with a warning if it cannot run', async ({ terminal, world }) => {
    manyVolumes(world)
    for (const SKYCTL_PAGER of ['no-such-pager --flag']) {
      const { exit, screen } = await terminal('volumes list', { env: { SKYCTL_PAGER } }).end
      expect(exit).toBe(0)
      expect(screen.filter((line) => line.includes('many-'))).toHaveLength(60)
      const warning = `skyctl: warning: cannot run the pager "${SKYCTL_PAGER}"; set SKYCTL_PAGER to another`
      expect(screen.join(' ')).toContain(warning)
    }
  })

  test('is skipped without a warning if less is not installed', async ({ terminal, world, home }) => {
    manyVolumes(world)
    const env = { PAGER: undefined, PATH: join(home, 'bin') }
    const { exit, screen } = await terminal('volumes list --columns id,label,status', { env }).end
    expect(exit).toBe(0)
    expect(screen[0]).toMatch(/^ +ID {2}LABEL/)
    expect(screen.filter((line) => !/many-|data|active/.test(line))).toHaveLength(1)
  })

  test('keeps the exit code of the command, and messages follow it', async ({ terminal, world }) => {
    manyVolumes(world)
    const line = 'volumes view many-0 many-1 no-such-volume many-2 many-3'
    const { exit, screen } = await terminal(line, { env: marking, rows: 5 }).end
    expect(exit).toBe(9)
    expect(screen.filter((one) => one.startsWith('| '))).toHaveLength(5)
    expect(screen.findIndex((one) => one.includes('volume "no-such-volume" not found'))).toBeGreaterThan(4)
  })

  test('ends before the messages of a successful command', async ({ terminal }) => {
    const env = { ...marking, SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined, SKYCTL_CONTEXT: 'sandbox' }
    const { screen } = await terminal('context list', { env, rows: 2 }).end
    expect(screen.slice(0, 2).every((one) => one.startsWith('| '))).toBe(true)
    expect(screen.slice(2)).toEqual(['Current context: sandbox (from SKYCTL_CONTEXT)'])
  })

  test('is not used for short output, which messages follow', async ({ terminal }) => {
    const env = { ...marking, SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined, SKYCTL_CONTEXT: 'sandbox' }
    const { screen } = await terminal('context list', { env }).end
    expect(screen[0]).toMatch(/^NAME/)
    expect(screen.slice(2)).toEqual(['Current context: sandbox (from SKYCTL_CONTEXT)'])
  })

  test('ends with the command on SIGTERM', async ({ shellTerminal, world, home }) => {
    manyVolumes(world)
    const pid = join(home, 'pager')
    const env = { SKYCTL_PAGER: `echo $$ >'${pid}'; echo started; exec sleep 600` }
    const { end, until } = shellTerminal('skyctl volumes list & wait $!; echo "exit $?"', { env })
    await until('started')
    process.kill(parentOf(Number(readFileSync(pid, 'utf8'))), 'SIGTERM')
    const { screen } = await end
    expect(screen).toContain('exit 143')
    expect(isRunning(pid)).toBe(false)
  })
})

plainTest.for<[Record<string, string>, string | undefined]>([
  [{}, 'less'],
  [{ PAGER: 'most' }, 'most'],
  [{ PAGER: 'most', SKYCTL_PAGER: 'less -S' }, 'less -S'],
  [{ PAGER: 'most', SKYCTL_PAGER: '' }, undefined],
  [{ PAGER: 'most', SKYCTL_PAGER: ' cat ' }, undefined],
  [{ PAGER: 'cat' }, undefined],
  [{ PAGER: '', SKYCTL_PAGER: 'less' }, 'less'],
  [{ TERM: 'dumb', SKYCTL_PAGER: 'less' }, undefined],
])('The pager with %j is %j', ([env, expected]) => {
  expect(pagerNamed(env)).toBe(expected)
})

describe.skipIf(spawnSync('less', ['--version']).error !== undefined)('less', () => {
  /** Runs less, and writes its process id to a file. */
  const less = (home: string) => {
    const pid = join(home, 'pager')
    return { pid, env: { SKYCTL_PAGER: `echo $$ >'${pid}'; exec less`, LESS: undefined } }
  }

  test('ends on q without an error, and no process stays', async ({ terminal, world, home }) => {
    manyVolumes(world, 3000)
    const { pid, env } = less(home)
    for (const format of ['', ' -o ndjson']) {
      const { end, until, type } = terminal(`volumes list${format}`, { env })
      await until(/^q: quit, h: help$/m)
      type('q')
      const { exit, screen } = await end
      expect({ exit, messages: screen.filter((line) => line.includes('skyctl')) }).toEqual({ exit: 0, messages: [] })
      expect(isRunning(pid)).toBe(false)
    }
  })

  test.for([undefined, 'less'])(
    'writes no file if people type ahead: PAGER=%s',
    async (PAGER, { terminal, world, home }) => {
      manyVolumes(world)
      const { end, until, type } = terminal('volumes list', { cwd: home, env: { PAGER, LESS: undefined } })
      await until(/^q: quit, h: help$/m)
      type(`skyctl${keys.enter}`)
      await until('not available')
      type(keys.enter)
      await until(/^q: quit, h: help$/m)
      type('q')
      expect((await end).exit).toBe(0)
      expect(existsSync(join(home, 'kyctl'))).toBe(false)
    },
  )

  test('stays on each Ctrl-C', async ({ terminal, world, home }) => {
    manyVolumes(world)
    const { pid, env } = less(home)
    const { end, until, type, raw } = terminal('volumes list', { env })
    await until(/^q: quit, h: help$/m)
    for (let times = 0; times < 3; times += 1) {
      const before = raw().length
      type(keys.ctrlC)
      await until(() => raw().length > before)
    }
    expect(isRunning(pid)).toBe(true)
    type(' ')
    await until('many-30')
    type('q')
    expect((await end).exit).toBe(0)
    expect(isRunning(pid)).toBe(false)
  })
})

describe('A command uses the pager', () => {
  const commands = loadTree(program).then((tree) => commandsIn(tree))
  /** Commands that show progress, send any request, or print for other programs. */
  const exceptions = ['api', 'doctor', 'volumes wait']

  test('if it only reads', async () => {
    const reading = (await commands).filter(({ command }) =>
      command.operations?.every(({ method }) => method === 'GET'),
    )
    expect(reading.length).toBeGreaterThan(25)
    const others = reading.filter(({ command }) => !command.paged).map(({ words }) => words.join(' '))
    expect(others.filter((name) => !exceptions.includes(name))).toEqual([])
  })

  test('never if it can change something', async () => {
    const changing = (await commands).filter(({ command }) =>
      command.operations?.some(({ method }) => method !== 'GET'),
    )
    expect(changing.length).toBeGreaterThan(40)
    expect(changing.filter(({ command }) => command.paged).map(({ words }) => words.join(' '))).toEqual([])
  })
})

function isRunning(file: string): boolean {
  return existsSync(`/proc/${readFileSync(file, 'utf8').trim()}`)
}

const parentOf = (pid: number) => Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
