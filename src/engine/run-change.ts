/** Running a command that changes something: what was typed becomes changes, which are carried out. */
import type { Operation } from '../catalogue/operation'
import { checkBody, readBody } from './body'
import { carryOut, carryOutAll } from './change'
import type { ChangeCommand } from './change-command'
import type { Input } from './command'
import { prepare } from './prepare'
import { fieldPaths } from './printing'
import type { Resource } from './resource'
import type { Situation } from './situation'
import { nameOfSubject, subjectOf } from './subject'
import { ofParent, readTargets } from './targets'
import { waitTimeout } from './wait'

/** `target` is the kind of the objects that are named; undefined where none are. */
export async function runChange(
  command: ChangeCommand<Operation>,
  target: Resource | undefined,
  { input, situation }: { input: Input; situation: Situation },
): Promise<void> {
  // A mistyped time must not be found out after the change was made.
  waitTimeout(input.flags)
  await (target ? runOnTargets(command, target, { input, situation }) : runOnce(command, situation))
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
