/** What becomes of a command that changes something: one change, checked and ready to be sent. */
import type { Operation } from '../catalogue/operation'
import { checkBody } from './body'
import type { Change } from './change'
import type { ChangeCommand, Sent, Step } from './change-command'
import { aboutOf } from './history/about'
import type { Removal } from './if-present'
import { type Compare, compareFields, ifAllowed, lookAt } from './look'
import { adoption, settlement } from './lost'
import { fieldPaths } from './printing'
import { type Found, type Item, nameOf, notFoundAs, pathOf } from './resource'
import type { RequestBody, Situation } from './situation'
import type { Subject } from './subject'
import { waitTimeout, waitUntil } from './wait'

/** Finds what a change is about, completes and checks its body, and says what is done around its request. */
export function prepare(
  command: ChangeCommand<Operation>,
  given: RequestBody,
  situation: Situation,
  subject?: Subject,
): Promise<Change> {
  const { entry, flags } = situation
  const { past } = entry ?? {}
  if (past?.state === 'done') return doneBefore(command, past.answer, { ...situation, subject, id: past.id })
  const find = () => prepareFound(command, given, situation, subject)
  // What an earlier run may have deleted need not be there any more.
  const maybeGone = flags['if-present'] || (past && command.operation.method === 'DELETE')
  return maybeGone ? orAbsent({ operation: command.operation, subject, prepare: find }, situation) : find()
}

/** What the journal has the answer of: nothing is sent, but a wait for it goes on. */
async function doneBefore(
  command: ChangeCommand<Operation>,
  answer: Partial<Item>,
  situation: Omit<Finishing, 'body'>,
): Promise<Change> {
  const { operation } = command
  const { entry } = situation
  const change: Change = { operation, entry, idle: true, send: async () => answer, done: () => '' }
  return { ...change, finish: () => finish(answer, command, { ...situation, body: {} }) }
}

async function orAbsent(removal: Removal, situation: Situation): Promise<Change> {
  const { ifPresent } = await import('./if-present')
  return ifPresent(removal, situation)
}

async function prepareFound(
  command: ChangeCommand<Operation>,
  given: RequestBody,
  situation: Situation,
  subject: Subject | undefined,
): Promise<Change> {
  const { operation, already } = command
  const found = await subject?.found()
  const step = stepOf(command, situation, subject)
  // The label of what an earlier run may have made is taken by that.
  const body = await checkedBody(command, given, isPending(situation) ? { ...step, look: nothing } : step)
  const sent = (answer: Item): Sent => ({ name: nameIn(answer, command, found), body })
  const change: Change = {
    operation,
    ...(operation.body && { body }),
    entry: situation.entry,
    ...(found && { known: { id: found.id } }),
    ...(subject && found && { path: pathOf(subject.resource, found.id) }),
    ...(subject && found && { explain: (problem) => notFoundAs(found.id, subject.resource, problem) }),
    about: (looks) => aboutOf(command, { subject, body, session: situation.session, looks }),
    follow: () => forgetLabels(command, body, situation),
    done: (answer) => command.done(answer, sent(answer)),
    finish: (answer) => finish(answer, command, { ...situation, body, subject, id: found?.id }),
  }
  // What was just read need not be read again to see whether all is so already.
  const standing = already && !step.dry ? await command.settled?.(body, { ...step, reread: step.record }) : undefined
  if (already && standing) {
    return { ...change, idle: true, send: async () => standing, done: (answer) => already(sent(answer)) }
  }
  const ready = (await command.contended?.(change, step)) ?? (await recoverable(change, command, { body, step }))
  const { settled } = command
  if (!already || !settled || step.dry) return ready
  const { orDoneMeanwhile } = await import('./done-meanwhile')
  return orDoneMeanwhile(
    ready,
    { settled: () => settled(body, step), already: (answer) => already(sent(answer)) },
    situation,
  )
}

function stepOf({ resource }: ChangeCommand<Operation>, situation: Situation, subject?: Subject): Step {
  const { dry, session } = situation
  const look = async (label: string) => (resource && !dry ? ifAllowed(lookAt(label, resource, session)) : undefined)
  return {
    ...situation,
    subject,
    record: subject?.record ?? nothing,
    reread: subject?.reread ?? nothing,
    look: remembered(look),
  }
}

const nothing = async () => undefined

