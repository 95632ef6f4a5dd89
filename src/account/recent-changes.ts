/**
 * Objects that this machine has created or deleted in the last minutes, according to its history. Lists may be late: they
 * may lack a new object, or still have a deleted one. Such an object is read by itself.
 */
import { join } from 'node:path'
import type { Operation } from '../catalogue/operation'
import { readPrivately } from '../files/private'
import { type Account, serviceOf } from './account'
import { atOnce, mostReads } from './concurrency'
import type { RecordedChange } from './history/lines'
import { pathOf as ledgerPath, numbersIn } from './ledger/files'
import { type Id, type Item, pathOf, type Resource, readUnlessGone } from './resource'

/** No list is later than this, in milliseconds. */
const latestListMs = 10 * 60_000

/**
 * Milliseconds after which an object that no list shows was not created. Shorter than that for reads, which cost nothing: this
 * time is waited for, and less than the limit of waits, so that a repeated job ends.
 */
export const unseenMs = 2 * 60_000

/** Reports whether the history has a change of the last minutes. */
export function hasRecentChanges(account: Account): boolean {
  const since = account.clock.now() - latestListMs
  const [, last = ''] = /.*"time":"([^"]*)"/s.exec(readSince(since, account)) ?? []
  return Date.parse(last) >= since
}

/** Corrects the objects that a list has: all of a kind, or those with a label. */
export async function withRecentChanges(
  items: readonly Item[],
  label: string | undefined,
  resource: Resource,
  account: Account,
): Promise<Item[]> {
  const listedIds = new Set(items.map(({ id }) => String(id)))
  const names = [label, ...items.map(({ id }) => pathOf(resource, id))].map((name) => JSON.stringify(name))
  const texts = label === undefined ? [`"path":"${resource.list.path}`] : names
  const doubtful = new Map<string, Id>()
  for (const change of await recentChanges(texts, account)) {
    const { id } = change.result ?? {}
    const deleted = deletedBy(change, resource)
    if (deleted !== undefined && listedIds.has(String(deleted))) doubtful.set(String(deleted), deleted)
    else if (deleted !== undefined && isDone(change)) doubtful.delete(String(deleted))
    else if (isCreation(change, label, resource) && id !== undefined && !listedIds.has(String(id)))
      doubtful.set(String(id), id)
  }
  const read = await atOnce(doubtful.values(), (id) => readUnlessGone(id, undefined, resource, account), mostReads)
  const isWanted = (item: Item | null | undefined): item is Item =>
    !!item && (label === undefined || item.label === label)
  return [...items.filter(({ id }) => !doubtful.has(String(id))), ...read.filter(isWanted)]
}

/**
 * Returns the request that may have created an object with a label, as its outcome is unknown; undefined if there is none,
 * or if a later change shows what became of the object.
 */
export async function unknownCreation(
  label: string,
  { path }: Operation,
  account: Account,
): Promise<RecordedChange | undefined> {
  const changes = await recentChanges([JSON.stringify(label)], account)
  const since = account.clock.now() - unseenMs
  const isPossible = (change: RecordedChange) =>
    change.path === path && Date.parse(change.time) > since && (change.result?.outcome ?? 'unknown') === 'unknown'
  const last = changes.findLast((change) => labelOf(change) === label && (isDone(change) || isPossible(change)))
  if (!last || isDone(last)) return undefined
  const { isOtherUser, knownUser } = await import('./identity')
  return isOtherUser(last.user, await knownUser(account)) ? undefined : last
}

/** Returns the changes of the last minutes whose lines have one of these texts; none without a history. */
async function recentChanges(texts: readonly string[], account: Account): Promise<readonly RecordedChange[]> {
  const now = account.clock.now()
  const lines = linesWith(texts, readSince(now - latestListMs, account))
  // Mostly it has none, so nothing is parsed.
  if (lines.length === 0) return []
  const { readHistoryLines } = await import('./history/lines')
  const changes = new Map<string, RecordedChange>()
  await readHistoryLines(lines.join('\n'), 1, changes)
  const service = await serviceOf(account)
  return [...changes.values()].filter(
    (change) => change.service === service && Math.abs(now - Date.parse(change.time)) <= latestListMs,
  )
}

/** Returns all lines of the requests that have one of these texts. */
function linesWith(texts: readonly string[], history: string): string[] {
  if (!texts.some((text) => history.includes(text))) return []
  const lines = history.split('\n')
  const own = lines.filter((line) => texts.some((text) => line.includes(text)))
  const entries = own.flatMap((line) => /"entry":"[^"]*"/.exec(line) ?? [])
  return lines.filter((line) => entries.some((entry) => line.includes(entry)))
}

/** Reads the history since a time, and some of what is older. Other lines may have come since the last call. */
function readSince(time: number, account: Account): string {
  let text = ''
  try {
    const folder = join(account.local.paths.state, 'history')
    for (const number of numbersIn(folder).sort((a, b) => b - a)) {
      const older = readPrivately(ledgerPath(folder, number), () => {}) ?? ''
      text = older + text
      const [, begun = ''] = /"time":"([^"]*)"/.exec(older) ?? []
      if (Date.parse(begun) < time) break
    }
  } catch {
    // There is no history, or no home for one.
  }
  return text
}

const isDone = ({ result }: RecordedChange) => result?.outcome === 'ok'

const labelOf = ({ label, result }: RecordedChange) => result?.label ?? label

/** Reports whether a change has created an object of a kind: with a label, if one is wanted, or has given it that label. */
function isCreation(change: RecordedChange, wanted: string | undefined, { list, view }: Resource): boolean {
  const { method, path } = change
  if (method === 'DELETE' || !isDone(change)) return false
  if (wanted !== undefined) return path.startsWith(list.path) && labelOf(change) === wanted
  return method === 'POST' && [list.path, `${view.path}/clone`].includes(path)
}

/** Returns the id of the object of a kind that a change may have deleted. */
const deletedBy = ({ method, path, path_parameters: parameters }: RecordedChange, { parameter, view }: Resource) =>
  method === 'DELETE' && path === view.path ? parameters?.[parameter] : undefined
