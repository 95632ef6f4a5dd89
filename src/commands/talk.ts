import type { Context } from '../context'
import { Problem } from '../errors'
import type { Talk } from '../flows/talk'

/** What a guided flow needs; throws `usage` where nobody can be asked. `instead` are the commands for scripts. */
export async function talkOf(context: Context, instead: string): Promise<Talk> {
  if (!context.interactive) {
    throw new Problem('usage', 'there is no terminal to ask on', { hint: `For scripts: ${instead}` })
  }
  return {
    ask: await context.ask(),
    client: await context.client(),
    clock: context.clock,
    say: (text) => context.aside(text),
  }
}
