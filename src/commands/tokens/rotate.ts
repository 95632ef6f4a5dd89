import { profile } from '../../catalogue/profile/profile'
import { type Token, tokens } from '../../catalogue/tokens'
import { send } from '../../engine/change'
import type { Command, Flag, Flags } from '../../engine/command'
import { confirm } from '../../engine/confirm'
import { printRequests } from '../../engine/dry-run'
import { durationFlag, textFlag } from '../../engine/flag-values'
import { dryRunFlag, outputFlags } from '../../engine/flags'
import { findTarget, nameOf } from '../../engine/resource'
import { readTargets, targetArguments } from '../../engine/targets'
import { Problem } from '../../errors'
import type { Client } from '../../http/client'
import { supersededUntil } from '../../rules/superseded'
import { formatTimestamp, parseTimestamp } from '../../rules/times'
import type { Session } from '../../session'
import { outputFileFlag } from './create'
import { holdersOf } from './holders'
import { isInUse } from './in-use'
import { type Delivery, deliverToken, prepareDelivery, tokenRequest } from './make'
import { tokenResource } from './resource'
import { type Retirement, revocation, superseding } from './retire'
import { expiryFlag, readExpiry } from './token-fields'

/** The new token: as the old one, for as long as that was made to last unless another expiry is given. */
function successor({ label, scopes, created, expiry }: Token, flags: Flags, session: Session): Record<string, unknown> {
  const given = textFlag(flags, 'expiry')
  const lifetime = parseTimestamp(expiry ?? '') - parseTimestamp(created)
  const same = Number.isNaN(lifetime) ? undefined : formatTimestamp(session.clock.now() + lifetime)
  const next = given === undefined ? same : readExpiry(given, flags, session)
  return { label, scopes, ...(next !== undefined && { expiry: next }) }
}

/** Resolves to a client with the new token; throws where the service does not take it for one of the same user. */
async function prove({ token }: Token, session: Session): Promise<Client> {
  const { baseUrl } = await session.signedIn()
  const client = await session.client({ as: { baseUrl, token } })
  const [before, after] = await Promise.all([(await session.client()).call(profile.view), client.call(profile.view)])
  if (before.username === after.username) return client
  throw new Problem('defect', `the new token is of ${after.username}, not of ${before.username}`)
}

interface Replacement {
  old: Token
  /** The request for the new one. */
  body: Record<string, unknown>
  retirement: Retirement
}

/** Replaces one token by another. At every moment one of them works; a failure says which. */
async function replace({ old, body, retirement }: Replacement, delivery: Delivery): Promise<void> {
  const { session } = delivery
  const holders = await holdersOf(old.token, session)
  const request = await tokenRequest(body, session)
  const next = await send(request, session).catch((error: unknown) => {
    throw telling(error, { state: `token ${old.id} is as valid as before` })
  })
  let state = `token ${next.id} was made to replace it, and token ${old.id} is as valid as before`
  try {
    // Given out before anything else can fail: nobody else has a copy.
    await deliverToken(next, delivery)
    const proved = await prove(next, session)
    const names = await holders.give(next.token)
    for (const name of names) await session.say(`The context "${name}" has the new token`)
    state = `token ${next.id} works in its place, and token ${old.id} may still be valid`
    await retire(old, retirement, { proved, kept: names.length > 0, session })
  } catch (error) {
    const hint = `Revoke the one that you do not keep, ${old.id} or ${next.id}: skyctl tokens revoke ID`
    throw telling(error, { state, hint })
  }
  await session.say(`Replaced token "${old.label}": ${next.id} works, ${retirement.done}`)
}

async function retire(
  old: Token,
  { request: { operation, path = {}, body }, ends }: Retirement,
  { proved, kept, session }: { proved: Client; kept: boolean; session: Session },
): Promise<void> {
  const inUse = await isInUse(old, session)
  // A token that revokes itself could not ask again where the answer is lost.
  await (inUse ? proved : await session.client()).call(operation, { path, ...(body && { body }) })
  if (!inUse || kept) return
  await session.warn(`the ${ends ? 'revoked' : 'old'} token was the one in use: ${await sourceOf(session)}`)
}

