/** Prepares the change of a command: validated and ready to send. */
import type { Operation } from '../catalogue/operation'
import { checkBody } from './body'
import type { Change } from './change'
import type { ChangeContext, RequestBody } from './change-context'
import type { ChangeCommand, ChangeStep, Sent } from './change-definition'
import { readBefore } from './history/before-change'
import type { ConditionalRemoval } from './if-present'
import { type Compare, compareFields, ifAllowed, lookUpLabel } from './label-lookup'
import { adoptLostResponse, confirmLostResponse } from './lost-response'
import { fieldPaths } from './printing'
import type { ResolvedTarget } from './resolved-target'
import { type FoundObject, type Item, nameOf, notFoundAs, pathOf } from './resource'
import { waitTimeout, waitUntil } from './wait'

/** Finds the target of a change, completes and validates its body, and defines the steps around its request. */
export function prepare(
  command: ChangeCommand<Operation>,
  given: RequestBody,
  context: ChangeContext,
  subject?: ResolvedTarget,
): Promise<Change> {
  const { entry, flags } = context
  const { past } = entry ?? {}
  if (past?.state === 'done') return doneBefore(command, past.answer, { ...context, subject, id: past.id })
  const find = () => prepareFound(command, given, context, subject)
  // An earlier run may have deleted it.
  const maybeGone = flags['if-present'] || (past && command.operation.method === 'DELETE')
  return maybeGone ? orAbsent({ operation: command.operation, subject, prepare: find }, context) : find()
}

/** Returns a change that sends nothing, as the journal has its answer; a wait for it continues. */
async function doneBefore(
  command: ChangeCommand<Operation>,
  answer: Partial<Item>,
  context: Omit<Finishing, 'body'>,
): Promise<Change> {
  const { operation } = command
  const { entry } = context
  const change: Change = { operation, entry, noop: true, send: async () => answer, done: () => '' }
  return { ...change, result: () => finish(answer, command, { ...context, body: {} }) }
}

async function orAbsent(removal: ConditionalRemoval, context: ChangeContext): Promise<Change> {
  const { ifPresent } = await import('./if-present')
  return ifPresent(removal, context)
}

async function prepareFound(
  command: ChangeCommand<Operation>,
  given: RequestBody,
  context: ChangeContext,
  subject: ResolvedTarget | undefined,
): Promise<Change> {
  const { operation, noopMessage } = command
  const found = await subject?.found()
  const step = stepOf(command, context, subject)
  // An object that an earlier run may have created has the label.
  const body = await checkedBody(command, given, isPending(context) ? { ...step, look: nothing } : step)
  const sent = (answer: Item): Sent => ({ name: nameIn(answer, command, found), body })
  const change: Change = {
    operation,
    ...(operation.body && { body }),
    entry: context.entry,
    ...(subject && found && aboutObject(subject, found.id)),
    snapshot: (looks) => readBefore(command, { subject, body, session: context.session, looks }),
    afterSend: () => forgetLabels(command, body, context),
    done: (answer) => command.done(answer, sent(answer)),
    result: (answer) => finish(answer, command, { ...context, body, subject, id: found?.id, before: found?.record }),
  }
  // The object was just read, so that record is good enough here.
  const standing =
    noopMessage && !step.dry ? await command.findDone?.(body, { ...step, reread: step.record }) : undefined
  if (noopMessage && standing) {
    return { ...change, noop: true, send: async () => standing, done: (answer) => noopMessage(sent(answer)) }
  }
  const ready = (await command.update?.(change, step)) ?? (await recoverable(change, command, { body, step }))
  const { findDone } = command
  if (!noopMessage || !findDone || step.dry) return ready
  const { orAlreadyDone } = await import('./already-done')
  return orAlreadyDone(
    ready,
    { settled: () => findDone(body, step), already: (answer) => noopMessage(sent(answer)) },
    context,
  )
}

/** The parts of a change that concern the object that was named. */
function aboutObject(
  { resource }: ResolvedTarget,
  id: FoundObject['id'],
): Pick<Change, 'beforeRequest' | 'path' | 'explain'> {
  return { beforeRequest: { id }, path: pathOf(resource, id), explain: (problem) => notFoundAs(id, resource, problem) }
}

