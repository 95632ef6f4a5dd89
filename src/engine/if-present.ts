/** `--if-present`: what is not there any more is as good as removed. */
import type { Operation } from '../catalogue/operation'
import { isGone, type Problem } from '../errors'
import { type Change, send } from './change'
import { placeOf } from './resource'
import type { Situation } from './situation'
import type { Subject } from './subject'

export interface Removal {
  operation: Operation
  /** Undefined where the path of the operation names the one object that there is. */
  subject: Subject | undefined
  prepare(): Promise<Change>
}

/** The change that `prepare` finds, or nothing to do where that, or the API, finds nothing to remove. */
export async function ifPresent({ operation, subject, prepare }: Removal, { session }: Situation): Promise<Change> {
  let absent: Problem | undefined
  const noted = async (error: unknown): Promise<undefined> => {
    if (!isGone(error, await placesOf(operation, subject))) throw error
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

/** What names the object: whatever else is not found says nothing of it. */
async function placesOf({ path }: Operation, subject: Subject | undefined): Promise<string[]> {
  if (!subject) return [path]
  const { resource } = subject
  const { id, label } = await subject.identity()
  return [
    ...(id === undefined ? [] : [placeOf({ id }, resource)]),
    ...(label === undefined ? [] : [placeOf({ label }, resource)]),
  ]
}
