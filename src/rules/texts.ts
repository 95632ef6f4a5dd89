/** Small functions on texts: lists and verbs in sentences, words of a shell, parts of a text. */

/** Shortens a list of names: `a, b, c and 4 more`. */
export function nameList(names: readonly string[], most = 3): string {
  return names.length > most ? `${names.slice(0, most).join(', ')} and ${names.length - most} more` : names.join(', ')
}

/** Returns the past participle of a command's verb: `deleted`, `detached`, `applied`. All are regular but `undo`. */
export const participle = (verb: string) =>
  verb === 'undo' ? 'undone' : `${verb.replace(/e$/, '').replace(/y$/, 'i')}ed`

/** Returns the gerund of a command's verb, for the start of a line: `Deleting`, `Detaching`. */
export function gerund(verb: string): string {
  const form = `${verb.replace(/e$/, '')}ing`
  return capitalized(form)
}

/** Quotes a text as one word for a POSIX shell, with single quotes only if needed. */
export function shellWord(text: string): string {
  return /^[\w%+,./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** Splits a text at the first separator. The second part is missing if there is no separator. */
export function splitOnce(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

/** Begins a text with a capital letter. */
export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
