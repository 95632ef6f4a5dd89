/** Flags that the environment gives where the command line does not: their variables take what the flags take. */
import { Problem } from '../errors'
import type { Environment } from '../rules/environment'
import type { VariableName } from '../rules/variables'
import { parseColor } from './appearance'
import type { Flags } from './command'
import { parseCount, parseTime, textFlag } from './flag-values'

export const retriesRange = { min: 0, max: 20 }

/** Throws `usage` for what makes no sense, and names where it comes from: the flag or its variable. */
type Check = (text: string, from: string) => unknown

const isTime: Check = parseTime

/** By flag. SKYCTL_CONTEXT, SKYCTL_BASE_URL and SKYCTL_OUTPUT mean less than their flags, and are read elsewhere. */
const given: Readonly<Record<string, { variable: VariableName; check?: Check }>> = {
  timeout: { variable: 'SKYCTL_TIMEOUT', check: isTime },
  retries: { variable: 'SKYCTL_RETRIES', check: (text, from) => parseCount(text, retriesRange, from) },
  'max-wait': { variable: 'SKYCTL_MAX_WAIT', check: isTime },
  'wait-timeout': { variable: 'SKYCTL_WAIT_TIMEOUT', check: isTime },
  color: { variable: 'SKYCTL_COLOR', check: parseColor },
  'debug-file': { variable: 'SKYCTL_DEBUG_FILE' },
}

/**
 * The flags with what the environment adds to them; an empty variable counts as none. Both are checked, since commands
 * come to read them at different times. Throws `usage`.
 */
export function withVariables(flags: Flags, env: Environment): Flags {
  const added: Record<string, string | boolean> = {}
  for (const [flag, { variable, check }] of Object.entries(given)) {
    const typed = textFlag(flags, flag)
    const text = env[variable]
    if (typed !== undefined) check?.(typed, `--${flag}`)
    else if (text) {
      check?.(text, variable)
      added[flag] = text
    }
  }
  isSwitchedOn(env, 'SKYCTL_HISTORY', true)
  if (flags.yes === undefined && isSwitchedOn(env, 'SKYCTL_YES', false)) added.yes = true
  return { ...flags, ...added }
}

const yes = ['1', 'true', 'yes', 'y', 'on']
const no = ['0', 'false', 'no', 'n', 'off']

/** Whether a variable says yes; `usual` is what holds where it is not set. Throws `usage`. */
export function isSwitchedOn(env: Environment, variable: VariableName, usual: boolean): boolean {
  const word = env[variable]?.toLowerCase()
  if (!word) return usual
  if (yes.includes(word) || no.includes(word)) return yes.includes(word)
  throw new Problem('usage', `${variable}: "${env[variable]}" is neither true nor false`, {
    hint: 'Write it as 1 or 0',
  })
}
