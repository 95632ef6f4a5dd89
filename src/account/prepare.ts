/** Turns an action into a change: finds the target, checks the body, and decides how a lost answer is recovered. */
import { fieldPaths } from '../catalogue/operation'
import type { Action, ActionCaller, ActionStep } from './action'
import type { Change } from './change'
import type { ChangeContext, RequestBody } from './change-context'
import { readBefore } from './history/before-change'
import type { ConditionalRemoval } from './if-present'
import { type Compare, compareFields, ifAllowed, lookUpLabel } from './label-lookup'
import { adoptLostResponse, confirmLostResponse } from './lost-response'
import { expectUnprotected } from './protection'
import type { ResolvedTarget } from './resolved-target'
import { type FoundObject, type Item, nameOf, notFoundAs, pathOf } from './resource'
import { waitUntil } from './wait'

/** An action, and who asks for it. */
export interface Intent<C extends ChangeContext> {
  action: Action
  caller: ActionCaller<C>
}

/** Finds the target of a change, completes and validates its body, and defines the steps around its request. */
export function prepare<C extends ChangeContext>(
  intent: Intent<C>,
  input: RequestBody,
  context: C,
  subject?: ResolvedTarget,
): Promise<Change> {
  const { entry, options } = context
  const { operation } = intent.action
  const { past } = entry ?? {}
  if (past?.state === 'done') return doneBefore(intent.action, past.answer, { ...context, subject, id: past.id })
  const find = () => prepareFound(intent, input, context, subject)
  // An earlier run may have deleted it.
  const maybeGone = options.ifPresent || (past && operation.method === 'DELETE')
  return maybeGone ? orAbsent({ operation, subject, prepare: find }, context) : find()
}

/** Returns a change that sends nothing, as the journal has its answer; a wait for it continues. */
async function doneBefore(
  action: Pick<Action, 'operation' | 'resource' | 'wait'>,
  answer: Partial<Item>,
  context: Omit<Finishing, 'body'>,
): Promise<Change> {
  const { operation } = action
  const { entry } = context
  const change: Change = { operation, entry, noop: true, send: async () => answer }
  return { ...change, result: () => finish(answer, action, { ...context, body: {} }) }
}

async function orAbsent(removal: ConditionalRemoval, context: ChangeContext): Promise<Change> {
  const { ifPresent } = await import('./if-present')
  return ifPresent(removal, context)
}

async function prepareFound<C extends ChangeContext>(
  intent: Intent<C>,
  input: RequestBody,
  context: C,
  subject: ResolvedTarget | undefined,
): Promise<Change> {
  const { action, caller } = intent
  const { operation, findDone, creation: { expected } = {}, safety: { guard, traffic, protection } = {} } = action
  const object = await subject?.find()
  const step = stepOf(action, context, subject)
  // An object that an earlier run may have created has the label.
  const { body, named } = await checkedBody(intent, input, isPending(context) ? { ...step, look: nothing } : step)
  await guard?.(body, step)
  const blocks = await traffic?.(body, step)
  const change: Change = {
    operation,
    ...(operation.body && { body }),
    ...(blocks && { blocks }),
    nameOf: (answer) => nameIn(answer, action, object),
    recordBefore: () => object?.record,
    entry: context.entry,
    ...(expected && { expected: () => expected(step) }),
    ...(subject && aboutObject(subject, await subject.find())),
    snapshot: (looks) => readBefore(action, { subject, body, account: context.account, looks }),
    afterSend: () => forgetLabels(action, body, context),
    result: (answer) => finish(answer, action, { ...context, body, subject, id: object?.id, before: object?.record }),
  }
  const ready = async () => {
    // An earlier run has checked what it may have sent.
    if (protection && !step.options.force && !isPending(context)) await expectUnprotected(protection, body, step)
    const update = (await action.update?.(change, step)) ?? (await ofList(change, step))
    return update ?? recoverable(change, action, { body, named, step })
  }
  if (caller.looks === false || !findDone || step.dry) return ready()
  const { unlessDone } = await import('./already-done')
  return unlessDone(change, ready, { findDone: (now) => findDone(body, now), step })
}

/** Returns the change of a list, made to what the list is when it is sent; undefined for other changes. */
async function ofList(change: Change, step: ActionStep): Promise<Change | undefined> {
  const { list } = step.options
  if (!list || !step.subject) return undefined
  const { changeList, listOwner } = await import('./change-list')
  return changeList(change, list, await listOwner(step.subject), step)
}

/** The parts of a change that concern the object that was named. */
function aboutObject(
  { resource }: ResolvedTarget,
  { id }: FoundObject,
): Pick<Change, 'beforeRequest' | 'path' | 'explain'> {
  return { beforeRequest: { id }, path: pathOf(resource, id), explain: (error) => notFoundAs(id, resource, error) }
}

