/** Runs actions for callers that have data: plans, undo, programs. */

import { bodyProblem } from '../catalogue/body-problem'
import { checkValue, reasonOfApi, type UnknownKey } from '../catalogue/check'
import type { Operation } from '../catalogue/operation'
import { didYouMean } from '../rules/nearest'
import type { Account } from './account'
import type { Action, RecordedAction } from './action'
import { fixedBody, namedBy } from './action-functions'
import type { ChangeResult, ResultListener } from './change'
import type { ChangeContext, ChangeOptions, RequestBody } from './change-context'
import { ofParent, parseTarget } from './find-target'
import { perform } from './perform'
import { prepare } from './prepare'
import { resolveTarget } from './resolved-target'

export interface ChangeRequest {
  /** Id or label of the object, after that of its parent; empty for a new object, or one that an account has once. */
  target?: readonly string[]
  body?: Readonly<RequestBody> | undefined
  options?: ChangeOptions
}

/** Makes a change; resolves when it is done, waited for if that was requested. */
export type ActionRunner = (
  request: ChangeRequest,
  account: Account,
  onResult?: ResultListener | undefined,
) => Promise<ChangeResult>

/** An action that is made in a way of its own. */
export interface CustomAction extends RecordedAction {
  perform: ActionRunner
}

export const runnerOf = (action: Action | CustomAction): ActionRunner =>
  'perform' in action ? action.perform : preparedRunner(action)

const preparedRunner =
  (action: Action): ActionRunner =>
  async ({ target = [], body = {}, options = {} }, account, onResult) => {
    const context: ChangeContext = { account, options, dry: false }
    const input = fixedBody(action) ?? body
    const validate = (requestBody: RequestBody) => expectValid(action.operation, requestBody, options)
    const call = { action, caller: { validate } }
    const resource = namedBy(action)
    if (!resource) return perform(await prepare(call, input, context), account, { onResult })
    // Errors that do not depend on the target are found before anything is looked up.
    validate(input)
    const named = parseTarget(target.at(-1) ?? '', resource.noun, resource.reference)
    const subject = resolveTarget(named, await ofParent(resource, target, account), context)
    return perform(await prepare(call, input, context, subject), account, { onResult })
  }

/** Throws `usage` for a body that is invalid according to the schema of the operation. */
function expectValid({ body: schema }: Operation, body: RequestBody, { validate = true }: ChangeOptions): void {
  const errors = schema && validate ? checkValue(schema, body, reasonOf) : []
  if (errors.length > 0) throw bodyProblem(errors)
}

/** Returns the reason for an unknown field, with the one that is probably meant. */
function reasonOf(unknown: UnknownKey): string {
  const near = didYouMean(unknown.key, Object.keys(unknown.entries))
  return near ? `unknown field. ${near}` : reasonOfApi(unknown)
}
