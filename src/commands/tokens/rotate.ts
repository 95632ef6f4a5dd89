import { findTarget } from '../../account/find-target'
import { rememberUser } from '../../account/identity'
import { nameOf } from '../../account/resource'
import { tokenResource } from '../../account/resources/token'
import { isInUse } from '../../account/token-in-use'
import { isMissing } from '../../catalogue/normalize'
import { profile } from '../../catalogue/profile/profile'
import { type Token, tokens } from '../../catalogue/tokens'
import { dryRunFlag } from '../../engine/change-flags'
import type { Command, Flag, Flags } from '../../engine/command'
import { confirm } from '../../engine/confirm'
import { printRequests } from '../../engine/dry-run'
import { durationFlag, textFlag } from '../../engine/flag-values'
import { outputFlags } from '../../engine/flags'
import type { Session } from '../../engine/session'
import { targetArguments } from '../../engine/target-arguments'
import { readTarget } from '../../engine/targets'
import { Problem } from '../../errors'
import { covers } from '../../rules/scope-cover'
import { supersededUntil } from '../../rules/superseded-label'
import { formatTimestamp, parseTimestamp } from '../../rules/times'
import { readAccount } from '../profile/account'
import { fileSentence, guardFile, outputFileFlag, prepareDelivery, sayFile } from './deliver-token'
import { gracePeriod, type Retirement, revocation } from './grace-period'
import { expectStored, replaceToken } from './replace-token'
import { expiryFlag, readExpiry } from './token-fields'

/** Returns the body of the new token: like the old one, with the same lifetime unless --expiry is set. */
function successor({ label, scopes, created, expiry }: Token, flags: Flags, session: Session): Record<string, unknown> {
  const requested = textFlag(flags, 'expiry')
  const lifetime = parseTimestamp(expiry ?? '') - parseTimestamp(created)
  const same = Number.isNaN(lifetime) ? undefined : formatTimestamp(session.clock.now() + lifetime)
  const next = requested === undefined ? same : readExpiry(requested, flags, session)
  return { label, scopes, ...(next !== undefined && { expiry: next }) }
}

/** Throws if the answer lacked what the new token repeats: without an expiry it would never expire. */
function expectRepeatable(old: Token, flags: Flags): void {
  const lifetime = flags.expiry === undefined ? ['expiry', ...(old.expiry === null ? [] : ['created'])] : []
  const lacking = ['label', 'scopes', ...lifetime].find((field) => isMissing(old, field))
  if (lacking)
    throw new Problem('defect', `the answer lacks the ${lacking} of token ${old.id}, which the new token would copy`)
}

async function refuseUnfit(old: Token, session: Session): Promise<void> {
  if (supersededUntil(old.label) !== undefined) {
    throw new Problem('conflict', `token "${old.label}" (${old.id}) is already replaced`, {
      hint: 'Rotate its replacement',
    })
  }
  if (!(await session.account.access.credential()).sandbox || !(await isInUse(old, session.account))) return
  throw new Problem('usage', 'the token of the context "sandbox" is built in and cannot be replaced', {
    hint: 'Rotate another, or run skyctl sandbox start and sign in there',
  })
}

/** Throws `not_allowed` if the current token lacks scopes of the old one. */
async function refuseUnable({ scopes: needed }: Token, session: Session): Promise<void> {
  const { profile, scopes } = await readAccount(await session.account.client())
  await rememberUser(profile, session.account)
  const available = scopes?.split(/\s+/)
  const missing = [...tokens.create.scopes, ...needed.split(' ')].filter(
    (scope) => available && !covers(available, scope),
  )
  if (missing.length === 0) return
  throw new Problem(
    'not_allowed',
    `the token in use lacks ${[...new Set(missing)].join(' and ')}, which the rotation needs`,
    {
      hint: 'Rotate it with one of the same scopes and account:read_write',
    },
  )
}

function retirementOf(old: Token, flags: Flags, session: Session): Retirement {
  const span = durationFlag(flags, 'keep-old')
  if (span === undefined) return revocation(old)
  if (span > 0) return gracePeriod(old, span, session.clock.now())
  throw new Problem('usage', '--keep-old: leave it out to revoke the old token at once')
}

const keepOldFlag: Flag = {
  name: 'keep-old',
  value: 'time',
  description: 'Leave the old token valid; revoke it after 24h yourself',
}

const rotatedFileFlag: Flag = {
  ...outputFileFlag,
  description: 'Write it to a private file: new, or with the old token',
}

const forceFlag: Flag = {
  name: 'force',
  description: 'Replace a file, or the current token although nothing stores the new one',
}

/** Unlike --force, it never replaces a file. */
const oldForceFlag: Flag = { name: 'even-if-current', description: '--force without files', hidden: true }

export const rotateToken: Command = {
  name: 'rotate',
  asks: true,
  summary: 'Replace a token with a new one',
  details:
    'The new token has the label, scopes and lifetime of the old one. skyctl shows it, checks it and stores it in the ' +
    'contexts of the old one; then it revokes the old one.',
  moreDetails:
    '--keep-old does not revoke the old token: it stays valid until its own expiry, unless you revoke it. Its label has ' +
    'the end of the time, since the API cannot change an expiry. "tokens list --superseded" finds it.\n' +
    'skyctl checks first that it can store the token; if nothing would store the replacement of the current token, it needs ' +
    '--force. "skyctl history list" has a rotation that was killed: both tokens may be valid then.',
  operations: [profile.view, tokens.list, tokens.view, tokens.create, tokens.update, tokens.revoke],
  records: tokens.create,
  arguments: targetArguments(tokenResource, 'one or stdin'),
  flags: [expiryFlag, keepOldFlag, rotatedFileFlag, forceFlag, oldForceFlag, dryRunFlag, ...outputFlags],
  examples: [
    {
      what: 'In a CI job: replace the token in a file',
      line: 'skyctl tokens rotate deploy --output-file deploy.token --yes',
    },
    { what: 'Leave the old token valid, to revoke it after a day', line: 'skyctl tokens rotate deploy --keep-old 24h' },
    { what: 'List tokens that expire soon', line: 'skyctl tokens list --expiring 14d' },
  ],
  async run(input, session) {
    const { flags } = input
    const prepared = await prepareDelivery(flags, session)
    const target = await readTarget(input, tokenResource, session)
    const match = await findTarget(target, tokenResource, session.account, { record: true })
    const old = match.record as Token
    expectRepeatable(old, flags)
    const delivery = { ...prepared, old }
    guardFile(delivery)
    const body = successor(old, flags, session)
    const retirement = retirementOf(old, flags, session)
    const evenIfCurrent = (flags.force ?? flags['even-if-current']) === true
    const replacement = { old, body, retirement, evenIfCurrent }
    await refuseUnfit(old, session)
    if (flags['dry-run']) {
      await expectStored(replacement, delivery)
      await sayFile(delivery)
      return printRequests([{ operation: tokens.create, body }, retirement.request], { flags, session })
    }
    await refuseUnable(old, session)
    const screen = 'The new token will be shown here, once: --output-file FILE writes it to a file instead'
    const where = fileSentence(delivery) ?? (session.ui.interactive ? screen : undefined)
    const sentences = [retirement.consequence, where, `Replace ${nameOf(tokenResource, match)}`]
    await confirm(sentences.filter((text) => text !== undefined).join('. '), session)
    await replaceToken(replacement, delivery)
  },
}
