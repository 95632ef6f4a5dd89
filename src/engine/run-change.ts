/** Runs a command that changes something: turns its input into changes, and carries them out. */
import type { Operation } from '../catalogue/operation'
import type { Session } from '../session'
import { checkBody, readBodies, readBody } from './body'
import { performChange } from './change'
import type { ChangeContext, PrintedChangeContext, RequestBody } from './change-context'
import type { ChangeCommand } from './change-definition'
import type { ActionInput, Input } from './command'
import type { Question } from './confirm'
import { expectOneLabel } from './duplicate-labels'
import type { Journal } from './journal'
import type { JournalEntry } from './journal-lines'
import type { BodyInput } from './ndjson-input'
import { bodyAhead, prepare } from './prepare'
import { type ResolvedTarget, resolveTarget, targetName } from './resolved-target'
import type { Resource } from './resource'
import { type Deliver, runAll, runOne } from './run-all'
import { ofParent, readTarget, readTargets } from './targets'
import { waitTimeout } from './wait'
import { withJournal } from './with-journal'

/** Runs the command; `target` is the kind of the named objects, undefined if none are named. */
export async function runChange(
  command: ChangeCommand<Operation>,
  target: Resource | undefined,
  { input, context }: { input: Input; context: PrintedChangeContext },
): Promise<void> {
  // An invalid time must be found before the change is made.
  waitTimeout(input.flags)
  if (target) {
    return withJournal(context, (journal) => runOnTargets(command, target, { input, context, journal }))
  }
  return command.batch
    ? withJournal(context, (journal) => runOnEach(command, context, journal))
    : runOnce(command, context)
}

/** Carries out one change for a plan or an undo: asks nothing, and prints no answer. */
export async function performOne(
  command: ChangeCommand<Operation>,
  resource: Resource | undefined,
  { action, session }: { action: ActionInput; session: Session },
): Promise<RequestBody> {
  const { body = {}, flags } = action
  const given = typeof command.body === 'object' ? command.body : body
  const context: ChangeContext = { flags, session, dry: false }
  waitTimeout(flags)
  if (!resource) return performChange(await prepare(command, given, context), session)
  if (command.operation.body) checkBody(command.operation.body, given, flags, command.flagNames)
  const target = await readTarget(action, resource, session)
  const subject = resolveTarget(target, await ofParent(resource, action, session), context)
  return performChange(await prepare(command, given, context, subject), session)
}

async function runOnce(command: ChangeCommand<Operation>, context: PrintedChangeContext): Promise<void> {
  const change = await prepare(command, await givenBody(command, context), context)
  const text = command.question?.(change.body ?? {}, context)
  await runOne(change, context, {
    question: await text?.({ names: '', several: false, found: [] }),
    rows: command.resource !== undefined,
    deliver: deliverWith(command, context),
  })
}

const deliverWith = ({ deliver }: ChangeCommand<Operation>, context: PrintedChangeContext): Deliver | undefined =>
  deliver && ((answer) => deliver(answer, context))

/** Creates an object from the body, or from each of several bodies. */
async function runOnEach(
  command: ChangeCommand<Operation>,
  context: PrintedChangeContext,
  journal: Journal | undefined,
): Promise<void> {
  const { operation, name } = command
  const { flags, session } = context
  const given = operation.body ? await readBodies(operation.body, flags, session, journal?.inputs?.bodies) : []
  if (journal || given.length > 1) {
    const bodies = await checkedAhead(command, given, context)
    await journal?.bind({ name, operation, inputs: { bodies } })
  }
  const targets = given.map(({ body, line }, place) => ({
    typed: line === undefined ? '' : `line ${line}`,
    turn: given.length > 1 ? textOf(body.label) : undefined,
    body,
    entry: journal?.entry(place),
    identity: async () => ({ ...(typeof body.label === 'string' && { label: body.label }) }),
  }))
  const prepareOne = ({ body, entry }: (typeof targets)[number]) => prepare(command, body, { ...context, entry })
  const deliver = deliverWith(command, context)
  await runAll({ verb: name, targets, prepare: prepareOne, rows: true, journal, deliver }, context)
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** Validates all bodies before anything is sent. */
async function checkedAhead(
  command: ChangeCommand<Operation>,
  given: readonly BodyInput[],
  context: PrintedChangeContext,
): Promise<BodyInput[]> {
  const { flags } = context
  const { checkEach, expectDistinct } = await import('./ndjson-input')
  const bodies = await checkEach(given, async (one) => ({
    ...one,
    body: await bodyAhead(command, one.body, context),
  }))
  if (flags.validate !== false && !flags['allow-duplicate'] && !flags['if-absent']) {
    const hint = 'Choose another, or add --allow-duplicate'
    expectDistinct(bodies, 'label', { nameOf: ({ label }) => label, hint })
  }
  return bodies
}

interface OnTargets {
  input: Input
  context: PrintedChangeContext
  journal: Journal | undefined
}

async function runOnTargets(
  command: ChangeCommand<Operation>,
  resource: Resource,
  { input, context, journal }: OnTargets,
): Promise<void> {
  const targets = await readTargets(input, resource, context.session, journal?.inputs?.targets)
  const given = await givenBody(command, context)
  // Errors that do not depend on the target are found before anything is looked up.
  if (command.operation.body) checkBody(command.operation.body, given, context.flags, command.flagNames)
  expectOneLabel(given.label, targets, { noun: resource.noun, flags: context.flags })
  const own = await ofParent(resource, input, context.session)
  const text = command.question?.(given, context)
  const { name, operation } = command
  const typed = targets.map((target) => target.typed)
  await journal?.bind({ name, operation, inputs: { targets: typed, parent: own.path, body: given } })
  const entries = new Map<ResolvedTarget, JournalEntry>()
  const subjects = targets.map((target, place) => {
    const entry = journal?.entry(place)
    const subject = resolveTarget(target, own, { ...context, entry })
    if (entry) entries.set(subject, entry)
    return subject
  })
  await runAll(
    {
      verb: command.name,
      targets: subjects,
      prepare: (subject) => prepare(command, given, { ...context, entry: entries.get(subject) }, subject),
      journal,
      ...(text && { question: questionOf(command, text, resource) }),
      deliver: deliverWith(command, context),
      rows: true,
    },
    context,
  )
}

function questionOf(
  { refusal }: ChangeCommand<Operation>,
  text: Question<ResolvedTarget>['text'],
  { noun }: Resource,
): Question<ResolvedTarget> {
  return {
    text,
    nameOf: targetName,
    plural: `${noun}s`,
    async refusal({ record }) {
      const present = refusal && (await record())
      return present && refusal(present)
    },
  }
}

async function givenBody({ operation, body }: ChangeCommand<Operation>, { flags, session }: PrintedChangeContext) {
  if (typeof body === 'object') return body
  return operation.body ? readBody(operation.body, flags, session) : {}
}
