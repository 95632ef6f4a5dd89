/** Changes of the past as they are printed. */
import type { PastChange } from '../../catalogue/history'
import { parametersOf } from '../../catalogue/operation'
import { SANDBOX } from '../../config/contexts'
import type { Past } from '../../engine/history/lines'
import { readHistory } from '../../engine/history/store'
import { Problem } from '../../errors'
import { safe } from '../../output/safe'
import { isRecord } from '../../rules/records'
import { shellWord } from '../../rules/shell-words'
import { formatTimestamp } from '../../rules/times'
import type { Session } from '../../session'
import { type ChangeKind, holesIn, kindOf, type PuttingBack } from './kinds'

/** A change with what is known of its kind. */
export interface Known {
  past: Past
  kind: ChangeKind | undefined
  /** What fills the holes of its operation. */
  holes: Readonly<Record<string, string | number>>
  id: string | undefined
  label: string | undefined
}

export function knownOf(past: Past): Known {
  const kind = kindOf(past.method, past.path)
  const holes = past.holes ?? (kind ? holesIn(past.path, kind.operation) : {})
  const named = kind && parametersOf(kind.operation.path).at(-1)
  const makes = kind?.made || kind?.operation.creates !== undefined
  const id = makes || named === undefined ? past.told?.id : holes[named]
  const label = past.told?.label ?? past.label
  return { past, kind, holes, id: id === undefined ? undefined : String(id), label }
}

/** The change of a number, and those after it; throws `usage` for what is no number, and `not_found`. */
export async function changeOf(typed: string, session: Session): Promise<{ known: Known; later: readonly Past[] }> {
  if (!/^[1-9]\d{0,14}$/.test(typed)) {
    throw new Problem('usage', `"${typed}" is no number of a change`, { hint: 'See skyctl history list' })
  }
  const all = await readHistory(session)
  const past = all.find(({ number }) => String(number) === typed)
  if (past) return { known: knownOf(past), later: all.slice(all.indexOf(past) + 1) }
  throw new Problem('not_found', `change ${typed} is not in the history`, { hint: 'See skyctl history list' })
}

/** `volume "data" (3001)`, and of what has neither label nor id, its kind or its request. */
export function objectName({ past, kind, id, label }: Known): string {
  if (!kind) return `${past.method} ${safe(past.path)}`
  const parts = [kind.kind, ...(label === undefined ? [] : [`"${safe(label)}"`])]
  if (id === undefined) return parts.join(' ')
  return label === undefined ? `${kind.kind} ${safe(id)}` : `${parts.join(' ')} (${safe(id)})`
}

/** What is added to a command so that it acts on the account of a change. */
export type AccountFlag = (past: Past) => string

/** Contexts that cannot be read do not matter here; one that is called otherwise by now cannot be named. */
export async function accountFlag(session: Session): Promise<AccountFlag> {
  const chosen = (await session.chosen().catch(() => undefined))?.name
  const known = await contextNames(session)
  return ({ context }) => {
    const other = context !== null && context !== chosen && known.has(context)
    return other ? ` --context ${shellWord(context)}` : ''
  }
}

export async function contextNames(session: Session): Promise<ReadonlySet<string>> {
  const config = await session.config().catch(() => undefined)
  return new Set([SANDBOX, ...(config?.contexts.keys() ?? [])])
}

/** Why nothing can be put back, and what can be done instead; undefined where it can. */
export function noWayBack(known: Known): string | undefined {
  const { past, kind } = known
  if (!kind) return 'It is no request that skyctl knows'
  const { back } = kind
  if (typeof back === 'string' && back !== 'rules') return filled(back, known)
  if (typeof back === 'object' && 'device' in back) {
    const isKnown = back.device === 'delete' ? known.id !== undefined : serviceIn(past) !== undefined
    return isKnown ? undefined : filled(back.otherwise, known)
  }
  const kept = back === 'rules' ? past.copy : past.before
  if (kept === undefined && past.command.startsWith('apply:')) return 'Apply the files as they were before'
  if (kept === undefined && back === 'rules' && past.command in passing)
    return filled(passing[past.command] ?? '', known)
  if (kept === undefined) return filled(`What stood before was not kept. See skyctl ${kind.look}`, known)
  const lasting = back === 'rules' ? [] : lastingIn(past, back)
  return lasting.length === 0 ? undefined : lasting.join('; ')
}

