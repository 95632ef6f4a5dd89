import type { Session } from '../session'

/** After a guided command: the same as one line, without secrets. A word that a shell would change is quoted. */
export async function sayNextTime(words: readonly string[], session: Session): Promise<void> {
  await session.say(`Next time: ${['skyctl', ...words].map(quoted).join(' ')}`)
}

/** As POSIX shells read it; `<` and a name in capitals after it, such as FILE, are for the reader to fill in. */
function quoted(word: string): string {
  return word === '<' || /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