function stepOf<C extends ChangeContext>(
  { resource }: Pick<Action, 'resource'>,
  context: C,
  subject?: ResolvedTarget,
): ActionStep<C> {
  const { dry, account } = context
  const look = async (label: string) =>
    resource && !dry ? ifAllowed(lookUpLabel(label, resource, account)) : undefined
  return {
    ...context,
    subject,
    record: subject?.record ?? nothing,
    reread: subject?.reread ?? nothing,
    look: remembered(look),
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
export const bodyAhead = async <C extends ChangeContext>(intent: Intent<C>, input: RequestBody, context: C) =>
  (await checkedBody(intent, input, { ...stepOf(intent.action, context), look: nothing })).body

/** The body to send, and its part that the request names. */
type Bodies = Record<'body' | 'named', RequestBody>

async function checkedBody<C extends ChangeContext>(
  { action, caller }: Intent<C>,
  input: RequestBody,
  step: ActionStep<C>,
): Promise<Bodies> {
  const named = (await caller.complete?.({ ...input }, step)) ?? input
  const body = (await caller.defaults?.(named, step)) ?? named
  if (action.operation.body) caller.validate(body, step)
  if (step.options.validate !== false) {
    await caller.check?.(body, step)
    await action.check?.(body, step)
  }
  return { body, named }
}

/** Adds recovery from a lost answer, or the use of an existing object. */
async function recoverable(
  change: Change,
  action: Action,
  { body, named, step }: Bodies & { step: ActionStep },
): Promise<Change> {
  const { operation, resource, findDone, creation = {} } = action
  const { account, dry, options } = step
  if (dry) return change
  if (findDone) return { ...change, recover: confirmLostResponse(() => findDone(body, step)) }
  // A created object can only be found if the resource is of its kind.
  if (!resource || operation.creates !== resource.noun) return change
  const compare: Compare = (record, expected) => (creation.compare ?? compareFields)(record, expected, step)
  const { label } = body
  const anew = async (): Promise<Change> => {
    if (creation.candidates) {
      const { reportNewcomers } = await import('./lost-response-unlabeled')
      const alike = () => creation.candidates?.(body, step)
      return { ...change, recover: await reportNewcomers({ body, resource, compare, alike }) }
    }
    if (typeof label !== 'string')
      return { ...change, recover: adoptLostResponse({ body, resource, account, compare, before: undefined }) }
    const differences = async (record: Item) => (creation.compareNamed ?? compareFields)(record, named, step)
    const making = { ...step, body: { ...body, label }, resource, compare, differences }
    if (options.ifAbsent) return (await import('./if-absent')).ifAbsent(change, making)
    const before = await step.look(label)
    return {
      ...change,
      beforeRequest: { before },
      recover: adoptLostResponse({ body, resource, account, compare, before }),
    }
  }
  const { entry } = step
  if (entry?.past?.state !== 'sending') return anew()
  const { resumeCreation } = await import('./resume')
  return resumeCreation(change, { attempt: { body, resource, account, compare }, entry, past: entry.past, anew }, step)
}

/** Reports whether an earlier run may have made the change. */
const isPending = ({ entry }: ChangeContext) => entry?.past?.state === 'sending'

/** Returns the object's name. A clone answers with another object than the named one; a detach with none. */
function nameIn(answer: Item, { resource }: Pick<Action, 'resource'>, object?: FoundObject): string {
  const id = answer.id ?? object?.id
  const record = typeof answer.label === 'string' ? answer : object?.record
  return resource && id !== undefined ? nameOf(resource, { id, ...(record && { record }) }) : ''
}

/** Forgets completion labels after one was created, changed or deleted. Any change to a firewall may change its rules. */
async function forgetLabels(
  { operation, resource }: Pick<Action, 'operation' | 'resource'>,
  { label }: RequestBody,
  { account }: ChangeContext,
): Promise<void> {
  const kind = resource?.values
  if (!kind) return
  const isRenamed = operation.method === 'DELETE' || label !== undefined
  if (!isRenamed && kind !== 'firewalls') return
  const { dropCachedKind, expireCachedKind } = await import('./name-cache')
  if (kind === 'firewalls') await expireCachedKind('rules', account)
  if (isRenamed) await dropCachedKind(kind, account)
}

interface Finishing extends ChangeContext {
  body: RequestBody
  subject: ResolvedTarget | undefined
  id: FoundObject['id'] | undefined
  /** The named object before the change, if it was read. */
  before?: Item | undefined
}

/** Waits if requested. */
async function finish(
  answered: Partial<Item>,
  { wait, ...action }: Pick<Action, 'operation' | 'resource' | 'wait'>,
  { body, subject, id: named, before, options, account }: Finishing,
): Promise<RequestBody> {
  // Fields that a service adds to an empty answer do not describe the named object.
  const answer: Partial<Item> = subject && fieldPaths(action.operation).length === 0 ? {} : answered
  const id = answer.id ?? named
  const resource = subject?.resource ?? action.resource
  if (!wait || !options.wait || !resource || id === undefined) return answer
  return (await waitUntil(wait(body, before), { id, resource, account })) ?? {}
}
