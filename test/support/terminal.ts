/** Runs the built skyctl in a pseudo-terminal, with the screen that a person would see. */
import { join } from 'node:path'
import { type IPty, spawn } from '@lydell/node-pty'
import headless from '@xterm/headless'
import { type InProcessShell, openInProcessShell } from './in-process-shell'
import { test as base, environment, killGroup } from './process'
import { program } from './program'
import { words } from './skyctl'

export interface TerminalOptions {
  /** Added to the variables that sign in to the sandbox; undefined removes a variable. */
  env?: Record<string, string | undefined>
  cwd?: string
  /** Starts a process, for what only a process has: signals, and the new size of a window. */
  isProcess?: boolean
  columns?: number
  rows?: number
  /** Whether a narrower window also wraps the line of the cursor, as most terminals do and xterm.js does not. */
  reflowCursorLine?: boolean
}

export interface TerminalResult {
  /** Exit code, as in `$?`. */
  exit: number
  /** Lines that scrolled off and those on the screen, without trailing blanks and empty lines. */
  screen: string[]
}

export interface OpenTerminal {
  /** Resolves when the screen has the text, or when the condition holds. */
  until(text: string | RegExp | (() => boolean)): Promise<string[]>
  type(keys: string): void
  /** Closes the window: the kernel sends SIGHUP to all processes in it. */
  close(): void
  resize(columns: number, rows: number): void
  screen(): string[]
  /** Rows of the window, without lines that scrolled off. */
  cells(): Cell[][]
  /** Every byte that was written to the terminal. */
  raw(): string
  /** Every byte that the terminal answered by itself. */
  answered(): string
  /** Row and column in the program's cells, from 0, below the lines that scrolled off. */
  cursor(): { row: number; column: number }
  end: Promise<TerminalResult>
}

export interface Cell {
  char: string
  /** Numbers of the palette; undefined is the terminal's own colour. */
  foreground: number | undefined
  background: number | undefined
  bold: boolean
  dim: boolean
  underline: boolean
  inverse: boolean
}

export interface TerminalFixtures {
  inProcessShell: InProcessShell
  /** Opens a pseudo-terminal; its processes are killed at the end of the test. */
  pty(program: string[], environment: Record<string, string>, options: TerminalOptions): OpenTerminal
  /** Starts skyctl with the words of the line. */
  terminal(line: string | readonly string[], options?: TerminalOptions): OpenTerminal
  /** Runs a line of the shell; `skyctl` is on its PATH. */
  shellTerminal(line: string, options?: TerminalOptions): OpenTerminal
}

export const keys = {
  enter: '\r',
  ctrlC: '\x03',
  ctrlD: '\x04',
  /** Deletes the line that is being typed: Ctrl-U. */
  clear: '\x15',
}

export const test = base.extend<TerminalFixtures>({
  inProcessShell: async ({ home }, use) => {
    const here = await openInProcessShell(join(home, 'here'))
    await use(here)
    here.close()
  },
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads which fixtures are wanted from the pattern
  pty: async ({}, use) => {
    const closers: (() => void)[] = []
    await use((...terminal) => {
      const { dispose, ...opened } = openTerminal(...terminal)
      closers.push(dispose)
      return opened
    })
    for (const close of closers) close()
  },
  terminal: async ({ processEnv, inProcessShell, pty }, use) =>
    use((line, options = {}) => {
      const start = options.isProcess ? program : [join(inProcessShell.folder, 'skyctl')]
      return pty([...start, ...(typeof line === 'string' ? words(line) : line)], processEnv, options)
    }),
  shellTerminal: async ({ processEnv, inProcessShell, pty }, use) =>
    use((line, options = {}) => {
      const PATH = options.isProcess ? processEnv.PATH : `${inProcessShell.folder}:${processEnv.PATH}`
      return pty(['/bin/sh', '-c', line], { ...processEnv, PATH: PATH ?? '' }, options)
    }),
})

/** Starts a process each time: for pagers, commands and signals, which use a process's terminal. */
export const processTest = test.extend({
  inProcessShell: async ({ inProcessShell, home }, use) => use({ ...inProcessShell, folder: join(home, 'bin') }),
})

/**
 * Stays in the terminal after the command: output that was not read yet may be lost when the last process leaves.
 * Reports `$?` with a sequence that no terminal uses (ECMA-48: OSC), and leaves when that was read. Ignores Ctrl-C.
 */
