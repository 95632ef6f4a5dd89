/** Context for the functions of a command that changes something. */
import type { ChangeContext, ChangeOptions } from '../account/change-context'
import type { View } from '../output/print'
import type { Session } from '../session'
import type { Flags } from './command'

export interface CommandContext extends ChangeContext {
  flags: Flags
  session: Session
}

/** Context of a change whose answer is printed. */
export interface PrintedContext extends CommandContext {
  /** View of the answer, created first: an invalid column must be found before the change is made. */
  view: View
}

function commandContext(flags: Flags, session: Session): CommandContext {
  return { flags, session, account: session.account, options: optionsOf(flags), dry: flags['dry-run'] === true }
}

export function printedContext(view: View, flags: Flags, session: Session): PrintedContext {
  return { ...commandContext(flags, session), view }
}

function optionsOf(flags: Flags): ChangeOptions {
  return {
    validate: flags.validate !== false,
    ifAbsent: flags['if-absent'] === true,
    ifPresent: flags['if-present'] === true,
    force: flags.force === true,
    resendUnknown: flags['resend-unknown'] === true,
    wait: flags.wait === true,
  }
}
