/** Texts of findings: the command line that fixes one, and the name of its object. */
import { sameAccount } from '../account/account'
import type { AuditSubject } from '../audit/check'
import type { Session } from '../engine/session'
import { escapeText } from '../rules/escape'
import { shellWord } from '../rules/texts'

export type CommandLine = (words: readonly string[]) => string

/** Returns command lines for the account of this one; without its flag, they would change another account. */
export async function commandLines({ account }: Session): Promise<CommandLine> {
  const flag = await sameAccount(account)
  return (words) => `skyctl ${words.map(shellWord).join(' ')}${flag}`
}

/** Returns `firewall "web" (4001) tcp/22`. */
export function titleOf({ kind, id, label, part }: AuditSubject): string {
  const named = label === null || label === '' ? (id === null ? kind : `${kind} ${id}`) : `${kind} "${label}" (${id})`
  return escapeText(part === undefined ? named : `${named} ${part}`)
}
