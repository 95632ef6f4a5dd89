import type { Session } from '../session'

/** Prints the equivalent command line after a guided command, without secrets. */
export async function printEquivalentCommand(words: readonly string[], session: Session): Promise<void> {
  await session.ui.status(`Next time: ${['skyctl', ...words].map(quoted).join(' ')}`)
}

/** Quotes a word for POSIX shells; `<` and a placeholder such as FILE stay as they are. */
function quoted(word: string): string {
  return word === '<' || /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
