import type { Flag } from './command'

/** What is said of a flag, wherever it is explained. */
export function flagText({ description, required, usual }: Flag): string {
  return `${description}${required ? ' (required)' : ''}${usual === undefined ? '' : ` (default ${usual})`}`
}
