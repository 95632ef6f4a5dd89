/**
 * Objects that this machine has created or deleted in the last minutes, according to its history. Lists may be late: they
 * may lack a new object, or still have a deleted one. Such an object is read by itself.
 */
import { filledPath } from '../catalogue/operation'
import { readPrivately } from '../files/private'
import { type Account, serviceOf } from './account'
import type { RecordedChange } from './history/lines'
import { pathOf as ledgerPath, numbersIn, openLedgerFolder } from './ledger/files'
import { type Id, type Item, pathOf, type Resource, readUnlessGone } from './resource'

/** No list is later than this, in milliseconds. */
const latest = 10 * 60_000

/** The history as text, which each run reads once. */
const texts = new WeakMap<Account['local'], Promise<string>>()

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

/** Returns the changes of the last minutes; none if the history has none of these names. */
async function recentChanges(names: readonly unknown[], account: Account): Promise<readonly RecordedChange[]> {
  if (!(await account.history())) return []
  const reading = texts.get(account.local) ?? readText(account).catch(() => '')
  texts.set(account.local, reading)
  const text = await reading
  const written = names.map((name) => JSON.stringify(name))
  // Mostly it has none, so it is not parsed.
  if (!written.some((name) => text.includes(name))) return []
  const { readHistory } = await import('./ledger/reader')
  const [all, service] = await Promise.all([readHistory(account).catch(() => []), serviceOf(account)])
  const since = account.clock.now() - latest
  return all.filter((change) => change.service === service && Date.parse(change.time) >= since)
}

async function readText(account: Account): Promise<string> {
  const folder = await openLedgerFolder(account)
  const files = numbersIn(folder).map((number) => readPrivately(ledgerPath(folder, number), () => {}) ?? '')
  return files.join('')
}

/** Reports whether a change has created an object of a kind with a label, or has given it that label. */
const isCreation = ({ method, path, label, result }: RecordedChange, wanted: string, { list }: Resource) =>
  method !== 'DELETE' && result?.outcome === 'ok' && path.startsWith(list.path) && (result.label ?? label) === wanted

function isDeletion({ method, path, path_parameters: parameters }: RecordedChange, id: unknown, resource: Resource) {
  const { path: place } = resource.delete ?? {}
  if (method !== 'DELETE' || path !== place || !parameters || !isId(id)) return false
  return filledPath(path, parameters) === filledPath(path, pathOf(resource, id))
}

const isId = (id: unknown): id is Id => typeof id === 'number' || typeof id === 'string'
