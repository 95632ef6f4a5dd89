/** A line on a terminal that tells that something takes long, gone when it is done. */

import { safe } from './safe'
import { styles } from './style'
import { truncate } from './width'

export interface ProgressOptions {
  stream: { write(text: string): unknown; readonly columns?: number | undefined }
  /** Whether the stream is a terminal that can erase a line; nothing is shown on another. */
  isTTY: boolean
  color: boolean
  /** What takes less than this is not worth a line. */
  delayMs?: number
  clock: { sleep(milliseconds: number, signal?: AbortSignal): Promise<void> }
}

export interface ProgressLine {
  /** Shows the text after a while, unless another is shown: a terminal has room for one. */
  show(text: string): Progress
  /** Makes room for something else on the terminal, before that is written; the line comes back below it. */
  clear(): void
}

export interface Progress {
  /** Replaces the text. */
  update(text: string): void
  /** Erases the line. It may be called again. */
  done(): void
}

const frames = ['-', '\\', '|', '/']
const frameMs = 100
/** The frame, a blank, a free column, and the ^C that a terminal shows behind it all: a second line would stay. */
const besides = 5
/** To the first column, and erase what stands there (ECMA-48: CR, EL). The cursor is never hidden, so a kill leaves no trace. */
const erase = '\r\x1b[K'
const nothing: Progress = { update() {}, done() {} }

export function progressLine({ stream, isTTY, color, delayMs = 500, clock }: ProgressOptions): ProgressLine {
  let shown: AbortController | undefined
  let text = ''
  let drawn = false
  async function spin(ended: AbortSignal): Promise<void> {
    await clock.sleep(delayMs, ended)
    const { cyan } = await styles(color)
    ended.throwIfAborted()
    for (let frame = 0; ; frame = (frame + 1) % frames.length) {
      const room = Math.max(1, (stream.columns ?? 80) - besides)
      stream.write(`${erase}${cyan(frames[frame] ?? '')} ${truncate(text, room)}`)
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
      if (!isTTY || shown) return nothing
      const ended = new AbortController()
      shown = ended
      text = safe(first)
      // The sleep that done() interrupts rejects: that is how the spinner ends.
      spin(ended.signal).catch(() => {})
      return {
        update(next) {
          text = safe(next)
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
