/** Runs a command as a step of another: what it checks, asks the service and says is what it would be by itself. */
import { type Command, type Flags, isGroup } from '../engine/command'
import type { Session } from '../session'
import type { Step } from '../state/kind'
import { stepSession } from './step-session'

interface Running {
  /** What is changed may be read once more for the history alone. */
  looks: boolean
  /** Besides those of the step. */
  flags?: Flags
  /** It goes on when the run is interrupted: what follows must not be left out. */
  isSteady?: boolean
  /** Is told of what takes long, and undefined when that is over. */
  waits?(state: (() => string) | undefined): void
}

/** Resolves to what the command answers: `{}` where that is nothing. */
export async function runStep(
  step: Pick<Step, 'command' | 'arguments' | 'body' | 'replaced' | 'flags'>,
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
    recording: async () =>
      (await session.recording())?.within(step.command.join(' '), { looks, before: step.replaced }),
  })
  const given = {
    ...step.flags,
    // Commands that replace a list of rules call it so.
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