/** One look serves all that ask for it. */
function remembered<T>(look: (label: string) => Promise<T>): (label: string) => Promise<T> {
  const looks = new Map<string, Promise<T>>()
  return (label) => {
    const known = looks.get(label) ?? look(label)
    looks.set(label, known)
    return known
  }
}

/** The body that is to be sent, as far as it can be checked without what an account has of its label. */
export function bodyAhead(
  command: ChangeCommand<Operation>,
  given: RequestBody,
  situation: Situation,
): Promise<RequestBody> {
  return checkedBody(command, given, { ...stepOf(command, situation), look: nothing })
}

async function checkedBody(command: ChangeCommand<Operation>, given: RequestBody, step: Step): Promise<RequestBody> {
  const body = typeof command.body === 'function' ? await command.body({ ...given }, step) : given
  if (command.operation.body) checkBody(command.operation.body, body, step.flags, command.typed)
  if (step.flags.validate !== false) await command.check?.(body, step)
  return body
}

/** The change with what is done where its answer is lost, or where what it makes is there already. */
async function recoverable(
  change: Change,
  command: ChangeCommand<Operation>,
  { body, step }: { body: RequestBody; step: Step },
): Promise<Change> {
  const { operation, resource, settled } = command
  const { session, dry, flags } = step
  if (dry) return change
  if (settled) return { ...change, recover: settlement(() => settled(body, step)) }
  // What it makes is looked for among its own kind, or nowhere.
  if (!resource || operation.creates !== resource.noun) return change
  const compare: Compare = (record, wanted) => (command.compare ?? compareFields)(record, wanted, step)
  const { label } = body
  const anew = async (): Promise<Change> => {
    if (command.alike) {
      const { openNaming } = await import('./nameless')
      const alike = () => command.alike?.(body, step)
      return { ...change, recover: await openNaming({ body, resource, compare, alike }) }
    }
    if (typeof label !== 'string')
      return { ...change, recover: adoption({ body, resource, session, compare, before: undefined }) }
    if (flags['if-absent'])
      return (await import('./if-absent')).ifAbsent(change, { ...step, body: { ...body, label }, resource, compare })
    const before = await step.look(label)
    return { ...change, known: { before }, recover: adoption({ body, resource, session, compare, before }) }
  }
  const { entry } = step
  if (!entry?.past || !isPending(step)) return anew()
  const { resumed } = await import('./resumed')
  return resumed(change, { made: { body, resource, session, compare }, entry, past: entry.past, anew }, step)
}

/** Whether an earlier run may have done it. */
const isPending = ({ entry }: Situation) => entry?.past?.state === 'sending'

/** A clone answers with another object than the one that was named; a detach with none. */
function nameIn(answer: Item, { resource }: ChangeCommand<Operation>, found?: Found): string {
  const id = answer.id ?? found?.id
  const record = answer.label === undefined ? found?.record : answer
  return resource && id !== undefined ? nameOf(resource, { id, ...(record && { record }) }) : ''
}

/** Labels that a shell completes are read anew once one was made, changed or deleted. */
async function forgetLabels(
  { operation, resource }: ChangeCommand<Operation>,
  { label }: RequestBody,
  { session }: Situation,
): Promise<void> {
  const kind = resource?.values
  if (!kind) return
  if (operation.method !== 'DELETE' && label === undefined) return
  await (await import('./names')).forgetKind(kind, session)
}

interface Finishing extends Situation {
  body: RequestBody
  subject: Subject | undefined
  id: Found['id'] | undefined
}

/** Waits where that was asked for, and hands over what is shown once. */
async function finish(
  answered: Partial<Item>,
  { wait, deliver, ...command }: ChangeCommand<Operation>,
  { body, subject, id: named, ...situation }: Finishing,
): Promise<RequestBody | undefined> {
  const { flags, session } = situation
  // What a service adds to an answer that promises nothing is not the object that was named.
  const answer: Partial<Item> = subject && fieldPaths(command.operation).length === 0 ? {} : answered
  const id = answer.id ?? named
  const resource = subject?.resource ?? command.resource
  if (wait && flags.wait && resource && id !== undefined) {
    return (await waitUntil(wait(body), { id, resource, session, timeoutMs: waitTimeout(flags) })) ?? {}
  }
  return deliver ? deliver(answer, situation) : answer
}
