/** What a terminal shows while something takes long, gone when it is done: a line, and lines below it where there is more to tell. */

import type { Clock } from '../rules/clock'
import { safe } from './safe'
import type { OutputStream } from './sink'
import { styles } from './style'
import { truncate } from './width'

export interface ProgressOptions {
  stream: { write(text: string): unknown; readonly columns?: number | undefined; readonly rows?: number | undefined }
  /** Whether the stream is a terminal that can erase a line; nothing is shown on another. */
  isTTY: boolean
  color: boolean
  /** What takes less than this is not worth a line. */
  delayMs?: number
  clock: Pick<Clock, 'sleep'>
  /** What may be seen of a text. */
  clean(text: string): string
}

/** A line, or several; a function is asked each time that they are drawn. */
export type ProgressText = string | (() => string | readonly string[])

export interface ProgressLine {
  /** Shows the text after a while, unless another is shown: a terminal has room for one. */
  show(text: ProgressText): Progress
  /** Makes room for something else on the terminal, before that is written; the line comes back below it. */
  clear(): void
}

export interface Progress {
  /** Whether there is a terminal for it. */
  readonly shown: boolean
  /** Replaces the text. */
  update(text: string): void
  /** Erases the line. It may be called again. */
  done(): void
}

/** A stream to draw on: nobody waits for what is drawn. */
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
/** The frame, a blank and a free column. */
const besides = 3
/**
 * To the first column, and erase from there on (ECMA-48: CR, ED): nothing else stands below. The cursor waits in the
 * first column of the first line, so that this erases all of what a narrower terminal has broken, wherever it was
 * broken; and it is never hidden, so a kill leaves no trace.
 */
const erase = '\r\x1b[J'
/** Up by so many lines (ECMA-48: CUU), and to the first column. */
const back = (lines: number) => (lines > 0 ? `\x1b[${lines}A\r` : '\r')

export function progressLine({ stream, isTTY, color, delayMs = 500, clock, clean }: ProgressOptions): ProgressLine {
  let shown: AbortController | undefined
  let text: () => string | readonly string[]
  let drawn = false
  async function spin(ended: AbortSignal): Promise<void> {
    await clock.sleep(delayMs, ended)
    const { cyan } = await styles(color)
    ended.throwIfAborted()
    for (let frame = 0; ; frame = (frame + 1) % frames.length) {
      const [first = '', ...more] = linesThatFit([text()].flat())
      const below = more.map((line) => `\n  ${line}`).join('')
      stream.write(`${erase}${cyan(frames[frame] ?? '')} ${first}${below}${back(more.length)}`)
      drawn = true
      await clock.sleep(frameMs, ended)
    }
  }
  /** More lines than the terminal has would scroll, and could not be erased. */
  function linesThatFit(lines: readonly string[]): string[] {
    const width = Math.max(1, (stream.columns ?? 80) - besides)
    const height = Math.max(1, (stream.rows ?? 24) - 1)
    const more = lines.length - height
    const shown = more > 0 ? [...lines.slice(0, height - 1), `and ${more + 1} more`] : lines
    return shown.slice(0, height).map((line) => truncate(safe(clean(line)), width))
  }
  function clear(): void {
    if (drawn) stream.write(erase)
    drawn = false
  }
  return {
    show(first) {
      if (!isTTY) return noProgress
      if (shown) return { ...noProgress, shown: true }
      const ended = new AbortController()
      shown = ended
      text = typeof first === 'string' ? () => first : first
      // The sleep that done() interrupts rejects: that is how the spinner ends.
      spin(ended.signal).catch(() => {})
      return {
        shown: true,
        update(next) {
          text = () => next
        },
        done() {
          if (shown !== ended) return
          shown = undefined
          ended.abort()
          clear()
        },
      }
    },
    clear,
  }
}
