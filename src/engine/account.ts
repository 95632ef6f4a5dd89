/** Which account a run acts on, as files of ours name it. */
import { Problem } from '../errors'
import type { Session } from '../session'

export interface AccountName {
  /** The context that brings both address and token; null where they come from elsewhere. */
  context: string | null
  /** The base URL, or `sandbox`. */
  service: string
}

export async function accountOf(session: Session): Promise<AccountName> {
  const credential = await session.credential()
  if (credential.sandbox) return { context: credential.context.name, service: 'sandbox' }
  const { baseUrl, baseUrlFrom, secret, context } = credential
  const own = baseUrlFrom === 'context' && !(secret instanceof Problem) && secret.from === 'context'
  return { context: context && own ? context.name : null, service: baseUrl }
}
