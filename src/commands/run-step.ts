/** Carries out a step of a plan or an undo with the command that does the same, on data instead of words. */
import { type Command, commandAt, type Flags, isGroup, type Root } from '../engine/command'
import type { Session } from '../session'
import type { PlanStep } from '../state/kind'
import { stepSession } from './step-session'

/** What steps need of the command that they belong to. */
export interface Performing {
  session: Session
  program: Root
}

interface Running {
  /** True if an extra read of the previous state for the history is allowed. */
  looks: boolean
  /** In addition to the flags of the step. */
  flags?: Flags
  /** True if it must continue after an interrupt, as later steps are required. */
  isSteady?: boolean
  /** Called with the state of a wait, and with undefined when it is over. */
  waits?(state: (() => string) | undefined): void
}

/** Carries out the step; resolves to its answer, `{}` if there is none. */
export async function runStep(
  step: Pick<PlanStep, 'command' | 'arguments' | 'body' | 'replaced' | 'flags'>,
  { session, program }: Performing,
  { looks, flags, waits = () => {}, isSteady = false }: Running,
): Promise<Readonly<Record<string, unknown>>> {
  const perform = await performerOf(step.command, program)
  const changeLog = async () =>
    (await session.changeLog())?.within(step.command.join(' '), { looks, before: step.replaced })
  const { arguments: names, body } = step
  return perform(
    { arguments: names, body, flags: { ...step.flags, ...flags } },
    stepSession(session, { waits, isSteady, changeLog }),
  )
}

async function performerOf(words: readonly string[], program: Root): Promise<NonNullable<Command['perform']>> {
  const found = await commandAt(program, words)
  if (!found || isGroup(found) || !found.perform) throw new Error(`no step is called ${words.join(' ')}`)
  return found.perform
}
