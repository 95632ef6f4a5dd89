/** Context for the functions of a command that changes something. */
import { type ChangeContext, type ChangeOptions, usualWaitMs } from '../account/change-context'
import type { View } from '../output/print'
import type { Session } from '../session'
import type { Flags } from './command'
import { durationFlag } from './flag-values'

export interface CommandContext extends ChangeContext {
  flags: Flags
  session: Session
}

/** Context of a change whose answer is printed. */
export interface PrintedContext extends CommandContext {
  /** View of the answer, created first: an invalid column must be found before the change is made. */
  view: View
}

/** Returns the context of a change. Throws `usage` for an invalid time, before anything is sent. */
function commandContext(flags: Flags, session: Session): CommandContext {
  return { flags, session, account: session.account, options: optionsOf(flags), dry: flags['dry-run'] === true }
}

export function printedContext(view: View, flags: Flags, session: Session): PrintedContext {
  return { ...commandContext(flags, session), view }
}

export function waitTimeout(flags: Flags): number {
  return durationFlag(flags, 'wait-timeout') ?? usualWaitMs
}

function optionsOf(flags: Flags): ChangeOptions {
  const waitMs = waitTimeout(flags)
  return {
    validate: flags.validate !== false,
    ifAbsent: flags['if-absent'] === true,
    ifPresent: flags['if-present'] === true,
    force: flags.force === true,
    resendUnknown: flags['resend-unknown'] === true,
    ...(flags.wait === true && { waitMs }),
  }
}
