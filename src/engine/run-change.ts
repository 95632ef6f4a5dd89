/** Runs a command that changes something: turns its input into changes, and carries them out. */

import { fixedBody } from '../account/action'
import type { ReadItem } from '../account/batched-records'
import type { RequestBody } from '../account/change-context'
import { expectOneLabel } from '../account/duplicate-labels'
import type { Journal } from '../account/journal'
import type { BodyInput, JournalEntry } from '../account/journal-lines'
import { bodyAhead, type Intent, prepare } from '../account/prepare'
import { type ResolvedTarget, resolveTarget, targetName } from '../account/resolved-target'
import { findTarget, ofParent, type Resource, type Target } from '../account/resource'
import type { Operation } from '../catalogue/operation'
import { isGone } from '../errors'
import { escapeText } from '../rules/escape'
import { capitalized } from '../rules/texts'
import { checkBody, readBodies, readBody } from './body'
import { usualAtOnce } from './bulk'
import type { ChangeCommand } from './change-definition'
import type { Flags, Input } from './command'
import type { CommandContext, PrintedContext } from './command-context'
import { blockingQuestion, blockingText, type Question } from './confirm'
import { type Deliver, runAll, runOne } from './run-all'
import { readTargets } from './targets'
import { withJournal } from './with-journal'

/** Runs the command; `target` is the kind of the named objects, undefined if none are named. */
export async function runChange(
  command: ChangeCommand<Operation>,
  target: Resource | undefined,
  { input, context }: { input: Input; context: PrintedContext },
): Promise<void> {
  if (target) {
    return withJournal(context, (journal) => runOnTargets(command, target, { input, context, journal }))
  }
  return command.input?.accepts === 'lines'
    ? withJournal(context, (journal) => runOnEach(command, context, journal))
    : runOnce(command, context)
}

