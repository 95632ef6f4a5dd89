/** Turns the input of a command into the body of its action. */
import { fixedBody } from '../account/action'
import type { RequestBody } from '../account/change-context'
import type { ActionCall } from '../account/prepare'
import type { Operation } from '../catalogue/operation'
import { checkBody, readBody } from './body'
import type { ChangeCommand } from './change-definition'
import type { Flags } from './command'
import type { CommandContext, PrintedContext } from './command-context'
import type { Deliver } from './make-change'

/** Returns the action of a command, whose body it completes. */
export function actionCallOf(command: ChangeCommand<Operation>): ActionCall<CommandContext> {
  const { action, input } = command
  return {
    action,
    caller: {
      ...(input?.complete && { complete: input.complete }),
      ...(input?.defaults && { defaults: input.defaults }),
      ...(input?.check && { check: input.check }),
      validate: (body, { flags }) => validate(body, command, flags),
    },
  }
}

/** Returns the function that prints or stores a one-time secret of the answer. */
export const deliverWith = ({ deliver }: ChangeCommand<Operation>, context: PrintedContext): Deliver | undefined =>
  deliver && ((answer) => deliver(answer, context))

export async function givenBody({ action }: ChangeCommand<Operation>, { flags, session }: PrintedContext) {
  const { operation } = action
  const body = fixedBody(action)
  if (body) return body
  return operation.body ? readBody(operation.body, flags, session) : {}
}

export async function validate(
  body: RequestBody,
  { action, input }: ChangeCommand<Operation>,
  flags: Flags,
): Promise<void> {
  if (action.operation.body) await checkBody(action.operation.body, body, flags, input?.names)
}
