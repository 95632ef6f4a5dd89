/**
 * The history: changes that were sent from this machine, including possible ones (`skyctl history`).
 *
 * Every such request is recorded where it is sent (./history), so that none is missed, whichever command or flow
 * sends it. It begins before the request leaves, so that a killed process leaves it open, and ends when the outcome is
 * known.
 *
 * - For an undo, it keeps the previous values of fields that a PUT replaces. Mostly the command has read them;
 *   otherwise it reads them with one extra request. Several objects at once, and the steps of a plan, are not worth a
 *   request each. New values are kept as a hash only.
 * - Firewall rules have backups of their own in the ledger; the history refers to them.
 * - A change belongs to the user who made it. If this machine does not know the user of the token, it asks the service
 *   once, after the first change.
 * - Attempts at one request that were refused because the object was busy share an entry.
 * - It has no bodies, no answers and no secrets: a redacted value could not be restored.
 * - It never stops or fails a command. If it cannot be written, a warning says so once; without a home only -v does.
 */
import { formatJson } from '../../data/json'
import { hintedText, isBusy, Problem } from '../../errors'
import { deferWarnings } from '../../files/deferred-warnings'
import { randomMark } from '../../files/temporary'
import { once } from '../../rules/once'
import { isRecord } from '../../rules/records'
import { withoutSecrets } from '../../rules/secrets'
import type { Account, User } from '../account'
import { type AccountName, accountOf } from '../account'
import { knownUser, rememberedUser } from '../identity'
import { openLedger } from '../ledger/writer'
import type { About, Failed, History, HistoryEntry } from './history'
import type { ChangeOutcome, StartedChange } from './lines'

interface Running {
  command: string
  /** True if its changes can be undone as one. */
  isApply: boolean
  /** Reports that the history is not recorded. */
  note(text: string): Promise<void>
}

/** Opens the history for a command; undefined if it is unavailable. */
export async function historyOf(account: Account, { command, isApply, note }: Running): Promise<History | undefined> {
  try {
    const writer = await openLedger(account)
    const name = await accountOf(account)
    const write = async (line: StartedChange | ChangeOutcome) => {
      // Redaction must not change the id that the lines of a request share.
      const text = await formatJson({ ...clean(line, account), entry: line.entry }, 0)
      await deferWarnings(account.reporter, (warn) => writer.append(text, warn))
    }
    const user = await rememberedUser(account)
    const learn = once(() => knownUser(account))
    const apply = isApply ? newApplyId() : undefined
    const earlier = once(() => earlierEntries(account))
    const named = { name: { ...name, ...(user && { user }) }, apply, learn, earlier }
    const log = { ...named, account, write, lost: note, open: true, busy: new Map() }
    return { ...historyIn(log, command, { looks: true }), close: () => writer.close() }
  } catch (error) {
    await note(lossOf(error))
    return undefined
  }
}

async function earlierEntries(account: Account): Promise<ReadonlySet<string>> {
  const { readHistory } = await import('../ledger/reader')
  const entries = await readHistory(account).catch(() => [])
  return new Set(entries.map(({ entry }) => entry))
}

/** Text of a note: no error of the history is a reason to fail. */
function lossOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : error
  return `the history is not recorded: ${error instanceof Problem ? hintedText(error) : reason}`
}

const newApplyId = () => randomMark().slice(0, 8)

interface Log {
  name: AccountName & { user?: User }
  /** Id to undo all changes of an apply at once. */
  apply: string | undefined
  /** Change or apply that the changes undo. */
  undoes?: string
  /** Returns the ids of the entries of earlier runs. */
  earlier(): Promise<ReadonlySet<string>>
  /** Returns the acting user, if it was not known before. */
  learn(): Promise<User | undefined>
  account: Account
  write(line: StartedChange | ChangeOutcome): Promise<void>
  lost(text: string): Promise<void>
  /** False after a failed write. */
  open: boolean
  /** Entries that ended because the object was busy: the next attempt at the same request continues one of them. */
  busy: Map<string, { entry: string; ended: number }[]>
}

/** Maximum time between two attempts at one request. A program that tries again later makes another change. */
const longestPauseMs = 60_000

type Within = Parameters<History['within']>[1]

function historyIn(log: Log, command: string, { looks, before: defaultBefore }: Within): History {
  return {
    looks,
    ...(log.apply !== undefined && { apply: log.apply }),
    undoing(undoes, { isApply }) {
      const apply = isApply ? (log.apply ?? newApplyId()) : undefined
      return historyIn({ ...log, undoes, apply }, command, { looks, before: defaultBefore })
    },
    within: (inner, options) => historyIn(log, `${command}: ${inner}`, options),
    earlier: async (id) => ((await log.earlier()).has(id) ? entryOf({ entry: id, key: id }, log) : undefined),
    async begin({ id, method, path, pathParameters, about = {} }) {
      const { before = defaultBefore, whole, copy } = about
      const restorable = before && (await isKeepable(before, log.account)) ? before : undefined
      const request = {
        ...{ command, method, path: path.slice(0, longestText) },
        ...(log.apply !== undefined && { apply: log.apply }),
        ...(log.undoes !== undefined && { undoes: log.undoes }),
        ...(pathParameters && { path_parameters: pathParameters }),
        // An answer may lack the label, or have null.
        ...(typeof about.label === 'string' && { label: about.label.slice(0, longestText) }),
        ...(restorable && { before: restorable, ...(whole && { whole }) }),
        copy,
      }
      const key = id ?? (await formatJson(request))
      const continued = refusedBefore(key, log)
      const entry = continued ?? id ?? randomMark()
      await attempt(log, () =>
        continued === undefined
          ? { entry, time: timeOf(log), ...log.name, ...request }
          : { entry, ended: timeOf(log), outcome: 'unknown' },
      )
      // Only the answer to a PUT has the replaced fields.
      const hashOf = method === 'PUT' && restorable ? await hasherOf(restorable, whole) : undefined
      return entryOf({ entry, key, hashOf }, log)
    },
  }
}