/** A failure that also tells which token works. */
function telling(error: unknown, { state, hint }: { state: string; hint?: string }): unknown {
  if (!(error instanceof Problem)) return error
  const details = { ...error.details, ...(hint !== undefined && { hint }), cause: error }
  return new Problem(error.code, `${error.message}; ${state}`, details)
}

/** Where the new token must be put by hand. */
async function sourceOf(session: Session): Promise<string> {
  const credential = await session.credential()
  if (credential.sandbox || credential.secret instanceof Problem) return 'sign in with the new one'
  if ('command' in credential.secret) return 'let the token command print the new one'
  return 'file' in credential.secret
    ? `put the new one into ${credential.secret.file}`
    : 'put the new one in SKYCTL_TOKEN'
}

async function refuseUnfit(old: Token, session: Session): Promise<void> {
  if (supersededUntil(old.label) !== undefined) {
    throw new Problem('usage', `token "${old.label}" (${old.id}) is replaced already`, {
      hint: 'Rotate the one that replaced it',
    })
  }
  if (!(await session.credential()).sandbox || !(await isInUse(old, session))) return
  throw new Problem('usage', 'the token of the context "sandbox" is built in and cannot be replaced', {
    hint: 'Rotate another, or run skyctl sandbox start and sign in there',
  })
}

function retirementOf(old: Token, flags: Flags, session: Session): Retirement {
  const span = durationFlag(flags, 'keep-old')
  if (span === undefined) return revocation(old)
  if (span > 0) return superseding(old, span, session.clock.now())
  throw new Problem('usage', '--keep-old: leave it out where the old token is to be revoked at once')
}

const keepOldFlag: Flag = {
  name: 'keep-old',
  value: 'time',
  description: 'Do not revoke the old token: leave it for this time to what uses it, such as 24h',
}

export const rotateToken: Command = {
  name: 'rotate',
  summary: 'Replace a token by a new one of the same label and scopes',
  details:
    'The new token is shown, proved, and put into the contexts that hold the old one; only then the old one is ' +
    'revoked. It lasts as long as the old one was made to last, unless --expiry says otherwise.\n' +
    'With --keep-old the old one is left for that time to the jobs that hold it. Its label says until when, since the ' +
    'expiry of a token cannot change; revoke it then. tokens list --superseded finds it.',
  operations: [profile.view, tokens.list, tokens.view, tokens.create, tokens.update, tokens.revoke],
  records: tokens.create,
  arguments: targetArguments(tokenResource, false),
  flags: [expiryFlag, keepOldFlag, outputFileFlag, dryRunFlag, ...outputFlags],
  examples: [
    { what: 'The token of a job, into its file', line: 'skyctl tokens rotate deploy --output-file deploy.token --yes' },
    { what: 'Leave its jobs a day to get the new one', line: 'skyctl tokens rotate deploy --keep-old 24h' },
    { what: 'What expires soon', line: 'skyctl tokens list --expiring 14d' },
  ],
  async run(input, session) {
    const { flags } = input
    const delivery = await prepareDelivery(flags, session, { replace: true })
    const [target] = await readTargets(input, tokenResource, session)
    if (target === undefined) throw new Problem('usage', 'no token is named')
    const found = await findTarget(target, tokenResource, session, { record: true })
    const old = found.record as Token
    const body = successor(old, flags, session)
    const retirement = retirementOf(old, flags, session)
    if (flags['dry-run']) {
      return printRequests([{ operation: tokens.create, body }, retirement.request], { flags, session })
    }
    await refuseUnfit(old, session)
    await confirm(`Replace ${nameOf(tokenResource, found)}: ${retirement.consequence}`, session)
    await replace({ old, body, retirement }, delivery)
  },
}
