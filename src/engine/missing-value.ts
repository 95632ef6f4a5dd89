import type { Option } from 'commander'
import { Problem } from '../errors'

/**
 * A flag that lost its value would take the next one for it, and `--label --dry-run` would be sent. Who means a text that
 * looks like a flag writes `--label=--dry-run`. `typed` is the line, word by word.
 */
export function refuseFlag(value: string, { long }: Option, known: readonly Option[], typed: readonly string[]): void {
  const meant = typed.some((word) => word.startsWith('--') && word.endsWith(`=${value}`))
  if (meant || !known.some((option) => option.is(value))) return
  throw new Problem('usage', `flag "${long}" needs a value`, {
    hint: `What follows it, "${value}", is a flag; to mean it as text, write ${long}=${value}`,
  })
}
