import type { Session } from '../../session'

/** Number of characters that the service shows of a token after its creation (api.md, Personal access token). */
export const shownCharacters = 16

/** Reports whether a record is the current token: the service only shows its beginning. */
export async function isInUse({ token }: { readonly [field: string]: unknown }, session: Session): Promise<boolean> {
  return typeof token === 'string' && sameStart((await session.account.access.signedIn()).token, token)
}

export function sameStart(one: string, other: string): boolean {
  return one.slice(0, shownCharacters) === other.slice(0, shownCharacters)
}
