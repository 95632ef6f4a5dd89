/**
 * `--debug-file`: what --debug shows, line by line with its time and request. The lines of every run are added to
 * those of the runs before, so that the commands of a job may share a file.
 */
import { version } from '../package.json'
import type { Warn } from './files/own'
import { openToAppend } from './files/private'
import { randomMark } from './files/temporary'
import type { Told } from './http/settings'
import { safe } from './output/safe'

export interface DebugFile {
  /** For a line of one attempt of one request. */
  tell(told: Told): void
  /** For a line of the run itself. */
  note(text: string): void
  close(): void
}

interface Surroundings {
  /** What may be seen of a text. */
  clean(text: string): string
  clock: { now(): number }
  warn: Warn
  /** Hears once that the file takes no more: what is being done goes on. */
  lost(reason: string): void
}

/** Throws `local` where the file cannot be written, or would not be ours alone. */
export function openDebugFile(path: string, { clock, clean, warn, lost }: Surroundings): DebugFile {
  const file = openToAppend(path, warn)
  const run = randomMark().slice(0, 8)
  const line = (mark: string, text: string) =>
    `${new Date(clock.now()).toISOString()} ${run}${mark} ${safe(clean(text))}\n`
  let full = false
  const write = (mark: string, text: string) => {
    if (full) return
    try {
      file.write(line(mark, text))
    } catch (error) {
      full = true
      lost(`what follows is missing in the debug file: ${error instanceof Error ? error.message : error}`)
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
