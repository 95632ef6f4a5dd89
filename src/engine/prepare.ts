/** What is special about a command that changes something, and what becomes of it: one change, checked and ready. */
import type { Answer, Operation } from '../catalogue/operation'
import { Problem } from '../errors'
import type { Column } from '../output/column'
import { checkBody } from './body'
import type { Change, Question } from './change'
import type { Command, Flag } from './command'
import { type Compare, compareFields, type Look, lookIfAllowed } from './look'
import { adoption, settlement } from './lost'
import { type Found, type Item, nameOf, notFoundAs, pathOf, type Resource } from './resource'
import type { RequestBody, Situation } from './situation'
import type { Subject } from './subject'
import type { TypedNames } from './typed-names'
import { type Condition, waitTimeout, waitUntil } from './wait'

/** What a function of a change may look at. */
export interface Step extends Situation {
  /** The object that was named, as it was when it was first read; undefined in a dry run, or where none is named. */
  record(): Promise<Item | undefined>
  /** The same, as it is now. */
  reread(): Promise<Item | undefined>
  /** What has a label already; undefined in a dry run, and where the token may not look. */
  look(label: string): Promise<Look | undefined>
}

interface Sent {
  /** The object that the answer shows, or that was named: `volume "data" (123)`. */
  name: string
  body: RequestBody
}

export interface ChangeCommand<O extends Operation>
  extends Pick<Command, 'name' | 'aliases' | 'details' | 'form' | 'examples'>,
    Partial<Pick<Command, 'summary'>> {
  operation: O
  /** What is named, or made. Without it the change is of what an account has one of, such as the acting user. */
  resource?: Resource
  columns?: readonly Column[]
  /** Whether it takes several targets. */
  many?: true
  /** The command's own flags, from those that the fields of the body make. */
  flags?(made: readonly Flag[]): readonly Flag[]
  /** What is sent, from what flags and file gave: with defaults, or a list that is added to. Or what is always sent. */
  body?: RequestBody | ((given: RequestBody, step: Step) => RequestBody | Promise<RequestBody>)
  /** What is typed for fields that have no flag of their own name: `{ scopes: '--scope' }`. */
  typed?: TypedNames
  /** Refuses what can be known before sending; `--no-validate` skips it. */
  check?(body: RequestBody, step: Step): void | Promise<void>
  /** Says what is destroyed or cut off, as a question without its mark; without an answer nothing is asked. */
  question?(body: RequestBody, situation: Situation): Question<Subject>['text'] | undefined
  /**
   * What is as good as the answer, where all is as this change makes it already. It is asked after a lost answer, and
   * with `already` also before anything is sent.
   */
  settled?(body: RequestBody, step: Step): Promise<Record<string, unknown> | undefined>
  /** The sentence where nothing had to be sent. */
  already?(sent: Sent): string
  /** Says where an object is not what was asked for: it is neither taken for the new one nor instead of it. */
  compare?(record: Item, body: RequestBody, step: Step): ReturnType<Compare>
  /** The sentence on success. */
  done(answer: Answer<O>, sent: Sent): string
  /** What `--wait` waits for. */
  wait?(body: RequestBody): Condition
  /** Hands over what is shown once; resolves to what of the answer is printed. */
  deliver?(answer: Answer<O>, situation: Situation): Promise<RequestBody>
}

/** For what is settled when the record of the object that was named is as wanted. */
export function recordShows(wanted: (record: Item, body: RequestBody) => boolean) {
  return async (body: RequestBody, { reread }: Step): Promise<Item | undefined> => {
    const record = await reread()
    return record && wanted(record, body) ? record : undefined
  }
}

/** Finds what a change is about, completes and checks its body, and says what is done around its request. */
export function prepare(
  command: ChangeCommand<Operation>,
  given: RequestBody,
  situation: Situation,
  subject?: Subject,
): Promise<Change> {
  const find = () => prepareFound(command, given, situation, subject)
  return situation.flags['if-present'] ? orAbsent(command.operation, find, situation) : find()
}

async function orAbsent(operation: Operation, find: () => Promise<Change>, situation: Situation): Promise<Change> {
  const { ifPresent } = await import('./if-present')
  return ifPresent(operation, find, situation)
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
  const body = await checkedBody(command, given, step)
  const sent = (answer: Item): Sent => ({ name: nameIn(answer, command, found), body })
  const change: Change = {
    operation,
    ...(operation.body && { body }),
    ...(subject && found && { path: pathOf(subject.resource, found.id) }),
    ...(subject && found && { explain: (problem) => notFoundAs(found.id, subject.resource, problem) }),
    follow: () => forgetLabels(command, body, situation),
    done: (answer) => command.done(answer, sent(answer)),
    finish: (answer) => finish(answer, command, { ...situation, body, subject, id: found?.id }),
  }
  // What was just read need not be read again to see whether all is so already.
  const standing = already && !step.dry ? await command.settled?.(body, { ...step, reread: step.record }) : undefined
  if (already && standing) {
    return { ...change, idle: true, send: async () => standing, done: (answer) => already(sent(answer)) }
  }
  const ready = await recoverable(change, command, { body, step })
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
  const look = async (label: string) => (resource && !dry ? lookIfAllowed(label, resource, session) : undefined)
  return {
    ...situation,
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
  if (typeof label !== 'string')
    return { ...change, recover: adoption({ body, resource, session, compare, before: undefined }) }
  if (flags['if-absent'])
    return (await import('./if-absent')).ifAbsent(change, { ...step, body: { ...body, label }, resource, compare })
  return { ...change, recover: adoption({ body, resource, session, compare, before: await step.look(label) }) }
}

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

/** What was done is told, also where the wait for it failed: who ran the command again would do it twice. */
function afterChange(problem: Problem, answer: Item, { creates }: Operation): Problem {
  const { id, label = null } = answer
  const created = creates && id !== undefined && { created: { kind: creates, id, label } }
  return new Problem(problem.code, problem.message, {
    ...problem.details,
    ...created,
    answer,
    retryable: false,
    cause: problem,
  })
}

interface Finishing extends Situation {
  body: RequestBody
  subject: Subject | undefined
  id: Found['id'] | undefined
}

/** Waits where that was asked for, and hands over what is shown once. */
async function finish(
  answer: Item,
  { wait, deliver, ...command }: ChangeCommand<Operation>,
  { body, subject, id: named, ...situation }: Finishing,
): Promise<RequestBody> {
  const { flags, session } = situation
  const id = answer.id ?? named
  const resource = subject?.resource ?? command.resource
  if (wait && flags.wait && resource && id !== undefined) {
    const timeoutMs = waitTimeout(flags)
    try {
      return (await waitUntil(wait(body), { id, resource, session, timeoutMs })) ?? {}
    } catch (error) {
      throw error instanceof Problem ? afterChange(error, answer, command.operation) : error
    }
  }
  return deliver ? deliver(answer, situation) : answer
}
