/** Finds the objects of past changes in the account, and what others have changed since. */

import type { Account } from '../../account/account'
import { byWay } from '../../account/action-functions'
import { mostReads } from '../../account/concurrency'
import { findTarget, parseTarget } from '../../account/find-target'
import { expectWhole, hashState, isSameState, partOf } from '../../account/history/compare-states'
import type { RecordedChange } from '../../account/history/lines'
import { named, type Resource } from '../../account/resource'
import { changeAt } from '../../account/rule-backups'
import { withListFor } from '../../account/with-object-list'
import type { AccountState, Kind } from '../../account-file/kind'
import { isGuarded } from '../../account-file/kinds/firewall/entry'
import { kindsToRead } from '../../account-file/kinds-to-read'
import { readAccountState } from '../../account-file/read-account'
import type { Session } from '../../engine/session'
import { areRestored } from '../../firewall/restore'
import { shapedRules } from '../../firewall/rules'
import { groupBy, isRecord } from '../../rules/records'
import { type ChangeRecord, changedText, isReversed, noUndoReason, objectName } from './describe-change'
import { fileKindOf, type LocatedChange, nameOfObject, recordOfChange } from './state-before-apply'
import { serviceIn } from './undo-hint'
import type { LeftChange, Reread } from './undo-plan'

/**
 * Reads the account, and finds the objects of these changes, in their order, without changes that later ones of `all` have
 * reversed.
 */
export async function locateChanges(
  changes: readonly ChangeRecord[],
  all: readonly RecordedChange[],
  session: Session,
) {
  const [undoable, left]: [{ change: ChangeRecord; kind: Kind }[], LeftChange[]] = [[], []]
  for (const change of changes) {
    if (isReversed(change, all)) continue
    const kind = fileKindOf(change)
    const reason = noUndoReason(change, all)
    if (kind && reason === undefined) undoable.push({ change, kind })
    else left.push({ change, reason: reason ?? `Undo it alone: skyctl history undo ${change.past.number}` })
  }
  const world = await readWorld(new Set(undoable.map(({ kind }) => kind)), session)
  const located: LocatedChange[] = []
  for (const { change, kind } of undoable) {
    const result = await locate(change, kind, { world, session })
    if (typeof result === 'string') left.push({ change, reason: result })
    else located.push(result)
  }
  return { located, world: ofThese(located, world), left }
}

async function readWorld(kinds: ReadonlySet<Kind>, session: Session): Promise<AccountState> {
  const entries = new Map([...kinds].map(({ key }) => [key, new Map()]))
  const progress = await session.ui.progress('Reading the account')
  try {
    const client = await session.account.client({ concurrency: mostReads })
    return await readAccountState(kindsToRead({ settings: { defaults: {} }, entries }, { prune: false }), client)
  } finally {
    progress.done()
  }
}

/** Keeps of volumes and SSH keys only those that were changed: others may have the same label. */
function ofThese(located: readonly LocatedChange[], world: AccountState): AccountState {
  const changed = new Set(located.map(({ record }) => record))
  const isFew = (key: string) => key === 'volumes' || key === 'sshkeys'
  return new Map(
    [...world].map(([key, records]) => [key, isFew(key) ? records.filter((one) => changed.has(one)) : records]),
  )
}

/** Finds the object of a change; returns the reason if it cannot be undone. */
async function locate(
  change: ChangeRecord,
  kind: Kind,
  { world, session }: { world: AccountState; session: Session },
): Promise<LocatedChange | string> {
  const { past } = change
  const record = recordOfChange(change, kind, world)
  if (record === undefined) return `It no longer exists: ${objectName(change)}`
  const located = { change, kind, record }
  const restoring = () => {
    expectWhole(shownRecord(record), past.before ?? {}, objectName(change))
    return located
  }
  if (!change.kind) return restoring()
  return byWay<LocatedChange | string | Promise<LocatedChange | string>>(change.kind.action.undo, {
    restoring,
    device(way) {
      const hadIt = way.device === 'add'
      const device = isGuarded(record) ? record.devices.find(({ id }) => String(id) === change.id) : undefined
      const service = hadIt ? serviceIn(past) : device?.entity
      return { ...located, ...(service && { device: { service, hadIt } }) }
    },
    async rules() {
      const backup = past.copy === undefined ? undefined : await changeAt(past.copy, session.account)
      return backup ? { ...located, backup } : 'The rules before it are no longer kept'
    },
    hand: () => located,
  })
}

/** Returns the record as the API shows it; a firewall is read together with its devices. */
function shownRecord(record: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(record)) return {}
  return isRecord(record.firewall) ? record.firewall : record
}

/** Returns what has changed since these changes, the last one first, as sentences without full stop. */
export function changesSince(all: readonly LocatedChange[]): { located: LocatedChange; reason: string }[] {
  const states = new Map<unknown, Readonly<Record<string, unknown>>>()
  return all.flatMap((located) => {
    const { change, record, backup, device } = located
    const now = states.get(record) ?? shownRecord(record)
    const { before = {}, whole, result, number } = change.past
    if (device) return []
    if (backup) {
      states.set(record, { ...now, rules: backup.before })
      const present = shapedRules(now.rules)
      const isChanged = present && [backup.written, backup.before].every((rules) => !areRestored(rules, present))
      return isChanged ? [{ located, reason: `${nameOfObject(located)} were changed since change ${number}` }] : []
    }
    states.set(record, whole ? before : { ...now, ...before })
    const part = partOf(now, { before, whole })
    if (result?.after === hashState(part, whole) || isSameState(part, before, whole)) return []
    return [{ located, reason: changedText(change.past, nameOfObject(located)) }]
  })
}

/** Returns a function that reads the objects of these changes again, after a question: many of them in one list. */
export function rereading(all: readonly LocatedChange[], account: Account): Reread {
  let withLists = account
  for (const [resource, own] of groupBy(all, ({ change }) => change.kind?.action.resource)) {
    const replacing = own.filter(({ change }) => viewOf(change))
    const targets = resource && replacing.map(({ change }) => targetOf(change, resource))
    if (targets) withLists = withListFor(targets, resource, withLists)
  }
  return async ({ change, kind: { noun } }) => {
    const view = viewOf(change)
    const { resource } = change.kind?.action ?? {}
    if (!view) return undefined
    if (resource) return (await findTarget(targetOf(change, resource), resource, withLists, { record: true })).record
    return named((await account.client()).call(view, { path: change.pathParameters }), change.id ?? '', { noun })
  }
}

const targetOf = ({ id = '' }: ChangeRecord, { noun, reference }: Resource) => parseTarget(id, noun, reference)

/** Returns the operation that reads the values that an undo replaces; undefined if it replaces none. */
function viewOf({ kind }: ChangeRecord) {
  const none = () => undefined
  return kind && byWay(kind.action.undo, { restoring: ({ view }) => view, device: none, rules: none, hand: none })
}
