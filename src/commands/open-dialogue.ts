/** Commands that ask step by step: their dialogue, and the line that does the same without questions. */

import { sendRequest } from '../account/send'
import type { Session } from '../engine/session'
import { Problem } from '../errors'
import { shellWord } from '../rules/texts'
import type { Dialogue } from './flows/dialogue'

/** Opens a guided dialogue; throws `usage` without a terminal. `instead` are the commands for scripts. */
export async function openDialogue(session: Session, instead: string): Promise<Dialogue> {
  if (!session.ui.interactive) {
    throw new Problem('usage', 'there is no terminal for questions', { hint: `For scripts: ${instead}` })
  }
  return {
    ask: await session.ui.ask(),
    client: await session.account.client(),
    send: (operation, body) => sendRequest({ operation, ...(body && { body }) }, session.account),
    clock: session.clock,
    say: (text) => session.ui.print(text),
  }
}

/** Prints the equivalent command line after a guided command, without secrets; the word `<` is not quoted. */
export async function printEquivalentCommand(words: readonly string[], session: Session): Promise<void> {
  const line = ['skyctl', ...words].map((word) => (word === '<' ? word : shellWord(word)))
  await session.ui.status(`Next time: ${line.join(' ')}`)
}
