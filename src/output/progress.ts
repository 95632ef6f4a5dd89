/** Shows progress on a terminal during long operations: one line, optionally with lines below, erased at the end. */

import { escapeText } from '../rules/escape'
import type { Clock } from '../rules/times'
import type { OutputStream } from './sink'
import { styles } from './style'
import { truncate } from './width'

/** Delay in milliseconds before the line appears, so that fast operations show nothing. */
const delayMs = 500

export interface ProgressOptions {
  stream: { write(text: string): unknown; readonly columns?: number | undefined; readonly rows?: number | undefined }
  /** True if the stream is a terminal that can erase lines; otherwise nothing is shown. */
  isTTY: boolean
  color: boolean
  /** True if the terminal shows only ASCII. */
  ascii?: boolean
  clock: Pick<Clock, 'sleep'>
  /** Redacts secrets in a text. */
  clean(text: string): string
}

/** Progress text: one line or several; a function is called for each redraw. */
export type ProgressText = string | (() => string | readonly string[])

export interface ProgressLine {
  /** Shows a text after the delay. There is only one at a time: another is shown when all earlier ones are done. */
  show(text: ProgressText): Progress
  /** Erases the line before other output is written; it is redrawn below. */
  clear(): void
}

export interface Progress {
  /** True if there is a terminal to draw on. */
  readonly shown: boolean
  /** Replaces the text. */
  update(text: string): void
  /** Erases the line; can be called repeatedly. */
  done(): void
}

/** Creates a drawing stream that never waits for writes. */
export const drawnOn = (stream: OutputStream): ProgressOptions['stream'] => ({
  write: (text) => stream.write(text, () => {}),
  get columns() {
    return stream.columns
  },
  get rows() {
    return stream.rows
  },
})

const noProgress: Progress = { shown: false, update() {}, done() {} }

const frames = ['-', '\\', '|', '/']
const frameMs = 100
/** Columns beside the text: the spinner, a blank and a free column. */
const besides = 3
/**
 * Moves to the first column and erases everything after it (ECMA-48: CR, ED); nothing else is below. The cursor stays
 * in the first column of the first line, so this also erases lines that a narrower terminal has wrapped. The cursor is
 * never hidden, so a kill leaves no trace.
 */
const erase = '\r\x1b[J'
/** Moves up some lines (ECMA-48: CUU) and to the first column. */
const back = (lines: number) => (lines > 0 ? `\x1b[${lines}A\r` : '\r')

/** Text that is shown, or will be when the earlier ones are done. */
interface ActiveText {
  text: ProgressText
}

export class TerminalProgress implements ProgressLine {
  /** Oldest first, which is shown. */
  readonly #active: ActiveText[] = []
  #spinner = new AbortController()
  #drawn = false

  constructor(private readonly options: ProgressOptions) {}

  show(first: ProgressText): Progress {
    if (!this.options.isTTY) return noProgress
    const active: ActiveText = { text: first }
    this.#active.push(active)
    if (this.#active.length === 1) this.#start(active)
    return {
      shown: true,
      update: (next) => {
        active.text = next
      },
      done: () => this.#end(active),
    }
  }

  clear(): void {
    if (this.#drawn) this.options.stream.write(erase)
    this.#drawn = false
  }

  #start(active: ActiveText): void {
    this.#spinner = new AbortController()
    // The spinner ends when #end aborts its sleep, which then rejects.
    this.#spin(active, this.#spinner.signal).catch(() => {})
  }

  #end(active: ActiveText): void {
    const place = this.#active.indexOf(active)
    if (place < 0) return
    this.#active.splice(place, 1)
    if (place > 0) return
    this.#spinner.abort()
    this.clear()
    const [next] = this.#active
    if (next) this.#start(next)
  }

  async #spin(active: ActiveText, ended: AbortSignal): Promise<void> {
    const { clock, color, stream } = this.options
    await clock.sleep(delayMs, ended)
    const { cyan } = await styles(color)
    ended.throwIfAborted()
    for (let frame = 0; ; frame = (frame + 1) % frames.length) {
      const [first = '', ...more] = this.#linesThatFit(linesOf(active))
      const below = more.map((line) => `\n  ${line}`).join('')
      stream.write(`${erase}${cyan(frames[frame] ?? '')} ${first}${below}${back(more.length)}`)
      this.#drawn = true
      await clock.sleep(frameMs, ended)
    }
  }

  /** Limits the lines to the terminal's height: more would scroll, and could not be erased. */
  #linesThatFit(lines: readonly string[]): string[] {
    const { ascii, clean, stream } = this.options
    const width = Math.max(1, (stream.columns ?? 80) - besides)
    const height = Math.max(1, (stream.rows ?? 24) - 1)
    const more = lines.length - height
    const shown = more > 0 ? [...lines.slice(0, height - 1), `and ${more + 1} more`] : lines
    return shown.slice(0, height).map((line) => truncate(escapeText(clean(line)), width, ascii ? 'ascii' : 'unicode'))
  }
}

const linesOf = ({ text }: ActiveText): readonly string[] => [typeof text === 'function' ? text() : text].flat()
