/** Which account a run acts on, as files of ours name it. */
import { Problem } from '../errors'
import { shellWord } from '../rules/shell-words'
import type { Session } from '../session'

export interface AccountName {
  /** The context that brings both address and token; null where they come from elsewhere. */
  context: string | null
  /** The base URL, or `sandbox`. */
  service: string
}

/** How files name the embedded sandbox, in place of an address. */
const sandbox = 'sandbox'

/** The base URL; the embedded sandbox has another address in each run, and is `sandbox`. */
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

/** What follows the words of a command that we propose, so that it acts on the account that the line has named. */
export async function sameAccount(session: Session): Promise<string> {
  // What was done is told even where contexts cannot be read.
  const chosen = await session.chosen().catch(() => undefined)
  return chosen?.from === 'flag' ? ` --context ${shellWord(chosen.name)}` : ''
}
