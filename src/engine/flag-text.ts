import type { Flag } from './command'

const repeats = { repeats: ' (repeatable)', commas: ' (repeatable, or a,b)' }

/** Returns the description of a flag for help and other documents. */
export function flagText({ description, list, required, defaultText }: Flag): string {
  const repeated = list === undefined ? '' : repeats[list]
  return `${description}${repeated}${required ? ' (required)' : ''}${defaultText === undefined ? '' : ` (default ${defaultText})`}`
}
