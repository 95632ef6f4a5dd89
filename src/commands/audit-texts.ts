/** Texts of findings: the command line that fixes one, and the name of its object. */
import type { AuditSubject } from '../audit/check'
import type { Session } from '../engine/session'
import { escapeText } from '../rules/escape'
import { shellWord } from '../rules/texts'

export type CommandLine = (words: readonly string[]) => string

/** Returns command lines for the account of this one; without its flags, they would change another account. */
export async function commandLines(session: Session): Promise<CommandLine> {
  const credential = await session.account.access.credential()
  const { context } = credential
  const globals = [
    ...(context?.from === 'flag' ? ['--context', context.name] : []),
    ...(!credential.sandbox && credential.baseUrlFrom === 'flag' ? ['--base-url', credential.baseUrl] : []),
  ]
  return (words) => ['skyctl', ...globals, ...words].map(shellWord).join(' ')
}

/** Returns `firewall "web" (4001) tcp/22`. */
export function titleOf({ kind, id, label, part }: AuditSubject): string {
  const named = label === null || label === '' ? (id === null ? kind : `${kind} ${id}`) : `${kind} "${label}" (${id})`
  return escapeText(part === undefined ? named : `${named} ${part}`)
}
