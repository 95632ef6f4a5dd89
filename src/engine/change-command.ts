/** A command of one operation that changes something: makes an object, or acts on those that are named. */
import type { Operation } from '../catalogue/operation'
import type { Session } from '../session'
import { checkBody, flagsOf, readBody } from './body'
import { carryOut, carryOutAll } from './change'
import type { Command, Flag, Flags, Input } from './command'
import { bodyFlags, concurrencyFlag, dryRunFlag, ifPresentFlag, outputFlags, waitFlags } from './flags'
import { type ChangeCommand, prepare } from './prepare'
import { fieldPaths, viewOf } from './printing'
import type { Resource } from './resource'
import { type Situation, situationOf } from './situation'
import { nameOfSubject, subjectOf } from './subject'
import { ofParent, readTargets, targetArguments } from './targets'
import { waitTimeout } from './wait'

export { recordShows } from './prepare'

export function changeCommand<O extends Operation>(command: ChangeCommand<O>): Command {
  const { operation, many = false, name, aliases, summary, details, form, examples } = command
  const target = namedBy(command)
  return {
    name,
    ...(aliases && { aliases }),
    ...(details && { details }),
    ...(form && { form }),
    ...(examples && { examples }),
    summary: summary ?? operation.summary,
    operations: [operation],
    records: recordsOf(command),
    ...(target && { arguments: targetArguments(target, many) }),
    flags: flagsFor(command),
    async run(input, session) {
      const { flags } = input
      const view = await viewFor(command, flags, session)
      waitTimeout(flags)
      const situation = situationOf(view, flags, session)
      await (target ? runOnTargets(command, target, { input, situation }) : runOnce(command, situation))
    },
  }
}

/** The kind of the objects that are named, where they stand in the path of the operation. */
function namedBy({ operation, resource }: ChangeCommand<Operation>): Resource | undefined {
  return resource && operation.path.includes(`{${resource.parameter}}`) ? resource : undefined
}

function flagsFor(command: ChangeCommand<Operation>): readonly Flag[] {
  const { operation, resource, wait } = command
  const body = typeof command.body === 'object' ? undefined : operation.body
  const made = body ? flagsOf(body) : []
  // What is only being made has no list to empty.
  const fitting = resource && !namedBy(command) ? made.filter(({ negative }) => negative !== 'only') : made
  return [
    ...(command.flags?.(fitting) ?? fitting),
    ...(operation.method === 'DELETE' ? [ifPresentFlag] : []),
    ...(body ? bodyFlags : []),
    ...(wait ? waitFlags(wait({}).name) : []),
    ...(command.many ? [concurrencyFlag] : []),
    dryRunFlag,
    ...outputFlags,
  ]
}

/** Where nothing comes back, the columns are those of the object. */
function recordsOf({ operation, resource }: ChangeCommand<Operation>): Operation {
  return resource && fieldPaths(operation).length === 0 ? resource.view : operation
}

function viewFor(command: ChangeCommand<Operation>, flags: Flags, session: Session) {
  const { resource, columns = [] } = command
  const key = resource?.key
  return viewOf({ fields: fieldPaths(recordsOf(command)), columns, ...(key && { key }) }, flags, session)
}

async function runOnce(command: ChangeCommand<Operation>, situation: Situation): Promise<void> {
  const change = await prepare(command, await givenBody(command, situation), situation)
  const text = command.question?.(change.body ?? {}, situation)
  await carryOut(change, situation, { question: await text?.('', []), rows: command.resource !== undefined })
}

async function runOnTargets(
  command: ChangeCommand<Operation>,
  resource: Resource,
  { input, situation }: { input: Input; situation: Situation },
): Promise<void> {
  const targets = await readTargets(input, resource, situation.session)
  const given = await givenBody(command, situation)
  // What is wrong whatever it is about is refused before anything is looked up.
  if (command.operation.body) checkBody(command.operation.body, given, situation.flags, command.typed)
  const own = await ofParent(resource, input, situation.session)
  const text = command.question?.(given, situation)
  await carryOutAll(
    {
      verb: command.name,
      targets: targets.map((target) => subjectOf(target, own, situation)),
      prepare: (subject) => prepare(command, given, situation, subject),
      ...(text && { question: { text, nameOf: nameOfSubject } }),
      rows: true,
      bare: fieldPaths(command.operation).length === 0,
    },
    situation,
  )
}

async function givenBody({ operation, body }: ChangeCommand<Operation>, { flags, session }: Situation) {
  if (typeof body === 'object') return body
  return operation.body ? readBody(operation.body, flags, session) : {}
}
