/** Names the account of a run in files. */
import { Problem } from '../errors'
import { shellWord } from '../rules/shell-words'
import type { Session } from '../session'

export interface AccountName {
  /** Context of both address and token; null if they come from elsewhere. */
  context: string | null
  /** The base URL, or `sandbox`. */
  service: string
}

/** Name of the embedded sandbox in files, instead of an address. */
const sandbox = 'sandbox'

/** Returns the base URL, or `sandbox`: the embedded sandbox has a different address in each run. */
export async function serviceOf(session: Session): Promise<string> {
  const credential = await session.credential()
  return credential.sandbox ? sandbox : credential.baseUrl
}

export async function accountOf(session: Session): Promise<AccountName> {
  const credential = await session.credential()
  if (credential.sandbox) return { context: credential.context.name, service: sandbox }
  const { baseUrl, baseUrlFrom, secret, context } = credential
  const own = baseUrlFrom === 'context' && !(secret instanceof Problem) && secret.from === 'context'
  return { context: context && own ? context.name : null, service: baseUrl }
}

/** Returns ` --context NAME` for commands in hints, if the command line has that flag. */
export async function sameAccount(session: Session): Promise<string> {
  // An unreadable config must not hide the result of a change.
  const chosen = await session.activeContext().catch(() => undefined)
  return chosen?.from === 'flag' ? ` --context ${shellWord(chosen.name)}` : ''
}