const ended = 'What was for a while only is over. See skyctl firewalls rules list {firewallId}'

/** What these do to rules is no change that an undo would bring back. */
const passing: Readonly<Record<string, string>> = {
  'firewalls open': 'It is closed again by: skyctl firewalls close {firewallId}',
  'firewalls close': ended,
  'firewalls sweep': ended,
  'firewalls watch': ended,
}

/** `ip_whitelist_enabled: it cannot be switched on again`: of what was on, and is off by now. */
function lastingIn({ before = {} }: Past, { lasting = {} }: PuttingBack): string[] {
  return Object.entries(lasting).flatMap(([field, why]) => (before[field] === true ? [`${field}: ${why}`] : []))
}

/** The command that undoes a change: for a service that a firewall protects, that which anybody would type. */
export function undoWords({ past, kind, holes, id = '' }: Known): string[] {
  const { back } = kind ?? {}
  if (typeof back !== 'object' || !('device' in back)) return ['history', 'undo', String(past.number)]
  const service = serviceIn(past)
  const what = back.device === 'delete' || !service ? [id] : [`--${service.type}-id`, String(service.id)]
  return ['firewalls', 'devices', back.device, String(holes.firewallId), ...what]
}

/** The service that a firewall was assigned to before. */
export function serviceIn({ before }: Past): { type: 'compute' | 'balancer'; id: number } | undefined {
  const { id, type } = isRecord(before?.entity) ? before.entity : {}
  return typeof id === 'number' && (type === 'compute' || type === 'balancer') ? { type, id } : undefined
}

/** A sentence or a command with the object in it. */
function filled(text: string, { past, id, label, holes }: Known): string {
  const { compute_id: compute } = past.before ?? {}
  const values: Record<string, string> = {
    ...(typeof compute === 'number' && { compute_id: String(compute) }),
    ...Object.fromEntries(Object.entries(holes).map(([name, value]) => [name, String(value)])),
    ...(id !== undefined && { id }),
    ...(label !== undefined && { label }),
  }
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    return value === undefined ? name.toUpperCase() : shellWord(value)
  })
}

export function recordOf(known: Known, flagOf: AccountFlag): PastChange {
  const { past, kind, holes, id, label } = known
  const { told } = past
  const outcome = told?.outcome ?? 'unknown'
  const account = flagOf(past)
  const reason = outcome === 'ok' ? noWayBack(known) : undefined
  const look = `skyctl ${kind ? filled(kind.look, known) : `api GET ${shellWord(past.path)}`}`
  return {
    number: past.number,
    time: formatTimestamp(Date.parse(past.time)),
    context: past.context,
    service: past.service,
    uid: past.user?.uid ?? null,
    username: past.user?.username ?? null,
    command: past.command,
    apply: past.apply ?? null,
    method: past.method,
    path: past.path.replace(/\{(\w+)\}/g, (hole, name: string) => encodeURIComponent(String(holes[name] ?? hole))),
    kind: kind?.kind ?? null,
    id: id ?? null,
    label: label ?? null,
    outcome,
    code: told?.code ?? null,
    status: told?.status ?? null,
    request_ids: [...past.requestIds],
    next: outcome === 'unknown' ? look + account : null,
    undo: outcome === 'ok' && reason === undefined ? `skyctl ${undoWords(known).join(' ')}${account}` : null,
    no_way_back: reason === undefined ? null : /skyctl /.test(reason) ? reason + account : reason,
  }
}
