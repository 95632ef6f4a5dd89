/**
 * Implements `--debug-file`: the lines of --debug, with time and request. Each run appends its lines, so that the
 * commands of a job can share a file.
 */
import { version } from '../../package.json'
import type { Warn } from '../files/ownership'
import { openToAppend } from '../files/private'
import { randomMark } from '../files/temporary'
import type { AttemptLine } from '../http/settings'
import { escapeText } from '../rules/escape'

export interface DebugFile {
  /** Writes a line about one attempt of one request. */
  tell(line: AttemptLine): void
  /** Writes a line about the run itself. */
  note(text: string): void
  close(): void
}

interface DebugFileOptions {
  clean(text: string): string
  clock: { now(): number }
  warn: Warn
  /** Called once when the file cannot be written any more; the command continues. */
  lost(reason: string): void
}

/** Opens the file. Throws `local` if it cannot be written, or if other users could read it. */
export function openDebugFile(path: string, { clock, clean, warn, lost }: DebugFileOptions): DebugFile {
  const file = openToAppend(path, warn)
  const run = randomMark().slice(0, 8)
  const line = (mark: string, text: string) =>
    `${new Date(clock.now()).toISOString()} ${run}${mark} ${escapeText(clean(text))}\n`
  let full = false
  const write = (mark: string, text: string) => {
    if (full) return
    try {
      file.write(line(mark, text))
    } catch (error) {
      full = true
      lost(`the debug file is incomplete from here on: ${error instanceof Error ? error.message : error}`)
    }
  }
  file.write(line('', `skyctl ${version} begins`))
  return {
    tell: ({ request, attempt, text, serviceId }) =>
      write(`.${request}.${attempt}`, serviceId === undefined ? text : `${text}, request id ${serviceId}`),
    note: (text) => write('', text),
    close: () => file.close(),
  }
}
