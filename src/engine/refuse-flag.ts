import type { Option } from 'commander'
import { Problem } from '../errors'

/**
 * Throws `usage` if a flag would take another flag as its value: `--label --dry-run` would send a request.
 * `--label=--dry-run` sets such a value. `typed` is the command line, word by word.
 */
export function refuseFlag(value: string, { long }: Option, known: readonly Option[], typed: readonly string[]): void {
  const meant = typed.some((word) => word.startsWith('--') && word.endsWith(`=${value}`))
  if (meant || !known.some((option) => option.is(value))) return
  throw new Problem('usage', `flag "${long}" needs a value`, {
    hint: `The next word, "${value}", is a flag. To pass it as a value, write ${long}=${value}`,
  })
}
