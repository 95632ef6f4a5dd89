/** A text as a POSIX shell reads it as one word: as it is where that will do, else in single quotes. */
export function shellWord(text: string): string {
  return /^[\w%+,./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
