/** Turns an action into a change: finds the target, and checks the body and the protections. It changes nothing. */
import { Problem } from '../errors'
import type { Action, ActionCaller, ActionStep } from './action'
import { kindBelow } from './action-functions'
import type { Change } from './change'
import type { ChangeContext, RequestBody } from './change-context'
import { checkLabel, ifAllowed, lookUpLabel } from './label-lookup'
import type { ResolvedTarget } from './resolved-target'
import { pathOf } from './resource'

/** An action, and who asks for it. */
export interface ActionCall<C extends ChangeContext> {
  action: Action
  caller: ActionCaller<C>
}

/** Finds the target of a change, and completes and checks its body. */
export async function prepare<C extends ChangeContext>(
  call: ActionCall<C>,
  input: RequestBody,
  context: C,
  subject?: ResolvedTarget,
): Promise<Change> {
  const { action } = call
  const { operation } = action
  const { entry } = context
  const step = stepOf(action, context, subject)
  if (entry?.past?.state === 'done') {
    const { id, answer } = entry.past
    const object = id === undefined ? undefined : { id, input: subject?.input ?? '' }
    return { operation, action, step, entry, object, noop: { answer, outcome: { kind: 'done' } } }
  }
  try {
    return await prepareFound(call, input, step)
  } catch (error) {
    const { isAbsent } = await import('./if-present')
    if (!(error instanceof Problem) || !(await isAbsent(error, operation, step))) throw error
    return { operation, entry, noop: { answer: {}, outcome: { kind: 'absent', problem: error } } }
  }
}

async function prepareFound<C extends ChangeContext>(
  call: ActionCall<C>,
  input: RequestBody,
  step: ActionStep<C>,
): Promise<Change> {
  const { action, caller } = call
  const { operation, findDone, safety: { guard, traffic, protection } = {} } = action
  const { subject, entry, options, dry } = step
  const object = await subject?.find()
  // An earlier run has checked what it may have sent, and an object that it may have created has the label.
  const isPending = entry?.past?.state === 'sending'
  const { body, named } = await checkedBody(call, input, isPending ? { ...step, look: nothing } : step)
  await guard?.(body, step)
  const blocks = await traffic?.(body, step)
  const change: Change = {
    operation,
    action,
    step,
    named,
    object,
    entry,
    ...(object && subject && { path: pathOf(subject.resource, object.id) }),
    ...(operation.body && { body }),
    ...(blocks && { blocks }),
  }
  // The object was just read, so that record is good enough here.
  const isLooking = caller.looks !== false && !dry
  const current = isLooking ? await findDone?.(body, { ...step, reread: step.record }) : undefined
  if (current) return { ...change, noop: { answer: current, outcome: { kind: 'already' } } }
  if (protection && !options.force && !isPending) {
    const { expectUnprotected } = await import('./protection')
    await expectUnprotected(protection, body, step)
  }
  return change
}

function stepOf<C extends ChangeContext>(
  { resource }: Pick<Action, 'resource'>,
  context: C,
  subject?: ResolvedTarget,
): ActionStep<C> {
  const { dry, account } = context
  const look = async (label: string) =>
    resource && !dry
      ? ifAllowed(lookUpLabel(label, await kindBelow(resource, { subject }), account, { usesList: true }))
      : undefined
  return {
    ...context,
    subject,
    record: subject?.record ?? nothing,
    reread: subject?.reread ?? nothing,
    look: remembered(look),
    notices: [],
  }
}

const nothing = async () => undefined

/** Caches lookups by label. */
function remembered<T>(look: (label: string) => Promise<T>): (label: string) => Promise<T> {
  const looks = new Map<string, Promise<T>>()
  return (label) => {
    const lookup = looks.get(label) ?? look(label)
    looks.set(label, lookup)
    return lookup
  }
}

/** Returns the validated body to send, without checks that need existing objects. */
export const bodyAhead = async <C extends ChangeContext>(call: ActionCall<C>, input: RequestBody, context: C) =>
  (await checkedBody(call, input, { ...stepOf(call.action, context), look: nothing })).body

/** Returns the body to send, and its part that the request names. */
async function checkedBody<C extends ChangeContext>(
  { action, caller }: ActionCall<C>,
  input: RequestBody,
  step: ActionStep<C>,
): Promise<Record<'body' | 'named', RequestBody>> {
  const { operation, resource, safety } = action
  const completed = (await caller.complete?.({ ...input }, step)) ?? input
  const named = typeof action.body === 'function' ? action.body(completed) : completed
  const body = (await caller.defaults?.(named, step)) ?? named
  if (operation.body) await caller.validate(body, step)
  if (step.options.validate !== false) {
    await caller.check?.(body, step)
    await safety?.check?.(body, step)
    if (safety?.uniqueLabel && resource)
      await checkLabel(body.label, resource, step, operation.creates ? undefined : await step.subject?.find())
  }
  return { body, named }
}
