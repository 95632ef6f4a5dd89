/** Reads the changes that events and the history have of an account: `./drift-origins` explains differences by them. */
import type { Account } from '../../account/account'
import { hashOfPart, partOf } from '../../account/history/snapshot'
import { readHistory } from '../../account/history/store'
import { isOtherUser } from '../../account/identity'
import { changeAt } from '../../account/rule-backups'
import type { DriftedObject } from '../../account-file/drift'
import { type AccountEvent, events } from '../../catalogue/events'
import { type FirewallRules, firewallRules } from '../../catalogue/firewall-rules'
import { firewallDevices } from '../../catalogue/firewalls'
import { isMissing } from '../../catalogue/normalize'
import { pageSizes } from '../../catalogue/paging'
import { volumes } from '../../catalogue/volumes'
import type { Session } from '../../engine/session'
import { Problem, passOver } from '../../errors'
import { areCurrent } from '../../firewall/diff'
import { shapedRules } from '../../firewall/rules'
import { isRecord } from '../../rules/records'
import { parseTimestamp } from '../../rules/times'
import { fileKinds } from '../history/kinds'
import { type ChangeRecord, changeRecordOf } from '../history/records'

/** Evidence that was read; a text is the reason why it was not. */
export interface Evidence {
  traces: readonly Trace[]
  events: string | null
  history: string | null
}

/** One change of an object. */
export interface Trace {
  kind: string
  id: string | undefined
  label: string | undefined
  /** Changed fields, or `created` and `deleted`. */
  fields: readonly string[]
  time: number
  /** End of a change of the history, after which others may be unknown; undefined for events, which are complete. */
  end?: number
  /** Previous values, if the history has them. */
  before?: Readonly<Record<string, unknown>> | undefined
  by: string | null
  source: string
  /** Returns how the account shows that it still has the value of the change; undefined if it does not. */
  shownBy(object: DriftedObject): Showing | undefined
}

/** `value`: it has that value. `time`: nothing shows that anybody has changed it since, but the value is not known. */
export type Showing = 'value' | 'time'

/** Reads what may be read. The report is complete without it, so that failures are reasons only. */
export async function readEvidence(session: Session): Promise<Evidence> {
  const reasons: Pick<Evidence, 'events' | 'history'> = { events: null, history: null }
  const attempt = async (name: keyof typeof reasons, read: () => Promise<Trace[]>) => {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof Problem) || session.account.signal.aborted) throw error
      reasons[name] = error.message
      return []
    }
  }
  const traces = [
    ...(await attempt('events', () => eventTraces(session))),
    ...(await attempt('history', () => historyTraces(session))),
  ]
  return { traces: traces.toSorted((one, other) => other.time - one.time), ...reasons }
}

/** Fields by the events of api.md: the service reports all of these changes. */
const fieldsByEvent: Readonly<Record<string, string>> = {
  firewall_create: 'created',
  firewall_delete: 'deleted',
  firewall_enable: 'status',
  firewall_disable: 'status',
  firewall_device_add: 'devices',
  firewall_device_remove: 'devices',
}

/** Reads the newest events: one page of them. */
async function eventTraces({ account }: Session): Promise<Trace[]> {
  const client = await account.client({ brief: true })
  for await (const page of client.pages(events.list, { ...newest, essential: ['action', 'created'] }))
    return page.flatMap(eventTrace)
  return []
}

const newest = { page: 1, pageSize: pageSizes.largest }

function eventTrace({ action, created, entity, username, status }: AccountEvent): Trace[] {
  const field = fieldsByEvent[action]
  const time = parseTimestamp(created)
  if (field === undefined || entity === null || status === 'failed' || Number.isNaN(time)) return []
  const state = { firewall_enable: 'enabled', firewall_disable: 'disabled' }[action]
  return [
    {
      kind: 'firewalls',
      id: String(entity.id),
      label: entity.label,
      fields: [field],
      time,
      by: username,
      source: `event ${action}`,
      shownBy: ({ record }) => (state === undefined || state === shownRecord(record).status ? 'value' : undefined),
    },
  ]
}

