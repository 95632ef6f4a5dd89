/** The token in use, which a change must not revoke by mistake. */
import { tokens } from '../catalogue/tokens'
import { Problem } from '../errors'
import type { Account } from './account'
import type { ActionStep } from './action'
import { nameOf } from './resource'
import { tokenResource } from './resources/token'

/** Number of characters that the service shows of a token after its creation (api.md, Personal access token). */
export const shownCharacters = 16

/** Reports whether a record is the current token: the service only shows its beginning. */
export async function isInUse({ token }: { readonly [field: string]: unknown }, { access }: Account): Promise<boolean> {
  return typeof token === 'string' && sameStart((await access.signedIn()).token, token)
}

export function sameStart(one: string, other: string): boolean {
  return one.slice(0, shownCharacters) === other.slice(0, shownCharacters)
}

/** Throws `usage` if the named token is the current one, or may be. */
export async function refuseOwnToken({ account, options, dry, record }: ActionStep): Promise<void> {
  const token = dry || options.force ? undefined : await record()
  if (token && typeof token.token !== 'string') {
    throw new Problem('usage', `the API does not show the text of token ${token.id}: it may be the current one`, {
      hint: 'Add --force to revoke it anyway',
    })
  }
  if (!token || !(await isInUse(token, account))) return
  const name = nameOf(tokenResource, { id: token.id, record: token })
  throw new Problem('usage', `${name} is the current token: without it you are signed out`, {
    hint: 'Replace it with skyctl tokens rotate, or add --force',
  })
}

/** Throws `usage` if the current token may belong to an app: any OAuth token may, as it does not name its app. */
export async function refuseOwnApp({ account, options, dry }: ActionStep): Promise<void> {
  if (dry || options.force) return
  if (!(await mayBelongToApp(account))) return
  throw new Problem('usage', 'the current token belongs to an OAuth app, and may be revoked with it', {
    hint: 'Add --force to revoke it anyway',
  })
}

async function mayBelongToApp(account: Account): Promise<boolean> {
  const client = await account.client()
  for await (const page of client.pages(tokens.list)) {
    for (const token of page) if (await isInUse(token, account)) return false
  }
  return true
}
