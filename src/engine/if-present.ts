/** `--if-present`: what is not there any more is as good as removed. */
import type { Operation } from '../catalogue/operation'
import { Problem } from '../errors'
import { type Change, send } from './change'
import type { Situation } from './situation'

/** The change that `prepare` finds, or nothing to do where that, or the service, finds nothing to remove. */
export async function ifPresent(
  operation: Operation,
  prepare: () => Promise<Change>,
  { session }: Situation,
): Promise<Change> {
  let absent: Problem | undefined
  const noted = (error: unknown): undefined => {
    if (!(error instanceof Problem) || error.code !== 'not_found') throw error
    absent = error
  }
  const done = () => `${absent?.message}: nothing to do`
  const change = await prepare().catch(noted)
  if (!change) return { operation, idle: true, send: async () => ({}), done }
  return {
    ...change,
    send: async () => (await (change.send ? change.send() : send(change, session)).catch(noted)) ?? {},
    done: (answer) => (absent ? done() : change.done(answer)),
    finish: async (answer) => (absent || !change.finish ? answer : change.finish(answer)),
  }
}