const stay = `trap : INT; "$@"; printf '\\033]7777;%s\\007' "$?"; read -r _`
const exitReport = /\x1b\]7777;(\d+)\x07/
const partialReport = /\x1b\]?[\d;]*$/

function openTerminal([file = '', ...argv]: string[], surroundings: Record<string, string>, options: TerminalOptions) {
  const { columns = 80, rows = 24, cwd } = options
  const env = environment(surroundings, options.env ?? {})
  const display = new headless.Terminal({
    cols: columns,
    rows,
    scrollback: 10_000,
    allowProposedApi: true,
    reflowCursorLine: options.reflowCursorLine ?? false,
  })
  const pty = spawn('/bin/sh', ['-c', stay, 'sh', file, ...argv], {
    name: env.TERM ?? 'dumb',
    cols: columns,
    rows,
    env,
    ...(cwd && { cwd }),
  })
  let raw = ''
  let answered = ''
  const screen = () => linesOf(display)
  const redrawListeners = new Set<() => void>()
  const end = new Promise<TerminalResult>((resolve) => {
    let buffer = ''
    const reading = pty.onData((bytes) => {
      buffer += bytes
      const [whole, exit] = exitReport.exec(buffer) ?? []
      if (whole === undefined && partialReport.test(buffer)) return
      const text = whole === undefined ? buffer : buffer.slice(0, buffer.indexOf(whole))
      buffer = ''
      raw += text
      display.write(text, () => {
        for (const check of redrawListeners) check()
        if (whole !== undefined) resolve({ exit: Number(exit), screen: screen() })
      })
      if (whole === undefined) return
      reading.dispose()
      pty.write('\n')
    })
  })
  // A real terminal answers queries of programs, as if they were typed.
  display.onData((bytes) => {
    answered += bytes
    pty.write(bytes)
  })
  return {
    end,
    screen,
    cells: () => cellsOf(display),
    raw: () => raw,
    answered: () => answered,
    cursor: () => ({ row: display.buffer.active.cursorY, column: display.buffer.active.cursorX }),
    type: (keys: string) => pty.write(keys),
    dispose() {
      killGroup(pty.pid)
      display.dispose()
    },
    // The method is missing in node-pty's types.
    close: () => (pty as IPty & { destroy(): void }).destroy(),
    resize(columns: number, rows: number) {
      display.resize(columns, rows)
      pty.resize(columns, rows)
    },
    until: (text: string | RegExp | (() => boolean)) =>
      new Promise<string[]>((resolve, reject) => {
        const settle = (finish: () => void) => {
          redrawListeners.delete(check)
          clearTimeout(timer)
          finish()
        }
        const fail = (why: string) =>
          settle(() => reject(new Error(`${why}, and does not show ${text}:\n${screen().join('\n')}`)))
        const check = () => {
          if (matches(screen().join('\n'), text)) settle(() => resolve(screen()))
        }
        const timer = setTimeout(() => fail('goes on'), patienceMs)
        redrawListeners.add(check)
        check()
        end.then(({ exit }) => fail(`ended with ${exit}`))
      }),
  }
}

/** Less than the timeout of a test, so that it fails with the screen. */
const patienceMs = 15_000

function matches(screen: string, text: string | RegExp | (() => boolean)): boolean {
  if (typeof text === 'function') return text()
  return typeof text === 'string' ? screen.includes(text) : text.test(screen)
}

function linesOf({ buffer: { active } }: headless.Terminal): string[] {
  const lines = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? '')
  while (lines.at(-1) === '') lines.pop()
  return lines
}

function cellsOf({ buffer: { active }, rows, cols }: headless.Terminal): Cell[][] {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: cols }, (_, column) => {
      const cell = active.getLine(active.baseY + row)?.getCell(column)
      return {
        char: cell?.getChars() || ' ',
        foreground: cell?.isFgPalette() ? cell.getFgColor() : undefined,
        background: cell?.isBgPalette() ? cell.getBgColor() : undefined,
        bold: Boolean(cell?.isBold()),
        dim: Boolean(cell?.isDim()),
        underline: Boolean(cell?.isUnderline()),
        inverse: Boolean(cell?.isInverse()),
      }
    }),
  )
}
