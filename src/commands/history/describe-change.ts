/** Formats changes of the history as records. */

import { byWay } from '../../account/action-functions'
import type { RecordedChange } from '../../account/history/lines'
import { readHistory } from '../../account/ledger/reader'
import type { PastChange } from '../../catalogue/history'
import { parametersOf } from '../../catalogue/operation'
import { volumes } from '../../catalogue/volumes'
import { SANDBOX } from '../../config/contexts'
import type { Argument } from '../../engine/command'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import { escapeText } from '../../rules/escape'
import { groupBy, isRecord } from '../../rules/records'
import { rememberLast } from '../../rules/remember-last'
import { shellWord } from '../../rules/texts'
import { formatTimestamp } from '../../rules/times'
import { type ChangeKind, kindOf, pathParametersIn } from './kinds'
import { canUndo, lastingIn, serviceIn } from './undo-hint'

export interface ChangeRecord {
  past: RecordedChange
  kind: ChangeKind | undefined
  pathParameters: Readonly<Record<string, string | number>>
  id: string | undefined
  label: string | undefined
}

export function changeRecordOf(past: RecordedChange): ChangeRecord {
  const kind = kindOf(past.method, past.path)
  const pathParameters = past.path_parameters ?? (kind ? pathParametersIn(past.path, kind.action.operation) : {})
  const named = kind && parametersOf(kind.action.operation.path).at(-1)
  const id = kind?.isCreation || named === undefined ? past.result?.id : pathParameters[named]
  const label = past.result?.label ?? past.label
  return { past, kind, pathParameters, id: id === undefined ? undefined : String(id), label }
}

export const numberArgument: Argument = {
  name: 'number',
  description: 'Number of the change, as history list shows it',
}

/** Returns a change and those after it; throws `usage` for an invalid number, and `not_found`. */
export async function changeOf(
  argument: string,
  session: Session,
): Promise<{ change: ChangeRecord; later: readonly RecordedChange[]; all: readonly RecordedChange[] }> {
  if (!/^[1-9]\d{0,14}$/.test(argument)) {
    const isLast = /^(last|latest|previous)$/i.test(argument)
    const hint = `See skyctl history list${isLast ? '. To undo the last change: skyctl history undo' : ''}`
    throw new Problem('usage', `"${argument}" is not a change number`, { hint })
  }
  const all = await readHistory(session.account)
  const past = all.find(({ number }) => String(number) === argument)
  if (past) return { change: changeRecordOf(past), later: all.slice(all.indexOf(past) + 1), all }
  throw new Problem('not_found', `change ${argument} is not in the history`, { hint: 'See skyctl history list' })
}

/** Returns `volume "data" (3001)`; without label and id, the kind or the request. */
export function objectName({ past, kind, id, label }: ChangeRecord, { isShort = false } = {}): string {
  if (!kind) return `${past.method} ${escapeText(past.path)}`
  // Its command says the kind.
  if (isShort && (label ?? id) !== undefined)
    return label === undefined ? escapeText(`${id}`) : `"${escapeText(label)}"`
  const parts = [kind.kind, ...(label === undefined ? [] : [`"${escapeText(label)}"`])]
  if (id === undefined) return parts.join(' ')
  return label === undefined ? `${kind.kind} ${escapeText(id)}` : `${parts.join(' ')} (${escapeText(id)})`
}

/** Returns the flag with which a command acts on the account of a change. */
export type AccountFlag = (past: RecordedChange) => string

/**
 * Returns the function that names the account of a change. An unreadable config does not matter here, and renamed
 * contexts have no flag.
 */
export async function accountFlag(session: Session): Promise<AccountFlag> {
  const chosen = (await session.account.access.context().catch(() => undefined))?.name
  const names = await contextNames(session)
  return ({ context }) => {
    const other = context !== null && context !== chosen && names.has(context)
    return other ? ` --context ${shellWord(context)}` : ''
  }
}

export async function contextNames(session: Session): Promise<ReadonlySet<string>> {
  const config = await session.config.read().catch(() => undefined)
  return new Set([SANDBOX, ...(config?.contexts.keys() ?? [])])
}

/** Says that an object has neither the state before a change nor the one after it. */
export const changedText = ({ number, result }: RecordedChange, name: string) =>
  result?.after
    ? `${name} was changed since change ${number}`
    : `the outcome of change ${number} is unknown, and ${name} differs from the state before it`

/**
 * Returns the reason why a change has no undo, and the alternative; undefined if it has one. `all` has the changes that
 * may have ended its effect since.
 */
export function noUndoReason(change: ChangeRecord, all: readonly RecordedChange[] = []): string | undefined {
  const { past, kind } = change
  if (!kind) return 'skyctl does not know this request'
  const { undo } = kind.action
  if (canUndo(past, undo)) return undefined
  const notKept = () =>
    past.command.startsWith('apply:')
      ? 'Apply the previous version of the files'
      : filled(`The previous state was not kept. See skyctl ${kind.look}`, change)
  const passed = passing[past.command]
  return byWay(undo, {
    restoring: (way) => (past.before === undefined ? notKept() : lastingIn(past, way).join('; ')),
    device: (way) => filled(way.otherwise, change),
    rules: () => (passed === undefined ? notKept() : filled(passed, change)),
    hand: (way) => endOf(change, all)?.text ?? reassigning(past) ?? filled(way.advice, change),
  })
}

