/** Reports orphaned tokens of killed rotations: tokens that are valid, but may not be stored anywhere. */
import { rmSync } from 'node:fs'
import type { User } from '../../account/account'
import { isOtherUser } from '../../account/identity'
import { compareFields } from '../../account/label-lookup'
import { readAll } from '../../account/read-all'
import { sameStart } from '../../account/token-in-use'
import { profile } from '../../catalogue/profile/profile'
import { type Token, tokens } from '../../catalogue/tokens'
import type { Command } from '../../engine/command'
import type { Session } from '../../engine/session'
import { ifPossible, passOver } from '../../errors'
import { tryLock } from '../../files/lock'
import { escapeText } from '../../rules/escape'
import { supersededUntil } from '../../rules/expiry'
import { parseTimestamp } from '../../rules/times'
import { keepIfPossible, type Rotation, type RotationFile, rotationFiles } from './rotations'

/** Maximum time until a request is answered, in milliseconds: tokens that were created later are from elsewhere. */
const longestRequest = 10 * 60_000

/** The current tokens of an account. */
interface AccountTokens {
  user: User
  tokens: readonly Token[]
  /** Current time by the service's clock, in milliseconds; undefined if unknown. */
  time: number | undefined
  /** Beginnings of the tokens that contexts use. */
  contextTokens: readonly string[]
  /** Tokens that were already reported. */
  named: Set<number>
}

/** Adds the report to a command: before it, or after it if it may revoke them. */
export function withOrphanedTokenWarning(command: Command, when: 'first' | 'last' = 'first'): Command {
  return {
    ...command,
    async run(input, session) {
      if (when === 'first') await nameLeftOver(session)
      try {
        await command.run(input, session)
      } finally {
        if (when === 'last') await nameLeftOver(session)
      }
    },
  }
}

/**
 * Reports orphaned tokens with the commands that revoke them, and deletes settled records. After an error it tries
 * again next time.
 */
async function nameLeftOver(session: Session): Promise<void> {
  const files = await rotationFiles(session)
  // The command itself reports why the service is unavailable.
  if (files.length > 0) await nameLeftBy(files, session).catch(passOver)
}

async function nameLeftBy(files: readonly RotationFile[], session: Session): Promise<void> {
  const current = await look(session)
  for (const file of knownFrom(files.filter(({ rotation }) => isOf(current.user, rotation)))) {
    await tellOf(file, current, session)
  }
}

const isOf = (user: User, { user: username, uid = user.uid }: Rotation) => !isOtherUser(user, { uid, username })

/**
 * Orders the records: first rotations with an unknown result, the latest at the front. They ignore the tokens of
 * others, so each token is reported once, and never one of a finished rotation.
 */
function knownFrom(files: readonly RotationFile[]): RotationFile[] {
  const createdIds = files.flatMap(({ rotation }) => rotation.made ?? [])
  const open = files.filter(({ rotation }) => rotation.made === undefined)
  const last = open.toSorted((a, b) => (b.rotation.since ?? 0) - (a.rotation.since ?? 0))
  const aware = last.map((file) => ({
    ...file,
    rotation: { ...file.rotation, others: [...new Set([...file.rotation.others, ...createdIds])] },
  }))
  return [...aware, ...files.filter(({ rotation }) => rotation.made !== undefined)]
}

async function look(session: Session): Promise<AccountTokens> {
  const client = await session.account.client()
  const user = await client.call(profile.view)
  const all = await readAll(client, tokens.list)
  const { contexts } = await session.config.read().catch(() => ({ contexts: new Map<string, { token?: string }>() }))
  const contextTokens = [...contexts.values()].map(({ token }) => token).filter((token) => token !== undefined)
  return { user, tokens: all, time: client.serviceTime, contextTokens, named: new Set() }
}