/** Takes the entry of an attempt at the same request that was refused because the object was busy. */
function refusedBefore(key: string, { busy, account }: Log): string | undefined {
  const last = busy.get(key)?.pop()
  return last && account.clock.monotonic() - last.ended <= longestPauseMs ? last.entry : undefined
}

/** Returns a function that hashes the replaced state in an answer. It is loaded before the request is sent. */
async function hasherOf(before: NonNullable<About['before']>, whole: About['whole']) {
  const { hashState, partOf } = await import('./compare-states')
  return (answer: Readonly<Record<string, unknown>>) => hashState(partOf(answer, { before, whole }), whole)
}

interface OpenEntry {
  entry: string
  /** Equal for all attempts at one request. */
  key: string
  hashOf?: Awaited<ReturnType<typeof hasherOf>> | undefined
}

function entryOf({ entry, key, hashOf }: OpenEntry, log: Log): HistoryEntry {
  return {
    async done(answer, got) {
      // Only successful changes can be undone; and a service that has just answered will answer this request, too.
      const user = log.open && !log.name.user ? await log.learn() : undefined
      const names = isRecord(answer) ? namesIn(answer) : {}
      const after = isRecord(answer) && hashOf?.(answer)
      await attempt(log, () => ({
        ...{ entry, ended: timeOf(log), outcome: 'ok' },
        ...exchangeOf(got),
        ...names,
        ...(after && { after }),
        ...(user && { user }),
      }))
    },
    async failed(got) {
      const ended = log.account.clock.monotonic()
      if (isBusy(got.problem)) log.busy.set(key, [...(log.busy.get(key) ?? []), { entry, ended }])
      await attempt(log, () => ({
        ...{ entry, ended: timeOf(log), outcome: outcomeOf(got), code: got.problem.code },
        ...exchangeOf(got),
      }))
    },
  }
}

/** Returns the outcome of a request that failed: without a conclusive answer it may have succeeded. */
export function outcomeOf({ problem: { code, details } }: Failed): 'failed' | 'unknown' {
  return code === 'outcome_unknown' || code === 'defect' || details.mayBeDone ? 'unknown' : 'failed'
}

const exchangeOf = ({ status, requestId }: Partial<Pick<Failed, 'status' | 'requestId'>> = {}) => ({
  ...(status !== undefined && { status }),
  ...(requestId && { request_id: requestId.slice(0, longestText) }),
})

/** Appends a line; after a failed write nothing more is written. */
async function attempt(log: Log, line: () => StartedChange | ChangeOutcome): Promise<void> {
  if (!log.open) return
  try {
    await log.write(line())
  } catch (error) {
    log.open = false
    await log.lost(lossOf(error))
  }
}

const timeOf = ({ account }: Log) => new Date(account.clock.now()).toISOString()

/** Limit for strings of the service, which may have any length; labels have up to 100 characters (api.md, Limits). */
const longestText = 1000

/** Reads id and label of an answer; an address or a range is its own id. */
function namesIn({ id, address, range, label }: Record<string, unknown>): Pick<ChangeOutcome, 'id' | 'label'> {
  const name = [id, address, range].find((one) => typeof one === 'number' || typeof one === 'string')
  return {
    ...(typeof name === 'number' ? { id: name } : {}),
    ...(typeof name === 'string' && { id: name.slice(0, longestText) }),
    ...(typeof label === 'string' && { label: label.slice(0, longestText) }),
  }
}

/** Limit for previous values; preferences have up to 65,535 characters (api.md, Limits). */
const mostCharacters = 70_000

/** Reports whether the values can be kept unchanged: redacted values could not be restored. */
async function isKeepable(
  before: Readonly<Record<string, unknown>>,
  { local: { secrets } }: Account,
): Promise<boolean> {
  const text = await formatJson(before, 0)
  if (text.length > mostCharacters || secrets.inMessage(text) !== text) return false
  return (await formatJson(withoutSecrets(before), 0)) === text
}

/** Redacts secrets in strings. Numbers are kept, although a code may look like one. */
function clean(record: object, account: Account): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, cleanValue(value, account)]))
}

function cleanValue(value: unknown, account: Account): unknown {
  if (typeof value === 'string') return account.local.secrets.inMessage(value)
  return isRecord(value) ? clean(value, account) : value
}
