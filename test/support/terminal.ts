/** The built skyctl in a terminal: a pseudo-terminal, and the screen that a person would see in it. */
import { join } from 'node:path'
import { type IPty, spawn } from '@lydell/node-pty'
import headless from '@xterm/headless'
import { onTestFinished } from 'vitest'
import { type Here, openHere } from './here'
import { test as base, environment, killGroup } from './process'
import { program } from './program'
import { words } from './skyctl'

export interface TerminalOptions {
  /** On top of those that sign in to the sandbox; undefined takes a variable away. */
  env?: Record<string, string | undefined>
  cwd?: string
  /** Starts the program, for what only a process gets: signals, and the new size of a window. */
  isProcess?: boolean
  columns?: number
  rows?: number
  /** What the terminal answers when it is asked for its background (OSC 11); nothing without. */
  background?: 'dark' | 'light'
  /** Whether a narrower window breaks also the line of the cursor, as most terminals do and xterm.js does not. */
  reflowCursorLine?: boolean
}

export interface Shown {
  /** What a shell would say in `$?`. */
  exit: number
  /** The lines that scrolled off and those on the screen, without blanks at their ends and empty ones at the end. */
  screen: string[]
}

export interface OpenTerminal {
  /** Resolves when the screen shows it, or when it holds. */
  until(text: string | RegExp | (() => boolean)): Promise<string[]>
  type(keys: string): void
  /** Closes its window: the kernel tells all processes in it that it is gone (SIGHUP). */
  close(): void
  resize(columns: number, rows: number): void
  screen(): string[]
  /** What the window shows now, row by row, without what scrolled off. */
  cells(): Cell[][]
  /** Every byte that was written to the terminal, and every one that it answered by itself. */
  raw(): string
  answered(): string
  /** In the program's cells: row and column from 0, below the lines that scrolled off. */
  cursor(): { row: number; column: number }
  end: Promise<Shown>
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
  here: Here
  /** Starts skyctl with the words of the line. */
  terminal(line: string | readonly string[], options?: TerminalOptions): OpenTerminal
  /** Runs a line of the shell; `skyctl` is on its PATH. */
  shellTerminal(line: string, options?: TerminalOptions): OpenTerminal
}

export const keys = {
  enter: '\r',
  ctrlC: '\x03',
  ctrlD: '\x04',
  /** Empties the line that is being typed: Ctrl-U. */
  clear: '\x15',
}

export const test = base.extend<TerminalFixtures>({
  here: async ({ home }, use) => {
    const here = await openHere(join(home, 'here'))
    await use(here)
    here.close()
  },
  terminal: async ({ surroundings, here }, use) =>
    use((line, options = {}) => {
      const start = options.isProcess ? program : [join(here.folder, 'skyctl')]
      return openTerminal([...start, ...(typeof line === 'string' ? words(line) : line)], surroundings, options)
    }),
  shellTerminal: async ({ surroundings, here }, use) =>
    use((line, options = {}) => {
      const PATH = options.isProcess ? surroundings.PATH : `${here.folder}:${surroundings.PATH}`
      return openTerminal(['/bin/sh', '-c', line], { ...surroundings, PATH: PATH ?? '' }, options)
    }),
})

/** Starts the program each time: for pagers, commands and signals, which get the terminal of a process. */
export const processTest = test.extend({
  here: async ({ here, home }, use) => use({ ...here, folder: join(home, 'bin') }),
})

/**
 * A terminal that its last process leaves may lose what was not read yet. So a shell stays in it, tells `$?` by a
 * sequence that no terminal knows (ECMA-48: OSC), and leaves when that was read. Ctrl-C is not meant for it.
 */
const stay = `trap : INT; "$@"; printf '\\033]7777;%s\\007' "$?"; read -r _`
const left = /\x1b\]7777;(\d+)\x07/
const begun = /\x1b\]?[\d;]*$/

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
  onTestFinished(() => {
    killGroup(pty.pid)
    display.dispose()
  })
  let raw = ''
  let answered = ''
  const screen = () => linesOf(display)
  const drawn = new Set<() => void>()
  const end = new Promise<Shown>((resolve) => {
    let held = ''
    const reading = pty.onData((bytes) => {
      held += bytes
      const [whole, exit] = left.exec(held) ?? []
      if (whole === undefined && begun.test(held)) return
      const text = whole === undefined ? held : held.slice(0, held.indexOf(whole))
      held = ''
      raw += text
      display.write(text, () => {
        for (const look of drawn) look()
        if (whole !== undefined) resolve({ exit: Number(exit), screen: screen() })
      })
      if (whole === undefined) return
      reading.dispose()
      pty.write('\n')
    })
  })
  display.parser.registerOscHandler(11, () => {
    const digits = options.background === 'light' ? 'ffff' : '0000'
    if (options.background) pty.write(`\x1b]11;rgb:${digits}/${digits}/${digits}\x1b\\`)
    return true
  })
  // A real terminal types its answers to what programs ask of it.
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
    // What node-pty has for it, its types do not tell.
    close: () => (pty as IPty & { destroy(): void }).destroy(),
    resize(columns: number, rows: number) {
      display.resize(columns, rows)
      pty.resize(columns, rows)
    },
    until: (text: string | RegExp | (() => boolean)) =>
      new Promise<string[]>((resolve, reject) => {
        const settle = (settled: () => void) => {
          drawn.delete(look)
          clearTimeout(timer)
          settled()
        }
        const fail = (why: string) =>
          settle(() => reject(new Error(`${why}, and does not show ${text}:\n${screen().join('\n')}`)))
        const look = () => {
          if (matches(screen().join('\n'), text)) settle(() => resolve(screen()))
        }
        const timer = setTimeout(() => fail('goes on'), patienceMs)
        drawn.add(look)
        look()
        end.then(({ exit }) => fail(`ended with ${exit}`))
      }),
  }
}

/** Less than a test may take, so that it fails with what the screen shows. */
const patienceMs = 15_000

function matches(shown: string, text: string | RegExp | (() => boolean)): boolean {
  if (typeof text === 'function') return text()
  return typeof text === 'string' ? shown.includes(text) : text.test(shown)
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