async function tellOf(file: RotationFile, current: AccountTokens, session: Session): Promise<void> {
  const lock = free(file)
  if (!lock) return
  try {
    const { text, settled, ids = [] } = leftBy(file.rotation, current)
    if (settled) rmSync(file.path, { force: true })
    else if (file.rotation.made === undefined) await keepIfPossible(file)
    if (text === undefined) return
    await session.ui.warn(text)
    for (const id of ids) current.named.add(id)
  } finally {
    lock.release()
  }
}

/** Locks the record of a rotation; undefined if it is running or cannot be locked. */
const free = ({ lock }: RotationFile) => ifPossible(() => tryLock(lock))

interface Left {
  text?: string
  /** Tokens whose text nobody knows. */
  ids?: readonly number[]
  /** True if there is nothing left to report. */
  settled: boolean
}

function leftBy(rotation: Rotation, current: AccountTokens): Left {
  return rotation.made === undefined ? leftUnanswered(rotation, current) : leftAfter(rotation.made, rotation, current)
}

/** Finds the possible tokens of a rotation that was killed before the answer. */
function leftUnanswered(rotation: Rotation, { tokens: all, time, named }: AccountTokens): Left {
  const { old, since, body } = rotation
  const candidates = all.filter((token) => !named.has(token.id) && mayBeMade(token, rotation))
  const ids = candidates.map(({ id }) => id)
  if (ids.length > 0) {
    const which = ids.length === 1 ? `token ${ids[0]}` : `one of the tokens ${ids.join(', ')}`
    const sure = since === null ? 'may have been' : 'was'
    const text = `${begun(body, old)}: ${which} ${sure} created by it, and its text is lost. Revoke it: ${revoke(ids)}`
    return { text, ids, settled: false }
  }
  // Without the service's time, the end of the search is unknown.
  return { settled: since === null || time === undefined || time > since + longestRequest }
}

/**
 * Reports whether a token may be from this rotation. It did not exist before, matches the request, and was created in
 * time by the service's clock.
 */
function mayBeMade(token: Token, { old, body, others, since }: Rotation): boolean {
  if (token.label !== body.label || token.id === old || others.includes(token.id)) return false
  if (compareFields({ ...token }, body).length > 0) return false
  if (since === null) return true
  const created = parseTimestamp(token.created)
  return created >= Math.floor(since / 1000) * 1000 && created <= since + longestRequest
}

function leftAfter(createdId: number, { old, body }: Rotation, { tokens: all, contextTokens }: AccountTokens): Left {
  const next = all.find(({ id }) => id === createdId)
  const before = all.find(({ id }) => id === old)
  if (!next || !before || supersededUntil(before.label) !== undefined) return { settled: true }
  const stored = contextTokens.some((token) => sameStart(token, next.token))
  const text = stored
    ? `${begun(body, old)}: token ${createdId} replaces it, and ${old} is still valid. Revoke the old one: ${revoke([old])}`
    : `${begun(body, old)}: token ${createdId} was created to replace it, and both are valid. ` +
      `If nobody has the new one, revoke it: ${revoke([createdId])}; otherwise the old one: ${revoke([old])}`
  return { text, settled: false }
}

const begun = ({ label }: Rotation['body'], old: number) =>
  `a rotation of token "${escapeText(String(label))}" (${old}) was not finished`

const revoke = (ids: readonly number[]) => `skyctl tokens revoke ${ids.length === 1 ? ids[0] : 'ID'}`

/** Excludes a new token from the candidates of earlier rotations. `own` is the token that is being replaced. */
export async function excludeFromOrphaned(id: number, session: Session, own?: number): Promise<void> {
  for (const file of await rotationFiles(session)) {
    const { path, rotation } = file
    if (rotation.made !== undefined) continue
    // A running rotation writes its record itself, and may have just deleted it.
    const lock = rotation.old === own ? undefined : free(file)
    if (rotation.old !== own && !lock) continue
    await keepIfPossible({ path, rotation: { ...rotation, others: [...rotation.others, id] } })
    lock?.release()
  }
}