/** Reads the changes that skyctl has made from this machine in this account. */
async function historyTraces({ account }: Session): Promise<Trace[]> {
  const all = await readHistory(account)
  if (all.length === 0) return []
  const now = await account.identity()
  if (!now.user) throw now.problem
  const own = all.filter(({ service, user }) => service === now.service && user && !isOtherUser(user, now.user))
  const done = own.filter(({ result }) => result?.outcome === 'ok').map(changeRecordOf)
  return (await Promise.all(done.map((change) => historyTrace(change, account)))).flat()
}

/** Most by which the clocks of this machine and of the service may differ, in milliseconds. */
export const tolerance = 2_000

/** Reports whether a time of the service is that of a change. */
export const isTimeOf = ({ time, end = time }: Pick<Trace, 'time' | 'end'>, moment = Number.NaN): boolean =>
  moment >= time - tolerance && moment <= end + tolerance

async function historyTrace(change: ChangeRecord, account: Account): Promise<Trace[]> {
  const { past, holes, label } = change
  const kind = fileKinds[change.kind?.kind ?? '']
  const trace = {
    ...{ label, before: past.before, by: past.user?.username || null },
    ...{ time: Date.parse(past.time), end: Date.parse(past.result?.ended ?? past.time) },
    source: `change ${past.number} of the history: ${past.command}`,
  }
  if (kind === 'ips') return addressTraces(change, trace)
  const fields = fieldsOfChange(change)
  if (kind === undefined || fields.length === 0) return []
  const written = await writtenRules(change, account)
  const id = change.kind?.kind === 'device' ? String(holes.firewallId) : change.id
  return [{ ...trace, kind, id, fields, shownBy: ({ record }) => showingOf({ ...trace, past, written }, record) }]
}

type Recorded = Pick<Trace, 'time' | 'end'> & Pick<ChangeRecord, 'past'> & { written: FirewallRules | undefined }

/** Compares the value of a change, if the history has it. */
function showingOf({ past, written, ...times }: Recorded, record: unknown): Showing | undefined {
  const { before, whole, result } = past
  const shown = shownRecord(record)
  const ifSame = (isSame: boolean) => (isSame ? ('value' as const) : undefined)
  if (result?.after && before) return ifSame(hashOfPart(partOf(shown, { before, whole }), whole) === result.after)
  const present = written && shapedRules(shown.rules)
  if (present) return ifSame(areCurrent(written, present))
  return isTimeOf(times, timeIn(shown, 'updated')) ? 'time' : undefined
}

/** Returns the rules that a change has written, if their backup exists. */
async function writtenRules({ past, holes }: ChangeRecord, account: Account): Promise<FirewallRules | undefined> {
  if (past.copy === undefined) return undefined
  const backup = await changeAt(Number(holes.firewallId), past.copy, account).catch(passOver)
  return backup?.written
}

/** Returns a trace for each assigned address: the history has its previous instance, and addresses have no times. */
function addressTraces(
  { past: { before } }: ChangeRecord,
  trace: Pick<Trace, 'label' | 'before' | 'by' | 'time' | 'end' | 'source'>,
): Trace[] {
  const assignments = Array.isArray(before?.assignments) ? before.assignments.filter(isRecord) : []
  return assignments.map(({ address, compute_id: from }) => ({
    ...{ ...trace, kind: 'ips', id: String(address), fields: ['compute_id'] },
    shownBy: ({ record }) => (shownRecord(record).compute_id === from ? undefined : 'time'),
  }))
}

function fieldsOfChange({ past, kind }: ChangeRecord): readonly string[] {
  const operation = kind?.action.operation
  if (operation === volumes.resize) return ['size']
  if (operation === volumes.attach || operation === volumes.detach) return ['compute_id']
  if (operation === firewallRules.update) return ['rules']
  if (operation === firewallDevices.create || operation === firewallDevices.delete) return ['devices']
  if (operation?.creates !== undefined) return ['created']
  return operation?.method === 'DELETE' ? ['deleted'] : Object.keys(past.before ?? {})
}

/** Returns the record as the API shows it; a firewall is read together with its devices. */
export function shownRecord(record: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(record)) return {}
  return isRecord(record.firewall) ? record.firewall : record
}

export function timeIn(record: Readonly<Record<string, unknown>>, field: string): number | undefined {
  const value = record[field]
  const time = isMissing(record, field) || typeof value !== 'string' ? Number.NaN : parseTimestamp(value)
  return Number.isNaN(time) ? undefined : time
}
