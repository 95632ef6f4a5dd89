/** Running a command that changes something: what was typed becomes changes, which are carried out. */
import type { Operation } from '../catalogue/operation'
import { checkBody, readBodies, readBody } from './body'
import type { GivenBody } from './body-lines'
import { carryOut, carryOutAll } from './change'
import type { ChangeCommand } from './change-command'
import type { Input } from './command'
import type { Question } from './confirm'
import { expectOneLabel } from './duplicates'
import type { Journal } from './journal'
import type { Entry } from './journal-lines'
import { bodyAhead, prepare } from './prepare'
import type { Resource } from './resource'
import type { Situation } from './situation'
import { nameOfSubject, type Subject, subjectOf } from './subject'
import { ofParent, readTargets } from './targets'
import { waitTimeout } from './wait'
import { withJournal } from './with-journal'

/** `target` is the kind of the objects that are named; undefined where none are. */
export async function runChange(
  command: ChangeCommand<Operation>,
  target: Resource | undefined,
  { input, situation }: { input: Input; situation: Situation },
): Promise<void> {
  // A mistyped time must not be found out after the change was made.
  waitTimeout(input.flags)
  if (target) {
    return withJournal(situation, (journal) => runOnTargets(command, target, { input, situation, journal }))
  }
  return command.each
    ? withJournal(situation, (journal) => runOnEach(command, situation, journal))
    : runOnce(command, situation)
}

async function runOnce(command: ChangeCommand<Operation>, situation: Situation): Promise<void> {
  const change = await prepare(command, await givenBody(command, situation), situation)
  const text = command.question?.(change.body ?? {}, situation)
  await carryOut(change, situation, {
    question: await text?.({ names: '', several: false, found: [] }),
    rows: command.resource !== undefined,
  })
}

/** Makes what the body asks for, or each body where there are several. */
async function runOnEach(
  command: ChangeCommand<Operation>,
  situation: Situation,
  journal: Journal | undefined,
): Promise<void> {
  const { operation, name } = command
  const { flags, session } = situation
  const given = operation.body ? await readBodies(operation.body, flags, session, journal?.inputs?.bodies) : []
  if (journal || given.length > 1) {
    const bodies = await checkedAhead(command, given, situation)
    await journal?.bind({ name, operation, inputs: { bodies } })
  }
  const targets = given.map(({ body, line }, place) => ({
    typed: line === undefined ? '' : `line ${line}`,
    turn: given.length > 1 ? textOf(body.label) : undefined,
    body,
    entry: journal?.entry(place),
    identity: async () => ({ ...(typeof body.label === 'string' && { label: body.label }) }),
  }))
  const prepareOne = ({ body, entry }: (typeof targets)[number]) => prepare(command, body, { ...situation, entry })
  await carryOutAll({ verb: name, targets, prepare: prepareOne, rows: true, journal }, situation)
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** What would be sent, checked before any of it is. */
async function checkedAhead(
  command: ChangeCommand<Operation>,
  given: readonly GivenBody[],
  situation: Situation,
): Promise<GivenBody[]> {
  const { flags } = situation
  const { checkEach, expectDistinct } = await import('./body-lines')
  const bodies = await checkEach(given, async (one) => ({
    ...one,
    body: await bodyAhead(command, one.body, situation),
  }))
  if (flags.validate !== false && !flags['allow-duplicate'] && !flags['if-absent']) {
    const hint = 'Choose another, or add --allow-duplicate'
    expectDistinct(bodies, 'label', { nameOf: ({ label }) => label, hint })
  }
  return bodies
}

interface OnTargets {
  input: Input
  situation: Situation
  journal: Journal | undefined
}

async function runOnTargets(
  command: ChangeCommand<Operation>,
  resource: Resource,
  { input, situation, journal }: OnTargets,
): Promise<void> {
  const targets = await readTargets(input, resource, situation.session, journal?.inputs?.targets)
  const given = await givenBody(command, situation)
  // What is wrong whatever it is about is refused before anything is looked up.
  if (command.operation.body) checkBody(command.operation.body, given, situation.flags, command.typed)
  expectOneLabel(given.label, targets, { noun: resource.noun, flags: situation.flags })
  const own = await ofParent(resource, input, situation.session)
  const text = command.question?.(given, situation)
  const { name, operation } = command
  const typed = targets.map((target) => target.typed)
  await journal?.bind({ name, operation, inputs: { targets: typed, parent: own.path, body: given } })
  const entries = new Map<Subject, Entry>()
  const subjects = targets.map((target, place) => {
    const entry = journal?.entry(place)
    const subject = subjectOf(target, own, { ...situation, entry })
    if (entry) entries.set(subject, entry)
    return subject
  })
  await carryOutAll(
    {
      verb: command.name,
      targets: subjects,
      prepare: (subject) => prepare(command, given, { ...situation, entry: entries.get(subject) }, subject),
      journal,
      ...(text && { question: questionOf(command, text, resource) }),
      rows: true,
    },
    situation,
  )
}

function questionOf(
  { refusal }: ChangeCommand<Operation>,
  text: Question<Subject>['text'],
  { noun }: Resource,
): Question<Subject> {
  return {
    text,
    nameOf: nameOfSubject,
    plural: `${noun}s`,
    async refusal({ record }) {
      const present = refusal && (await record())
      return present && refusal(present)
    },
  }
}

async function givenBody({ operation, body }: ChangeCommand<Operation>, { flags, session }: Situation) {
  if (typeof body === 'object') return body
  return operation.body ? readBody(operation.body, flags, session) : {}
}
