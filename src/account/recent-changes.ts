/**
 * Objects that this machine has created or deleted in the last minutes, according to its history. Lists may be late: they
 * may lack a new object, or still have a deleted one. Such an object is read by itself.
 */
import { filledPath, type Operation } from '../catalogue/operation'
import { readPrivately } from '../files/private'
import { type Account, serviceOf } from './account'
import type { RecordedChange } from './history/lines'
import { pathOf as ledgerPath, numbersIn, openLedgerFolder } from './ledger/files'
import { type Id, type Item, pathOf, type Resource, readUnlessGone } from './resource'

/** No list is later than this, in milliseconds. */
export const latestListMs = 10 * 60_000

/** Corrects the objects that a list has with a label. */
export async function withRecentChanges(
  items: readonly Item[],
  label: string,
  resource: Resource,
  account: Account,
): Promise<Item[]> {
  const paths = items.flatMap(({ id }) => (isId(id) ? [pathOf(resource, id)] : []))
  const changes = await recentChanges([label, ...paths], account)
  const isCertain = ({ id }: Item) => !changes.some((change) => isDeletion(change, id, resource))
  const certain = items.filter(isCertain)
  const created = changes.filter((change) => isCreation(change, label, resource)).map(({ result }) => result?.id)
  const ids = new Set([...items.map(({ id }) => id), ...created].filter(isId))
  for (const { id } of certain) ids.delete(id)
  const read = await Promise.all([...ids].map((id) => readUnlessGone(id, undefined, resource, account)))
  return [...certain, ...read.filter((item): item is Item => item?.label === label)]
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
  const changes = await recentChanges([label], account)
  const isPossible = (change: RecordedChange) =>
    change.path === path && (change.result === undefined || change.result.outcome === 'unknown')
  const last = changes.findLast((change) => labelOf(change) === label && (isDone(change) || isPossible(change)))
  if (!last || isDone(last)) return undefined
  const { isOtherUser, knownUser } = await import('./identity')
  return isOtherUser(last.user, await knownUser(account)) ? undefined : last
}

/** Returns the changes of the last minutes that have one of these names; none without a history. */
async function recentChanges(names: readonly unknown[], account: Account): Promise<readonly RecordedChange[]> {
  if (!(await account.history())) return []
  const now = account.clock.now()
  const text = await readSince(now - latestListMs, account).catch(() => '')
  const lines = linesWith(
    names.map((name) => JSON.stringify(name)),
    text,
  )
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
async function readSince(time: number, account: Account): Promise<string> {
  const folder = await openLedgerFolder(account)
  let text = ''
  for (const number of numbersIn(folder).sort((a, b) => b - a)) {
    const older = readPrivately(ledgerPath(folder, number), () => {}) ?? ''
    text = older + text
    const [, begun = ''] = /"time":"([^"]*)"/.exec(older) ?? []
    if (Date.parse(begun) < time) break
  }
  return text
}

const isDone = ({ result }: RecordedChange) => result?.outcome === 'ok'

const labelOf = ({ label, result }: RecordedChange) => result?.label ?? label

/** Reports whether a change has created an object of a kind with a label, or has given it that label. */
const isCreation = (change: RecordedChange, wanted: string, { list }: Resource) =>
  change.method !== 'DELETE' && isDone(change) && change.path.startsWith(list.path) && labelOf(change) === wanted

function isDeletion({ method, path, path_parameters: parameters }: RecordedChange, id: unknown, resource: Resource) {
  const { path: place } = resource.delete ?? {}
  if (method !== 'DELETE' || path !== place || !parameters || !isId(id)) return false
  return filledPath(path, parameters) === filledPath(path, pathOf(resource, id))
}

const isId = (id: unknown): id is Id => typeof id === 'number' || typeof id === 'string'
