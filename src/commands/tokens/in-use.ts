import type { Session } from '../../session'

/** As much of a token as the service shows after its creation (api.md, Personal access token). */
export const shownCharacters = 16

/** Whether a record's token is the one in use: the service shows only its beginning. */
export async function isInUse({ token }: { readonly [field: string]: unknown }, session: Session): Promise<boolean> {
  return typeof token === 'string' && token.length > 0 && sameStart((await session.signedIn()).token, token)
}

export function sameStart(one: string, other: string): boolean {
  return one.slice(0, shownCharacters) === other.slice(0, shownCharacters)
}
