import { Problem } from '../errors'
import type { Dialogue } from '../flows/dialogue'
import type { Session } from '../session'

/** Opens a guided dialogue; throws `usage` without a terminal. `instead` are the commands for scripts. */
export async function openDialogue(session: Session, instead: string): Promise<Dialogue> {
  if (!session.ui.interactive) {
    throw new Problem('usage', 'there is no terminal for questions', { hint: `For scripts: ${instead}` })
  }
  return {
    ask: await session.ui.ask(),
    client: await session.account.client(),
    clock: session.clock,
    say: (text) => session.ui.print(text),
  }
}
