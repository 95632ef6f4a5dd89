/** Replaces a token by a new one. One of them works at every moment; a failure names each that may work. */

import type { Account } from '../../account/account'
import { sendRequest } from '../../account/send'
import { isInUse, sameStart } from '../../account/token-in-use'
import { profile } from '../../catalogue/profile/profile'
import type { Token } from '../../catalogue/tokens'
import type { StoredContext } from '../../config/contexts'
import type { Session } from '../../engine/session'
import { type Created, isGone, isLost, Problem } from '../../errors'
import { shellWord } from '../../rules/texts'
import { type Delivery, deliverToken, proveDelivery, storingAdvice, TakenBack } from './deliver-token'
import type { Retirement } from './grace-period'
import { makeToken } from './make-token'

export interface TokenReplacement {
  old: Token
  /** Body of the request for the new token. */
  body: Record<string, unknown>
  retirement: Retirement
  /** True if the current token may be revoked although the new one is only printed. */
  evenIfCurrent: boolean
}

/** Replaces a token. All checks that are possible come before the new token is created. */
export async function replaceToken(replacement: TokenReplacement, delivery: Delivery): Promise<void> {
  const { session } = delivery
  const { old, retirement } = replacement
  await proveDelivery(delivery)
  const contexts = await contextsWithToken(old.token, session)
  await refuseUnstored(replacement, contexts, delivery)
  const next = await create(replacement, session)
  await put(next, replacement, { contexts, delivery })
  await session.ui.status(`Replaced token "${old.label}" with ${next.id}; ${retirement.done}`)
  if (!contexts.any && delivery.file === undefined) await session.ui.status(storingAdvice('the new token', session))
}

/** Throws `usage` if the current token would be revoked and the new one only printed; changes and sends nothing. */
export async function expectStored(replacement: TokenReplacement, delivery: Delivery): Promise<void> {
  const { session } = delivery
  const holds = await holderTest(replacement.old.token, session)
  await refuseUnstored(replacement, { any: (await readContexts(session)).some(holds) }, delivery)
}

async function refuseUnstored(
  { old, retirement, evenIfCurrent }: TokenReplacement,
  { any }: Pick<ContextsWithToken, 'any'>,
  { file, session }: Delivery,
): Promise<void> {
  const stored = any || file !== undefined
  if (evenIfCurrent || stored || !retirement.ends || !(await isInUse(old, session.account))) return
  const message = `token "${old.label}" (${old.id}) is the current token, and the new one would not be stored`
  throw new Problem('usage', message, {
    hint: 'Add --output-file FILE, keep the old one for a while with --keep-old, or add --force',
  })
}

async function create({ old, body }: TokenReplacement, session: Session): Promise<Token> {
  try {
    return await makeToken(body, session)
  } catch (error) {
    if (isLost(error)) throw telling(error, { state: asBefore(old), hint: lookHint(error, old) })
    // Then the old token is no longer valid, as it is the current one.
    const isRevoked =
      error instanceof Problem && error.code === 'not_signed_in' && (await isInUse(old, session.account))
    throw isRevoked ? error : telling(error, { state: asBefore(old) })
  }
}

const asBefore = ({ id }: Token) => `token ${id} is still valid`

function lookHint({ details: { hint = '' } }: Problem, { label }: Token): string {
  if (hint.includes('skyctl tokens revoke')) return hint
  const list = `skyctl tokens list --filter ${shellWord(`label=${label}`)}`
  return `Check for a new token: ${list}; revoke it: skyctl tokens revoke ID`
}

