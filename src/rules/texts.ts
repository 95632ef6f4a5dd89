/** Small functions on texts: lists and verbs in sentences, words of a shell, parts of a text. */

/** Shortens a list of names: `a, b, c and 4 more`. */
export const nameList = (names: readonly string[], most = 3) =>
  names.length > most ? `${names.slice(0, most).join(', ')} and ${names.length - most} more` : names.join(', ')

/** Joins names in a sentence: `a, b and c`. */
export const joinNames = (names: readonly string[], last: 'and' | 'or') =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`

/** Returns `1 rule`, `2 rules` or `2 addresses`. */
export const counted = (count: number, noun: string) =>
  `${count} ${noun}${count === 1 ? '' : noun.endsWith('s') ? 'es' : 's'}`

/** Returns the past participle of a command's verb: `deleted`, `detached`, `applied`. All are regular but `undo`. */
export const participle = (verb: string) =>
  verb === 'undo' ? 'undone' : `${verb.replace(/e$/, '').replace(/y$/, 'i')}ed`

/** Returns the gerund of a command's verb, for the start of a line: `Deleting`, `Detaching`. */
export const gerund = (verb: string) => capitalized(`${verb.replace(/e$/, '')}ing`)

/** Quotes a text as one word for a POSIX shell, only if needed; in double quotes if single ones are in it. */
export function shellWord(text: string): string {
  if (/^[\w%+,./:=@-]+$/.test(text)) return text
  return text.includes("'") && !/["$`\\!]/.test(text) ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`
}

/** Splits a text at the first separator. The second part is missing if there is no separator. */
export function splitOnce(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

/** Begins a text with a capital letter. */
export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Describes a change: `size: 20 GiB -> 40 GiB`. */
export const changed = (field: string, from: string, to: string) => `${field}: ${from} -> ${to}`

/** Returns `db, edge`, or `none`. */
export const listed = (values: readonly (string | number)[]) => (values.length === 0 ? 'none' : values.join(', '))
