/** A command that changes what an account has one of, such as the acting user: no object is named. */
import type { Operation } from '../catalogue/operation'
import type { Context } from '../context'
import { Problem } from '../errors'
import { type Column, printOne, type View } from '../output/print'
import { flagsOf } from './body'
import { bodyFor, type RequestBody, type Situation } from './change'
import type { Command, Flag } from './command'
import { confirm } from './confirm'
import { bodyFlags, dryRunFlag, outputFlags } from './flags'
import { isLost, sendAgain } from './lost'
import { planRequest, printRequests } from './request'
import { fieldPaths, viewOf } from './view'

export type Answer = Record<string, unknown>

export interface Action extends Pick<Command, 'name' | 'aliases' | 'details' | 'examples'> {
  operation: Operation
  columns?: readonly Column[]
  flags?: readonly Flag[]
  /** Flags that are made from the body but not wanted, since they are too simple for what they mean. */
  without?: readonly string[]
  /** Completes the body that flags and file gave. */
  complete?(body: RequestBody, situation: Situation): RequestBody | Promise<RequestBody>
  /** Refuses what can be known before sending; `--no-validate` skips it. */
  precheck?(body: RequestBody, situation: Situation): void | Promise<void>
  /** What is lost or cut off, as a question without its mark: then the command asks. */
  consequence?(body: RequestBody, context: Context): string | undefined | Promise<string | undefined>
  /** The sentence on success. */
  done(answer: Answer, body: RequestBody): string
  /** The answer that was lost, where all is as this action would make it; undefined where it must be sent again. */
  settled?(body: RequestBody, context: Context): Promise<Answer | undefined>
  /** What to say where there is nothing to act on. */
  missing?: string
  /** Does something with the answer before it is printed, and says what of it is printed. */
  deliver?(answer: Answer, situation: Situation): Promise<Answer>
}

export function actionCommand(action: Action): Command {
  const { operation, without = [] } = action
  const made = operation.body ? flagsOf(operation.body) : []
  return {
    name: action.name,
    ...(action.aliases && { aliases: action.aliases }),
    ...(action.details && { details: action.details }),
    ...(action.examples && { examples: action.examples }),
    summary: operation.summary,
    operations: [operation],
    flags: [
      ...made.filter(({ name }) => !without.includes(name)),
      ...(action.flags ?? []),
      ...(operation.body ? bodyFlags : []),
      dryRunFlag,
      ...outputFlags,
    ],
    async run({ flags }, context) {
      // Checked first: a mistyped column must not be found out after the change was made.
      const view = await viewOf({ fields: fieldPaths(operation), columns: action.columns ?? [] }, flags, context)
      const situation = { flags, dry: flags['dry-run'] === true, context }
      const body = await bodyFor(action, situation)
      if (situation.dry) return printRequests([planRequest(operation, { ...(operation.body && { body }) })], situation)
      const question = context.yes ? undefined : await action.consequence?.(body, context)
      if (question !== undefined) await confirm(question, context)
      const answer = await send(action, body, context)
      await context.say(action.done(answer, body))
      const shown = (await action.deliver?.(answer, situation)) ?? answer
      await printAnswer(shown, view, context)
    },
  }
}

/** Prints an answer; `{}` is nothing for a person. */
export async function printAnswer(answer: Answer, view: View, context: Context): Promise<void> {
  const wordless = view.quiet !== undefined || !['json', 'ndjson', 'yaml'].includes(view.format)
  if (Object.keys(answer).length > 0 || !wordless) await printOne(answer, view, context.stdout)
}

async function send({ operation, settled, missing }: Action, body: RequestBody, context: Context): Promise<Answer> {
  const client = await context.client()
  const call = () => client.call(operation, operation.body ? { body } : {}) as Promise<Answer>
  try {
    return await call()
  } catch (error) {
    if (missing && error instanceof Problem && error.code === 'not_found') {
      throw new Problem('not_found', missing, { ...error.details, cause: error })
    }
    if (!isLost(error) || !settled || context.signal.aborted) throw error
    const answer = await settled(body, context).catch(() => Promise.reject(error))
    return answer ?? sendAgain(error, call)
  }
}