function stepOf({ resource }: ChangeCommand<Operation>, context: ChangeContext, subject?: ResolvedTarget): ChangeStep {
  const { dry, session } = context
  const look = async (label: string) =>
    resource && !dry ? ifAllowed(lookUpLabel(label, resource, session)) : undefined
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
    const known = looks.get(label) ?? look(label)
    looks.set(label, known)
    return known
  }
}

/** Returns the validated body to send, without checks that need existing objects. */
export function bodyAhead(
  command: ChangeCommand<Operation>,
  given: RequestBody,
  context: ChangeContext,
): Promise<RequestBody> {
  return checkedBody(command, given, { ...stepOf(command, context), look: nothing })
}

async function checkedBody(
  command: ChangeCommand<Operation>,
  given: RequestBody,
  step: ChangeStep,
): Promise<RequestBody> {
  const body = typeof command.body === 'function' ? await command.body({ ...given }, step) : given
  if (command.operation.body) checkBody(command.operation.body, body, step.flags, command.flagNames)
  if (step.flags.validate !== false) await command.check?.(body, step)
  return body
}

/** Adds recovery from a lost answer, or the use of an existing object. */
async function recoverable(
  change: Change,
  command: ChangeCommand<Operation>,
  { body, step }: { body: RequestBody; step: ChangeStep },
): Promise<Change> {
  const { operation, resource, findDone } = command
  const { session, dry, flags } = step
  if (dry) return change
  if (findDone) return { ...change, recover: confirmLostResponse(() => findDone(body, step)) }
  // A created object can only be found if the resource is of its kind.
  if (!resource || operation.creates !== resource.noun) return change
  const compare: Compare = (record, wanted) => (command.compare ?? compareFields)(record, wanted, step)
  const { label } = body
  const anew = async (): Promise<Change> => {
    if (command.candidates) {
      const { reportNewcomers } = await import('./unlabeled')
      const alike = () => command.candidates?.(body, step)
      return { ...change, recover: await reportNewcomers({ body, resource, compare, alike }) }
    }
    if (typeof label !== 'string')
      return { ...change, recover: adoptLostResponse({ body, resource, session, compare, before: undefined }) }
    if (flags['if-absent'])
      return (await import('./if-absent')).ifAbsent(change, { ...step, body: { ...body, label }, resource, compare })
    const before = await step.look(label)
    return {
      ...change,
      beforeRequest: { before },
      recover: adoptLostResponse({ body, resource, session, compare, before }),
    }
  }
  const { entry } = step
  if (!entry?.past || !isPending(step)) return anew()
  const { resumeCreation } = await import('./resume')
  return resumeCreation(change, { made: { body, resource, session, compare }, entry, past: entry.past, anew }, step)
}

/** Reports whether an earlier run may have made the change. */
const isPending = ({ entry }: ChangeContext) => entry?.past?.state === 'sending'

/** Returns the object's name. A clone answers with another object than the named one; a detach with none. */
function nameIn(answer: Item, { resource }: ChangeCommand<Operation>, found?: FoundObject): string {
  const id = answer.id ?? found?.id
  const record = answer.label === undefined ? found?.record : answer
  return resource && id !== undefined ? nameOf(resource, { id, ...(record && { record }) }) : ''
}

/** Forgets completion labels after one was created, changed or deleted. */
async function forgetLabels(
  { operation, resource }: ChangeCommand<Operation>,
  { label }: RequestBody,
  { session }: ChangeContext,
): Promise<void> {
  const kind = resource?.values
  if (!kind) return
  if (operation.method !== 'DELETE' && label === undefined) return
  await (await import('./completion-cache')).dropCachedKind(kind, session)
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
  { wait, ...command }: ChangeCommand<Operation>,
  { body, subject, id: named, before, ...context }: Finishing,
): Promise<RequestBody> {
  const { flags, session } = context
  // Fields that a service adds to an empty answer do not describe the named object.
  const answer: Partial<Item> = subject && fieldPaths(command.operation).length === 0 ? {} : answered
  const id = answer.id ?? named
  const resource = subject?.resource ?? command.resource
  if (wait && flags.wait && resource && id !== undefined) {
    return (await waitUntil(wait(body, before), { id, resource, session, timeoutMs: waitTimeout(flags) })) ?? {}
  }
  return answer
}
