/** A line on a terminal that tells that something takes long, gone when it is done. */

import type { Clock } from '../rules/clock'
import { safe } from './safe'
import type { OutputStream } from './sink'
import { styles } from './style'
import { truncate } from './width'

export interface ProgressOptions {
  stream: { write(text: string): unknown; readonly columns?: number | undefined }
  /** Whether the stream is a terminal that can erase a line; nothing is shown on another. */
  isTTY: boolean
  color: boolean
  /** What takes less than this is not worth a line. */
  delayMs?: number
  clock: Pick<Clock, 'sleep'>
  /** What may be seen of a text. */
  clean(text: string): string
}

export interface ProgressLine {
  /** Shows the text after a while, unless another is shown: a terminal has room for one. A function is asked each time. */
  show(text: string | (() => string)): Progress
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
})

const noProgress: Progress = { shown: false, update() {}, done() {} }

const frames = ['-', '\\', '|', '/']
const frameMs = 100
/** The frame, a blank and a free column. */
const besides = 3
/**
 * To the first column, and erase from there on (ECMA-48: CR, ED): nothing else stands below. The cursor waits in the
 * first column, so that this erases all of a line that a narrower terminal has broken, wherever it was broken; and it
 * is never hidden, so a kill leaves no trace.
 */
const erase = '\r\x1b[J'

export function progressLine({ stream, isTTY, color, delayMs = 500, clock, clean }: ProgressOptions): ProgressLine {
  let shown: AbortController | undefined
  let text: () => string
  let drawn = false
  async function spin(ended: AbortSignal): Promise<void> {
    await clock.sleep(delayMs, ended)
    const { cyan } = await styles(color)
    ended.throwIfAborted()
    for (let frame = 0; ; frame = (frame + 1) % frames.length) {
      const room = Math.max(1, (stream.columns ?? 80) - besides)
      stream.write(`${erase}${cyan(frames[frame] ?? '')} ${truncate(safe(clean(text())), room)}\r`)
      drawn = true
      await clock.sleep(frameMs, ended)
    }
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
