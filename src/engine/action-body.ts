/** Turns the input of a command into the body of its action. */
import { fixedBody } from '../account/action-functions'
import type { RequestBody } from '../account/change-context'
import type { ActionCall } from '../account/prepare'
import type { Operation } from '../catalogue/operation'
import { checkBody, readBody } from './body'
import type { CommandContext, PrintedContext } from './change-command-context'
import type { ChangeCommand } from './change-definition'
import type { Flags } from './command'

/** Returns the action of a command, whose body it completes. */
export function actionCallOf(command: ChangeCommand<Operation>): ActionCall<CommandContext> {
  const { action, input } = command
  return { action, caller: { ...input, validate: (body, { flags }) => validate(body, command, flags) } }
}

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
