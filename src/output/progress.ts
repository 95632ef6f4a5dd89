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

export interface Progress {
  /** Replaces the text. */
  update(text: string): void
  /** Erases the line. It may be called again. */
  done(): void
}

const frames = ['-', '\\', '|', '/']
const frameMs = 100
/** To the first column, and erase what stands there (ECMA-48: CR, EL). The cursor is never hidden, so a kill leaves no trace. */
const erase = '\r\x1b[K'

export function progress({ stream, isTTY, color, delayMs = 500, clock }: ProgressOptions): Progress {
  const ended = new AbortController()
  let text = ''
  let drawn = false
  async function spin(): Promise<void> {
    const { cyan } = await styles(color)
    await clock.sleep(delayMs, ended.signal)
    for (let frame = 0; ; frame = (frame + 1) % frames.length) {
      const room = Math.max(1, (stream.columns ?? 80) - 3)
      stream.write(`${erase}${cyan(frames[frame] ?? '')} ${truncate(text, room)}`)
      drawn = true
      await clock.sleep(frameMs, ended.signal)
    }
  }
  // The sleep that done() interrupts rejects: that is how the spinner ends.
  if (isTTY) spin().catch(() => {})
  return {
    update(next) {
      text = safe(next)
    },
    done() {
      ended.abort()
      if (drawn) stream.write(erase)
      drawn = false
    },
  }
}