/** Reports whether nothing of a change is left to reverse: a later one has deleted what it created, or detached it. */
export const isReversed = (change: ChangeRecord, all: readonly RecordedChange[]): boolean =>
  endOf(change, all)?.isReversal === true

/** Returns the later change that has ended the effect of a change; undefined if the history has none. */
function endOf(
  change: ChangeRecord,
  all: readonly RecordedChange[],
): { text: string; isReversal: boolean } | undefined {
  const { past, kind } = change
  const later = endingsOf(all)
    .get(keyOf(change))
    ?.filter(({ number }) => number > past.number)
  const deletion = later?.find(({ method }) => method === 'DELETE')
  if (deletion) return { text: `It was deleted by change ${deletion.number}`, isReversal: kind?.isCreation === true }
  const detachment = kind?.action.operation === volumes.attach ? later?.at(0) : undefined
  return detachment && { text: `It was detached by change ${detachment.number}`, isReversal: true }
}

/** Returns the completed deletions and detachments, by the object. */
const endingsOf = rememberLast(
  (all: readonly RecordedChange[]) => all,
  (all) => {
    const completed = all.filter(({ method, path, result }) => {
      return result?.outcome === 'ok' && (method === 'DELETE' || /\/detach\/?$/.test(path))
    })
    return groupBy(completed, (past) => keyOf(changeRecordOf(past)))
  },
)

const keyOf = ({ past: { service }, kind, id }: ChangeRecord) => `${service} ${kind?.kind} ${id}`

/** Returns the command that assigns addresses as before; undefined if the history lacks that. */
function reassigning({ before }: RecordedChange): string | undefined {
  const { assignments } = before ?? {}
  const previous = Array.isArray(assignments) ? assignments.filter(isRecord) : []
  const words = previous.flatMap(({ address, compute_id: id }) => (typeof id === 'number' ? [`${address}=${id}`] : []))
  return words.length === 0 ? undefined : `To reverse it: skyctl ips assign ${words.map(shellWord).join(' ')}`
}

const ended = 'It was temporary, and is over. See skyctl firewalls rules list {firewallId}'

/** The hidden command of the watcher, whose changes nobody typed. */
const watching = 'firewalls watch'

/** Commands that change rules temporarily: an undo must not restore such rules. */
const passing: Readonly<Record<string, string>> = {
  'firewalls open': 'To close it: skyctl firewalls close {firewallId}',
  'firewalls close': ended,
  'firewalls sweep': ended,
  [watching]: ended,
}

/** Returns the command that undoes a change; for an assigned service it is the plain devices command. */
export function undoWords({ past, kind, pathParameters, id = '' }: ChangeRecord): string[] {
  const usual = () => ['history', 'undo', String(past.number)]
  if (!kind) return usual()
  return byWay(kind.action.undo, {
    restoring: usual,
    device({ device }) {
      const service = serviceIn(past)
      const what = device === 'delete' || !service ? [id] : [`--${service.type}-id`, String(service.id)]
      return ['firewalls', 'devices', device, String(pathParameters.firewallId), ...what]
    },
    rules: usual,
    hand: usual,
  })
}

/** Fills in a text or a command with the object. */
function filled(text: string, { past, id, label, pathParameters }: ChangeRecord): string {
  const { compute_id: compute } = past.before ?? {}
  const values: Record<string, string> = {
    ...(typeof compute === 'number' && { compute_id: String(compute) }),
    ...Object.fromEntries(Object.entries(pathParameters).map(([name, value]) => [name, String(value)])),
    ...(id !== undefined && { id }),
    ...(label !== undefined && { label }),
  }
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    return value === undefined ? name.toUpperCase() : shellWord(value)
  })
}

/** Returns the record of a change; `all` has the changes that it may undo. */
export function recordOf(change: ChangeRecord, flagOf: AccountFlag, all: readonly RecordedChange[]): PastChange {
  const { past, kind, pathParameters, id, label } = change
  const { result } = past
  const outcome = result?.outcome ?? 'unknown'
  const account = flagOf(past)
  const reason = outcome === 'ok' ? noUndoReason(change, all) : undefined
  const look = `skyctl ${kind ? filled(kind.look, change) : `api GET ${shellWord(past.path)}`}`
  return {
    number: past.number,
    time: formatTimestamp(Date.parse(past.time)),
    context: past.context,
    service: past.service,
    uid: past.user?.uid ?? null,
    username: past.user?.username ?? null,
    command: past.command === watching ? 'automatic rollback' : past.command,
    apply: past.apply ?? null,
    undoes: undoneBy(past, all) ?? null,
    method: past.method,
    path: past.path.replace(/\{(\w+)\}/g, (whole, name: string) =>
      encodeURIComponent(String(pathParameters[name] ?? whole)),
    ),
    kind: kind?.kind ?? null,
    id: id ?? null,
    label: label ?? null,
    outcome,
    code: result?.code ?? null,
    status: result?.status ?? null,
    request_ids: [...past.requestIds],
    next: outcome === 'unknown' ? look + account : null,
    undo: outcome === 'ok' && reason === undefined ? `skyctl ${undoWords(change).join(' ')}${account}` : null,
    no_undo: reason === undefined ? null : /skyctl /.test(reason) ? reason + account : reason,
  }
}

/** Returns the number of the change that this one undid, or the id of the apply. */
function undoneBy({ undoes }: RecordedChange, all: readonly RecordedChange[]): string | undefined {
  const match = undoes === undefined ? undefined : all.find(({ entry }) => entry === undoes)
  return match ? String(match.number) : undoes
}
