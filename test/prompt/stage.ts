/** A terminal in this process with scripted input and recorded output. */
import { PassThrough, Writable } from 'node:stream'
import type { Terminal } from '../../src/engine/questions'

export interface Stage {
  terminal: Terminal
  input: PassThrough & { isRaw: boolean }
  /** All output. */
  shown(): string
  /** Changes of raw mode. */
  raw: boolean[]
  /** Types a text after this output. */
  type(text: string, after: string): Promise<void>
  interrupt(reason: unknown): void
}

export function stage(changes: Partial<Terminal> = {}): Stage {
  const chunks: string[] = []
  const raw: boolean[] = []
  const waiting = new Set<() => void>()
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    isRaw: false,
    setRawMode(mode: boolean) {
      raw.push(mode)
      input.isRaw = mode
      return input
    },
  })
  const output = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        chunks.push(String(chunk))
        done()
        for (const look of waiting) look()
      },
    }),
    { isTTY: true, columns: 80, rows: 24 },
  )
  const abort = new AbortController()
  const shown = () => chunks.join('')
  return {
    input,
    raw,
    shown,
    type: (text, after) =>
      new Promise((resolve) => {
        const look = () => {
          if (!shown().includes(after)) return
          waiting.delete(look)
          input.write(text)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    interrupt: (reason) => abort.abort(reason),
    terminal: {
      input: input as unknown as NodeJS.ReadStream,
      output: output as unknown as NodeJS.WriteStream,
      color: false,
      manyColors: false,
      unicode: false,
      commands: false,
      signal: abort.signal,
      account: '',
      yes: false,
      safe: (text) => text.replaceAll('\u001b', '\\x1b'),
      wrapText: (text) => text,
      ...changes,
    },
  }
}
