/** Context for the functions of a command that changes something. */
import type { ChangeContext, ChangeOptions } from '../account/change-context'
import type { View } from '../output/print'
import type { CommandInput, Flags } from './command'
import { isVerbose } from './flag-values'
import { showsDifferences } from './printing'
import type { Session } from './session'

export type CommandContext = ChangeContext & CommandInput

/** Context of a change whose answer is printed. */
export interface PrintedContext extends CommandContext {
  /** View of the answer, created first: an invalid column must be found before the change is made. */
  view: View
}

export function printedContext(view: View, flags: Flags, session: Session): PrintedContext {
  return {
    view,
    flags,
    session,
    account: session.account,
    options: optionsOf(flags, session),
    dry: flags['dry-run'] === true,
    effectsListener: effectsListener(flags, session),
  }
}

function optionsOf(flags: Flags, session: Session): ChangeOptions {
  return {
    validate: flags.validate !== false,
    ifAbsent: flags['if-absent'] === true,
    ifPresent: flags['if-present'] === true,
    force: flags.force === true,
    allowDuplicate: duplicatesAllowed(flags, session),
    resendUnknown: flags['resend-unknown'] === true,
    wait: flags.wait === true,
  }
}

/** Returns whether a label may be that of another object: a person is warned, and a script must allow it. */
export const duplicatesAllowed = (flags: Flags, { ui }: Session): boolean | 'warn' =>
  flags['allow-duplicate'] === true || (ui.interactive && 'warn')

/** Returns a listener that prints the effects of a change; undefined if nobody reads them or must be asked about them. */
export function effectsListener(flags: Flags, session: Session): ChangeContext['effectsListener'] {
  if (!showsDifferences(session) && (session.ui.yes || flags['dry-run'])) return undefined
  const show = async (lines: readonly string[]) => (await import('./confirm')).showDifference(lines, session)
  return { isVerbose: isVerbose(flags), show }
}
