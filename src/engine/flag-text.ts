import type { Flag } from './command'

const repeats = { repeats: ' (repeatable)', commas: ' (repeatable, or a,b)' }

/** What is said of a flag, wherever it is explained. */
export function flagText({ description, list, required, usual }: Flag): string {
  const repeated = list === undefined ? '' : repeats[list]
  return `${description}${repeated}${required ? ' (required)' : ''}${usual === undefined ? '' : ` (default ${usual})`}`
}
