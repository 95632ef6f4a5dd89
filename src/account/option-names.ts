/** Names options in messages: below the commands they name flags, and a program has options of other names. */
import { Problem } from '../errors'

/** Options of the library by the flags of the command line. */
export const optionOfFlag: Readonly<Record<string, string>> = {
  '--allow-duplicate': 'allowDuplicate: true',
  '--allow-lockout': 'allowLockout: true',
  '--base-url': 'baseUrl',
  '--concurrency': 'concurrency',
  '--context': 'context',
  '--force': 'force: true',
  '--if-absent': 'ifAbsent',
  '--keep-open': 'keepOpen',
  '--max-wait': 'maxWaitMs',
  '--retries': 'retries',
  '--timeout': 'timeoutMs',
  '--wait-timeout': 'wait',
}

/** A command in a sentence, to the end of its clause: its flags are those of the command line. */
const command = /(\bskyctl .*?(?=[,;.)](?:\s|$)|$))/

/** Replaces flags by options, except in commands. */
export function withOptionNames(text: string): string {
  const parts = text.split(command)
  return parts.map((part, at) => (at % 2 === 1 ? part : replaced(part))).join('')
}

const replaced = (text: string) =>
  text
    .replace(/--max-wait (\d+)s/g, (_, seconds: string) => `maxWaitMs: ${Number(seconds) * 1000}`)
    .replace(/--wait-timeout (\d+)h/g, (_, hours: string) => `wait: ${Number(hours) * 3_600_000}`)
    .replace(/--[a-z-]+/g, (flag) => optionOfFlag[flag] ?? flag)

/** Returns a problem with options instead of flags; any other error unchanged. */
export function namedByOptions(error: unknown): unknown {
  if (!(error instanceof Problem)) return error
  const { hint } = error.details
  const [text, next] = [withOptionNames(error.message), hint && withOptionNames(hint)]
  if (text === error.message && next === hint) return error
  return error.with({ message: text, ...(next && { hint: next }), cause: error.cause })
}
