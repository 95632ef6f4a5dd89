/** Runs a command that changes the objects that it names. */
import type { ReadItem } from '../account/batched-records'
import { expectOneLabel } from '../account/duplicate-labels'
import type { Journal } from '../account/journal'
import type { JournalEntry } from '../account/journal-lines'
import { prepare } from '../account/prepare'
import { type ResolvedTarget, resolveTarget, targetName } from '../account/resolved-target'
import { findTarget, ofParent, type Resource, type Target } from '../account/resource'
import type { Operation } from '../catalogue/operation'
import { isGone } from '../errors'
import { capitalized } from '../rules/texts'
import type { ChangeCommand } from './change-definition'
import { deliverWith, givenBody, intentOf, validate } from './change-intent'
import type { Input } from './command'
import type { PrintedContext } from './command-context'
import { blockingText, type Question } from './confirm'
import { usualAtOnce } from './flag-values'
import { runAll } from './run-all'
import { readTargets } from './targets'

interface OnTargets {
  input: Input
  context: PrintedContext
  journal: Journal | undefined
}

/** Changes the named objects. */
export async function runOnTargets(
  command: ChangeCommand<Operation>,
  resource: Resource,
  { input, context, journal }: OnTargets,
): Promise<void> {
  const targets = await readTargets(input, resource, context.session, journal?.inputs?.targets)
  const body = await givenBody(command, context)
  // Errors that do not depend on the target are found before anything is looked up.
  await validate(body, command, context.flags)
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
