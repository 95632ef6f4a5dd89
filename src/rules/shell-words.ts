/** Quotes a text as one word for a POSIX shell, with single quotes only if needed. */
export function shellWord(text: string): string {
  return /^[\w%+,./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
