/** Runs a command as a step of another one, with its own checks, requests and messages. */
import { type Command, type Flags, isGroup } from '../engine/command'
import type { Session } from '../session'
import type { PlanStep } from '../state/kind'
import { stepSession } from './step-session'

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

/** Runs the command; resolves to its answer, `{}` if there is none. */
export async function runStep(
  step: Pick<PlanStep, 'command' | 'arguments' | 'body' | 'replaced' | 'flags'>,
  session: Session,
  { looks, flags, waits = () => {}, isSteady = false }: Running,
): Promise<Record<string, unknown>> {
  const command = await commandOf(step.command)
  let printed = ''
  const own = stepSession(session, {
    input: JSON.stringify(step.body),
    waits,
    isSteady,
    output: (text) => {
      printed += text
    },
    changeLog: async () =>
      (await session.changeLog())?.within(step.command.join(' '), { looks, before: step.replaced }),
  })
  const given = {
    ...step.flags,
    // Commands that replace rules use this flag.
    ...(step.body && { [command.flags.some(({ name }) => name === 'body') ? 'body' : 'file']: '-' }),
    ...flags,
  }
  await command.run({ arguments: step.arguments, flags: given }, own)
  return printed.trim() === '' ? {} : JSON.parse(printed)
}

async function commandOf(words: readonly string[]): Promise<Command> {
  const { program } = await import('../program')
  const [first, ...rest] = words
  let found = await program.entries.find(({ name }) => name === first)?.load()
  for (const word of rest) found = found && isGroup(found) ? await found.commands[word]?.() : undefined
  if (!found || isGroup(found)) throw new Error(`no command is called ${words.join(' ')}`)
  return found
}
