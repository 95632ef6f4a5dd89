/** Reads flags from environment variables if they are not on the command line; the values have the same syntax. */
import { Problem } from '../errors'
import type { Environment, VariableName } from '../rules/environment'
import { parseColor } from './appearance'
import type { Flags } from './command'
import { parseCount, parseTime, textFlag } from './flag-values'

export const retriesRange = { min: 0, max: 20 }

/** Throws `usage` for an invalid value, and names its source: the flag or its variable. */
type Check = (text: string, from: string) => unknown

/**
 * Variables by flag. SKYCTL_CONTEXT, SKYCTL_BASE_URL and SKYCTL_OUTPUT have their own precedence, and are read
 * elsewhere.
 */
const variables: Readonly<Record<string, { variable: VariableName; check?: Check }>> = {
  timeout: { variable: 'SKYCTL_TIMEOUT', check: parseTime },
  retries: { variable: 'SKYCTL_RETRIES', check: (text, from) => parseCount(text, retriesRange, from) },
  'max-wait': { variable: 'SKYCTL_MAX_WAIT', check: parseTime },
  'wait-timeout': { variable: 'SKYCTL_WAIT_TIMEOUT', check: parseTime },
  color: { variable: 'SKYCTL_COLOR', check: parseColor },
  'debug-file': { variable: 'SKYCTL_DEBUG_FILE' },
}

/**
 * Adds flags from the environment; an empty variable counts as unset. It validates both sources now, since commands
 * read them at different times. Throws `usage`.
 */
export function withVariables(flags: Flags, env: Environment): Flags {
  const added: Record<string, string | boolean> = {}
  for (const [flag, { variable, check }] of Object.entries(variables)) {
    const value = textFlag(flags, flag)
    const text = env[variable]
    if (value !== undefined) check?.(value, `--${flag}`)
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

/** Reports whether a variable is on; `usual` is its default. Throws `usage`. */
export function isSwitchedOn(env: Environment, variable: VariableName, usual: boolean): boolean {
  const word = env[variable]?.toLowerCase()
  if (!word) return usual
  if (yes.includes(word) || no.includes(word)) return yes.includes(word)
  throw new Problem('usage', `${variable}: "${env[variable]}" is neither true nor false`, {
    hint: 'Write it as 1 or 0',
  })
}
