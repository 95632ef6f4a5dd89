/** Runs a command that changes something: turns its input into changes, and carries them out. */

import { type Account, manyObjects } from '../account/account'
import type { Action } from '../account/action'
import type { Journal } from '../account/journal'
import type { BodyInput } from '../account/journal-lines'
import { bodyAhead, prepare } from '../account/prepare'
import type { Resource } from '../account/resource'
import type { Operation } from '../catalogue/operation'
import { escapeText } from '../rules/escape'
import { capitalized } from '../rules/texts'
import { actionCallOf, givenBody } from './action-body'
import { readBodies } from './body'
import type { PrintedContext } from './change-command-context'
import type { ChangeCommand } from './change-definition'
import type { Input } from './command'
import { runAll, runOne } from './run-all'

/** Runs the command; `target` is the kind of the named objects, undefined if none are named. */
export async function runChange(
  command: ChangeCommand<Operation>,
  target: Resource | undefined,
  { input, context }: { input: Input; context: PrintedContext },
): Promise<void> {
  if (target) {
    const { runOnTargets } = await import('./change-targets')
    return withJournal(context, (journal) => runOnTargets(command, target, { input, context, journal }))
  }
  return command.input?.accepts === 'lines'
    ? withJournal(context, (journal) => runOnEach(command, context, journal))
    : runOnce(command, context)
}

/** Does the work with the journal that flags name, or without one. */
async function withJournal(
  context: PrintedContext,
  work: (journal: Journal | undefined) => Promise<void>,
): Promise<void> {
  const { journal, resume } = context.flags
  if ([journal, resume, context.flags['resend-unknown']].every((flag) => flag === undefined)) return work(undefined)
  return (await import('./with-journal')).withJournal(context, work)
}

async function runOnce(command: ChangeCommand<Operation>, context: PrintedContext): Promise<void> {
  const { yes, interactive } = context.session.ui
  // A question that nobody can answer fails, so nothing is read for it.
  const looks = command.question === undefined || yes || interactive
  const { action, caller } = actionCallOf(command)
  const body = await givenBody(command, context)
  const change = await prepare({ action, caller: { ...caller, looks } }, body, context)
  const text = command.question?.(change.body ?? {}, context)
  const what = `${capitalized(command.name)} ${action.resource?.noun} "${escapeText(String(change.body?.label))}"`
  await runOne(change, context, {
    question:
      (await text?.({ names: '', several: false, targets: [], blocked: [] })) ??
      (change.blocks && (await import('./confirm')).blockingQuestion(change, what, context.session)),
    words: command,
    rows: action.resource !== undefined,
    deliver: command.deliver,
  })
}

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
  const call = actionCallOf(command)
  const around = { ...context, account: await accountFor(inputs, action, context.account) }
  const request = { operation, noun: action.resource?.noun }
  await runAll(
    {
      verb: name,
      targets,
      request,
      words: command,
      rows: true,
      journal,
      deliver: command.deliver,
      prepare: ({ body, entry }) => prepare(call, body, { ...around, entry }),
    },
    around,
  )
}

/** Returns the account, with a list that shows which of many labels are in use. */
async function accountFor(inputs: readonly BodyInput[], { resource }: Action, account: Account): Promise<Account> {
  const labels = new Set(inputs.flatMap(({ body }) => textOf(body.label) ?? []))
  if (!resource || labels.size < manyObjects) return account
  const { withList } = await import('../account/with-object-list')
  return withList({ ids: new Set(), labels }, resource, account)
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** Validates all bodies before anything is sent. */
async function checkedAhead(
  command: ChangeCommand<Operation>,
  inputs: readonly BodyInput[],
  context: PrintedContext,
): Promise<BodyInput[]> {
  const { flags } = context
  const call = actionCallOf(command)
  const { checkEach, expectDistinct } = await import('./ndjson-input')
  const bodies = await checkEach(inputs, async (one) => ({
    ...one,
    body: await bodyAhead(call, one.body, context),
  }))
  if (flags.validate !== false && !flags['allow-duplicate'] && !flags['if-absent']) {
    const hint = 'Choose another, or add --allow-duplicate'
    expectDistinct(bodies, 'label', { nameOf: ({ label }) => label, hint })
  }
  return bodies
}