/** Returns the action of a command, whose body it completes. */
function intentOf(command: ChangeCommand<Operation>): Intent<CommandContext> {
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

async function runOnce(command: ChangeCommand<Operation>, context: PrintedContext): Promise<void> {
  const { yes, interactive } = context.session.ui
  // A question that nobody can answer fails, so nothing is read for it.
  const looks = command.question === undefined || yes || interactive
  const { action, caller } = intentOf(command)
  const body = await givenBody(command, context)
  const change = await prepare({ action, caller: { ...caller, looks } }, body, context)
  const text = command.question?.(change.body ?? {}, context)
  const what = `${capitalized(command.name)} ${action.resource?.noun} "${escapeText(String(change.body?.label))}"`
  await runOne(change, context, {
    question:
      (await text?.({ names: '', several: false, targets: [], blocked: [] })) ??
      blockingQuestion(change, what, context.session),
    words: command,
    rows: action.resource !== undefined,
    deliver: deliverWith(command, context),
  })
}

const deliverWith = ({ deliver }: ChangeCommand<Operation>, context: PrintedContext): Deliver | undefined =>
  deliver && ((answer) => deliver(answer, context))

/** Creates an object from the body, or from each of several bodies. */
async function runOnEach(
  command: ChangeCommand<Operation>,
  context: PrintedContext,
  journal: Journal | undefined,
): Promise<void> {
  const { action, name } = command
  const { operation } = action
  const { flags, session } = context
  const inputs = operation.body ? await readBodies(operation.body, flags, session, journal?.inputs?.bodies) : []
  if (journal || inputs.length > 1) {
    const bodies = await checkedAhead(command, inputs, context)
    await journal?.bind({ name, operation, inputs: { bodies } })
  }
  const targets = inputs.map(({ body, line }, place) => ({
    input: line === undefined ? '' : `line ${line}`,
    turn: inputs.length > 1 ? textOf(body.label) : undefined,
    body,
    entry: journal?.entry(place),
    identity: async () => ({ ...(typeof body.label === 'string' && { label: body.label }) }),
  }))
  const intent = intentOf(command)
  const prepareOne = ({ body, entry }: (typeof targets)[number]) => prepare(intent, body, { ...context, entry })
  const deliver = deliverWith(command, context)
  await runAll({ verb: name, targets, prepare: prepareOne, words: command, rows: true, journal, deliver }, context)
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** Validates all bodies before anything is sent. */
async function checkedAhead(
  command: ChangeCommand<Operation>,
  inputs: readonly BodyInput[],
  context: PrintedContext,
): Promise<BodyInput[]> {
  const { flags } = context
  const intent = intentOf(command)
  const { checkEach, expectDistinct } = await import('./ndjson-input')
  const bodies = await checkEach(inputs, async (one) => ({
    ...one,
    body: await bodyAhead(intent, one.body, context),
  }))
  if (flags.validate !== false && !flags['allow-duplicate'] && !flags['if-absent']) {
    const hint = 'Choose another, or add --allow-duplicate'
    expectDistinct(bodies, 'label', { nameOf: ({ label }) => label, hint })
  }
  return bodies
}

interface OnTargets {
  input: Input
  context: PrintedContext
  journal: Journal | undefined
}

async function runOnTargets(
  command: ChangeCommand<Operation>,
  resource: Resource,
  { input, context, journal }: OnTargets,
): Promise<void> {
  const targets = await readTargets(input, resource, context.session, journal?.inputs?.targets)
  const body = await givenBody(command, context)
  // Errors that do not depend on the target are found before anything is looked up.
  validate(body, command, context.flags)
  expectOneLabel(body.label, targets.length, resource.noun, context.options)
  const own = await ofParent(resource, input.arguments, context.session.account)
  const text = command.question?.(body, context)
  const { name, action } = command
  const targetInputs = targets.map((target) => target.input)
  await journal?.bind({ name, operation: action.operation, inputs: { targets: targetInputs, parent: own.path, body } })
  const intent = intentOf(command)
  const find = await finderOf(targets, own, context)
  const entries = await resolveAll(targets, own, { context, journal })
  await runAll(
    {
      verb: command.name,
      targets: [...entries.keys()],
      // An earlier run may have deleted it.
      find: async (subject) => entries.get(subject)?.past ?? find(subject),
      prepare: (subject) => prepare(intent, body, { ...context, entry: entries.get(subject) }, subject),
      words: command,
      journal,
      ...((text ?? action.safety?.traffic) && { question: questionOf(command, text, { resource, context }) }),
      deliver: deliverWith(command, context),
      rows: true,
    },
    context,
  )
}

/** Returns the targets in their order, each with its entry in the journal. */
async function resolveAll(
  targets: readonly Target[],
  resource: Resource,
  { context, journal }: Pick<OnTargets, 'context' | 'journal'>,
): Promise<Map<ResolvedTarget, JournalEntry | undefined>> {
  const read = await batchReader(targets, resource, context)
  return new Map(
    targets.map((target, place) => {
      const entry = journal?.entry(place)
      return [resolveTarget(target, resource, { ...context, entry, read }), entry]
    }),
  )
}

/** Returns a reader for the records of many targets; undefined if each is read alone. */
async function batchReader(
  targets: readonly Target[],
  resource: Resource,
  { session }: PrintedContext,
): Promise<ReadItem | undefined> {
  if (targets.length <= usualAtOnce || !resource.list.filterable?.includes('id')) return undefined
  const { batchedRecords } = await import('../account/batched-records')
  return batchedRecords(targets, resource, session.account)
}

/** Returns a function that looks a target up before the first change. */
async function finderOf(
  targets: readonly Target[],
  resource: Resource,
  context: PrintedContext,
): Promise<(subject: ResolvedTarget) => Promise<unknown>> {
  const { options, session } = context
  // A record that was read for this would be too old for the last of many targets.
  const batch = await batchReader(targets, resource, context)
  const byInput = new Map(targets.map((target) => [target.input, target]))
  const find = async ({ input, record }: ResolvedTarget) => {
    const target = byInput.get(input)
    if (!target || !batch) return record()
    return 'id' in target ? batch(target.id) : findTarget(target, resource, session.account, { record: false })
  }
  if (!options.ifPresent) return find
  return (subject) =>
    find(subject).catch((error: unknown) => {
      if (!isGone(error)) throw error
    })
}

/** Returns the question about targets; without a text it is about those whose change blocks traffic. */
function questionOf(
  { refusal, name }: ChangeCommand<Operation>,
  text: Question<ResolvedTarget>['text'] | undefined,
  { resource: { noun }, context }: { resource: Resource; context: PrintedContext },
): Question<ResolvedTarget> {
  return {
    text: text ?? (({ names, blocked }) => blockingText(blocked, `${capitalized(name)} ${names}`, context.session)),
    ...(!text && { isBlocking: true }),
    nameOf: targetName,
    plural: `${noun}s`,
    async refusal({ record }) {
      const present = refusal && (await record())
      return present && refusal(present)
    },
  }
}

async function givenBody({ action }: ChangeCommand<Operation>, { flags, session }: PrintedContext) {
  const { operation } = action
  const body = fixedBody(action)
  if (body) return body
  return operation.body ? readBody(operation.body, flags, session) : {}
}

function validate(body: RequestBody, { action, input }: ChangeCommand<Operation>, flags: Flags): void {
  if (action.operation.body) checkBody(action.operation.body, body, flags, input?.names)
}