/** Stores the new token wherever the old one is used, and retires the old one. */
async function put(
  next: Token,
  replacement: TokenReplacement,
  { contexts, delivery }: { contexts: ContextsWithToken; delivery: Delivery },
): Promise<void> {
  const { old, retirement } = replacement
  const { session } = delivery
  let left = { state: `token ${next.id} was created to replace it, and ${asBefore(old)}`, hint: endOne(old, next) }
  try {
    // Delivered first, as there is no other copy.
    await deliverToken(next, delivery)
    const ours = await session.account.client({
      as: { ...(await session.account.access.signedIn()), token: next.token },
    })
    // Proves that it works, before the old one is revoked.
    await ours.call(profile.view)
    const names = await contexts.give(next.token)
    for (const name of names) await session.ui.status(`The context "${name}" has the new token`)
    left = {
      state: `token ${next.id} replaces it, and token ${old.id} may still be valid`,
      hint: `Revoke the old one: skyctl tokens revoke ${old.id} --if-present`,
    }
    // With the old token, a revocation whose answer is lost could not be checked.
    const { account } = session
    await retire(retirement, (await isInUse(old, account)) ? { ...account, client: async () => ours } : account)
    await tellSource(replacement, names, session)
  } catch (error) {
    if (error instanceof TakenBack) throw telling(error, { state: asBefore(old) })
    throw telling(error, { ...left, created: { kind: 'token', id: next.id, label: next.label } })
  }
}

const endOne = (old: Token, next: Token) =>
  `Revoke the one that you do not need: skyctl tokens revoke ${next.id}, or skyctl tokens revoke ${old.id}`

/** Retires the old token. Somebody else may have revoked it meanwhile. */
async function retire({ request }: Retirement, account: Account): Promise<void> {
  try {
    await sendRequest(request, account)
  } catch (error) {
    if (!isGone(error)) throw error
  }
}

/** Prints where the user must store the new token; `names` are the contexts that have it. */
async function tellSource(
  { old, retirement }: TokenReplacement,
  names: readonly string[],
  session: Session,
): Promise<void> {
  if (names.length > 0 || !(await isInUse(old, session.account))) return
  await session.ui.warn(
    `the ${retirement.ends ? 'revoked' : 'old'} token was the current one: ${await sourceOf(session)}`,
  )
}

/** Adds to a failure which token works. */
function telling(
  error: unknown,
  { state, hint, created }: { state: string; hint?: string; created?: Created },
): unknown {
  if (!(error instanceof Problem)) return error
  const message = `${error.message}; ${state}`
  return error.with({ message, ...(hint !== undefined && { hint }), ...(created && { created }) })
}

/** Returns the place where the user must store the new token. */
async function sourceOf(session: Session): Promise<string> {
  const credential = await session.account.access.credential()
  if (credential.sandbox || credential.secret instanceof Problem) return 'sign in with the new one'
  if ('command' in credential.secret) return 'update the token command to print the new one'
  return 'file' in credential.secret
    ? `put the new one into ${credential.secret.file}`
    : 'put the new one in SKYCTL_TOKEN'
}

/** The contexts that use a token. */
interface ContextsWithToken {
  any: boolean
  /** Gives all of them another token in one write; resolves to their names. */
  give(token: string): Promise<string[]>
}

/**
 * Finds the contexts of the current service that use a token, and checks that they can be changed; throws `local` if
 * not. Warns if the contexts cannot be read.
 */
async function contextsWithToken(token: string, session: Session): Promise<ContextsWithToken> {
  const holds = await holderTest(token, session)
  if (!(await readContexts(session)).some(holds)) return { any: false, give: async () => [] }
  // Rewriting them is the best test: it detects a full disk, a lock, and a read-only file system.
  await session.config.change(() => {})
  return {
    any: true,
    async give(next) {
      const names: string[] = []
      await session.config.change(({ contexts }) => {
        for (const [name, stored] of contexts) {
          if (!holds(stored)) continue
          contexts.set(name, { ...stored, token: next })
          names.push(name)
        }
      })
      return names
    },
  }
}

/** Returns a test for contexts of the current service that have a token. */
async function holderTest(token: string, session: Session): Promise<(context: StoredContext) => boolean> {
  const { origin } = new URL((await session.account.access.signedIn()).baseUrl)
  return ({ token: stored, base_url }) =>
    stored !== undefined && sameStart(stored, token) && URL.canParse(base_url) && new URL(base_url).origin === origin
}

/** Reads the contexts. With a token from the environment there may be none, and no home for them. */
async function readContexts(session: Session): Promise<StoredContext[]> {
  try {
    return [...(await session.config.read()).contexts.values()]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await session.ui.warn(`no context gets the new token: ${error.message}`)
    return []
  }
}
