import { profile } from '../../catalogue/profile/profile'
import { type Token, tokens } from '../../catalogue/tokens'
import type { Command, Flag, Flags } from '../../engine/command'
import { confirm } from '../../engine/confirm'
import { printRequests } from '../../engine/dry-run'
import { durationFlag, textFlag } from '../../engine/flag-values'
import { dryRunFlag, outputFlags } from '../../engine/flags'
import { rememberUser } from '../../engine/identity'
import { findTarget, nameOf } from '../../engine/resource'
import { readTarget, targetArguments } from '../../engine/targets'
import { Problem } from '../../errors'
import { covers } from '../../rules/scopes'
import { supersededUntil } from '../../rules/superseded'
import { formatTimestamp, parseTimestamp } from '../../rules/times'
import type { Session, User } from '../../session'
import { readAccount } from '../profile/account'
import { forceFlag } from '../secret-file'
import { outputFileFlag } from './create'
import { gracePeriod, type Retirement, revocation } from './grace-period'
import { isInUse } from './in-use'
import { fileSentence, guardFile, prepareDelivery, sayFile } from './make'
import { replace } from './replace'
import { tokenResource } from './resource'
import { expiryFlag, readExpiry } from './token-fields'

/** Returns the body of the new token: like the old one, with the same lifetime unless --expiry is set. */
function successor({ label, scopes, created, expiry }: Token, flags: Flags, session: Session): Record<string, unknown> {
  const given = textFlag(flags, 'expiry')
  const lifetime = parseTimestamp(expiry ?? '') - parseTimestamp(created)
  const same = Number.isNaN(lifetime) ? undefined : formatTimestamp(session.clock.now() + lifetime)
  const next = given === undefined ? same : readExpiry(given, flags, session)
  return { label, scopes, ...(next !== undefined && { expiry: next }) }
}

async function refuseUnfit(old: Token, session: Session): Promise<void> {
  if (supersededUntil(old.label) !== undefined) {
    throw new Problem('conflict', `token "${old.label}" (${old.id}) is replaced already`, {
      hint: 'Rotate the one that replaced it',
    })
  }
  if (!(await session.credential()).sandbox || !(await isInUse(old, session))) return
  throw new Problem('usage', 'the token of the context "sandbox" is built in and cannot be replaced', {
    hint: 'Rotate another, or run skyctl sandbox start and sign in there',
  })
}

/** Throws `not_allowed` if the current token lacks scopes of the old one; resolves to its user. */
async function refuseUnable({ scopes: needed }: Token, session: Session): Promise<User> {
  const { profile, scopes } = await readAccount(await session.client())
  await rememberUser(profile, session)
  const held = scopes?.split(/\s+/)
  const missing = [...tokens.create.scopes, ...needed.split(' ')].filter((scope) => held && !covers(held, scope))
  if (missing.length === 0) return profile
  throw new Problem('not_allowed', `the token in use lacks ${[...new Set(missing)].join(' and ')}, which this takes`, {
    hint: 'Rotate it with one of the same scopes and account:read_write',
  })
}

function retirementOf(old: Token, flags: Flags, session: Session): Retirement {
  const span = durationFlag(flags, 'keep-old')
  if (span === undefined) return revocation(old)
  if (span > 0) return gracePeriod(old, span, session.clock.now())
  throw new Problem('usage', '--keep-old: leave it out where the old token is to be revoked at once')
}

const keepOldFlag: Flag = {
  name: 'keep-old',
  value: 'time',
  description: 'Do not revoke the old token: leave it for this time to what uses it, such as 24h',
}

const rotatedFileFlag: Flag = {
  ...outputFileFlag,
  description: 'Write the token to this file, for you alone: a new one, or the one that holds the old token',
}

const evenIfCurrentFlag: Flag = {
  name: 'even-if-current',
  description: 'Replace the one in use although no context and no file gets the new one',
}

export const rotateToken: Command = {
  name: 'rotate',
  summary: 'Replace a token by a new one of the same label and scopes',
  details:
    'The new token is shown, proved, and put into the contexts that hold the old one; only then the old one is ' +
    'revoked. It lasts as long as the old one was made to last, unless --expiry says otherwise.\n' +
    'With --keep-old the old one is left for that time to the jobs that hold it. Its label says until when, since the ' +
    'expiry of a token cannot change; revoke it then. tokens list --superseded finds it.\n' +
    'Before a token is made it is seen that it can be stored; one that is in use and would only be shown needs ' +
    '--even-if-current. Where a rotation is killed, the next command on tokens names what it left, and how to end it.',
  operations: [profile.view, tokens.list, tokens.view, tokens.create, tokens.update, tokens.revoke],
  records: tokens.create,
  arguments: targetArguments(tokenResource, 'one or stdin'),
  flags: [expiryFlag, keepOldFlag, rotatedFileFlag, forceFlag, evenIfCurrentFlag, dryRunFlag, ...outputFlags],
  examples: [
    { what: 'The token of a job, into its file', line: 'skyctl tokens rotate deploy --output-file deploy.token --yes' },
    { what: 'Leave its jobs a day to get the new one', line: 'skyctl tokens rotate deploy --keep-old 24h' },
    { what: 'What expires soon', line: 'skyctl tokens list --expiring 14d' },
  ],
  async run(input, session) {
    const { flags } = input
    const prepared = await prepareDelivery(flags, session)
    const target = await readTarget(input, tokenResource, session)
    const found = await findTarget(target, tokenResource, session, { record: true })
    const old = found.record as Token
    const delivery = guardFile(prepared, flags, old)
    const body = successor(old, flags, session)
    const retirement = retirementOf(old, flags, session)
    if (flags['dry-run']) {
      await sayFile(delivery)
      return printRequests([{ operation: tokens.create, body }, retirement.request], { flags, session })
    }
    await refuseUnfit(old, session)
    const user = await refuseUnable(old, session)
    const sentences = [retirement.consequence, fileSentence(delivery), `Replace ${nameOf(tokenResource, found)}`]
    await confirm(sentences.filter((text) => text !== undefined).join('. '), session)
    const evenIfCurrent = flags['even-if-current'] === true
    await replace({ old, body, retirement, user, evenIfCurrent }, delivery)
  },
}
