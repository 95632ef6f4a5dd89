/** Implements `--if-present`: an object that does not exist counts as removed. */
import type { Operation } from '../catalogue/operation'
import { isGone, type Problem } from '../errors'
import { type Change, type ChangeResult, send } from './change'
import type { ChangeContext } from './change-context'
import type { ResolvedTarget } from './resolved-target'
import { missingKeyOf } from './resource'

export interface ConditionalRemoval {
  operation: Operation
  /** Undefined if the operation's path names the only object of its kind. */
  subject: ResolvedTarget | undefined
  prepare(): Promise<Change>
}

/** Returns the change from `prepare`, or one that does nothing if `prepare` or the API does not find the object. */
export async function ifPresent(
  { operation, subject, prepare }: ConditionalRemoval,
  { account }: ChangeContext,
): Promise<Change> {
  let absent: Problem | undefined
  const noted = async (error: unknown): Promise<undefined> => {
    if (!isGone(error, await placesOf(operation, subject))) throw error
    absent = error
  }
  const change = await prepare().catch(noted)
  const outcome = (): ChangeResult['outcome'] =>
    absent ? { kind: 'absent', problem: absent } : (change?.outcome?.() ?? { kind: 'done' })
  if (!change) return { operation, noop: true, send: async () => ({}), outcome }
  return {
    ...change,
    send: async () => (await (change.send ? change.send() : send(change, account)).catch(noted)) ?? {},
    outcome,
    result: async (answer) => (absent || !change.result ? answer : change.result(answer)),
  }
}

/** Returns the paths of the object: a `not_found` for anything else does not count. */
async function placesOf({ path }: Operation, subject: ResolvedTarget | undefined): Promise<string[]> {
  if (!subject) return [path]
  const { resource } = subject
  const { id, label } = await subject.identity()
  return [
    ...(id === undefined ? [] : [missingKeyOf({ id }, resource)]),
    ...(label === undefined ? [] : [missingKeyOf({ label }, resource)]),
  ]
}
