/** Runs a command that changes the objects that it names. */

import type { ChangeOptions } from '../account/change-context'
import { ofParent } from '../account/find-target'
import type { Journal } from '../account/journal'
import type { JournalEntry } from '../account/journal-lines'
import { bodyAhead, prepare } from '../account/prepare'
import { type ResolvedTarget, resolveTarget, targetName } from '../account/resolved-target'
import type { Resource, Target } from '../account/resource'
import type { Operation } from '../catalogue/operation'
import { isGone, Problem } from '../errors'
import { capitalized } from '../rules/texts'
import { actionCallOf, givenBody } from './action-body'
import type { Question } from './ask-about'
import type { PrintedContext } from './change-command-context'
import type { ChangeCommand } from './change-definition'
import type { Input } from './command'
import { blockingText } from './confirm'
import { runAll } from './run-all'
import { accountFor, readTargets } from './targets'

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
  if (command.action.resource === resource) expectOneLabel(body.label, targets, resource.noun, context.options)
  const call = actionCallOf(command)
  await bodyAhead(call, body, context)
  const own = await ofParent(resource, input.arguments, context.session.account)
  const text = command.question?.(body, context)
  const { name, action } = command
  const targetInputs = targets.map((target) => target.input)
  await journal?.bind({ name, operation: action.operation, inputs: { targets: targetInputs, parent: own.path, body } })
  const account = await accountFor(targets, own, context.session.account)
  const around = { ...context, account }
  const find = finderOf(around)
  const entries = resolveAll(targets, own, { context: around, journal })
  await runAll(
    {
      verb: command.name,
      targets: [...entries.keys()],
      request: { operation: action.operation, noun: resource.noun },
      // An earlier run may have deleted it.
      find: async (subject) => entries.get(subject)?.past ?? find(subject),
      prepare: (subject) => prepare(call, body, { ...around, entry: entries.get(subject) }, subject),
      words: command,
      journal,
      ...((text ?? action.safety?.traffic) && { question: questionOf(command, text, { resource, context }) }),
      deliver: command.deliver,
      rows: true,
    },
    around,
  )
}

/** Throws `usage` if several targets would get the same label, unless options allow it. */
export function expectOneLabel(
  label: unknown,
  targets: readonly Pick<Target, 'input'>[],
  noun: string,
  { allowDuplicate, validate }: ChangeOptions,
): void {
  const [last, ...others] = targets.toReversed()
  if (label === undefined || !last || others.length === 0 || allowDuplicate === true || validate === false) return
  throw new Problem('usage', `${targets.length} ${noun}s would get the same label: ${JSON.stringify(label)}`, {
    errors: [{ field: 'label', reason: 'Must be unique' }],
    hint: `Name one ${noun}`,
    // `--label my vol`: it is more likely the end of the label.
    noTarget: last.input,
  })
}

/** Returns the targets in their order, each with its entry in the journal. */
function resolveAll(
  targets: readonly Target[],
  resource: Resource,
  { context, journal }: Pick<OnTargets, 'context' | 'journal'>,
): Map<ResolvedTarget, JournalEntry | undefined> {
  return new Map(
    targets.map((target, place) => {
      const entry = journal?.entry(place)
      return [resolveTarget(target, resource, { ...context, entry }), entry]
    }),
  )
}

/** Returns a function that looks a target up before the first change. */
function finderOf({ options }: PrintedContext): (subject: ResolvedTarget) => Promise<unknown> {
  if (!options.ifPresent) return ({ lookAhead }) => lookAhead()
  return ({ lookAhead }) =>
    lookAhead().catch((error: unknown) => {
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
