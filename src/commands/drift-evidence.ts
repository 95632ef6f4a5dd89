/** Reads the changes that events and the history have of an account: `./drift-origins` explains differences by them. */
import { hashOfPart, partOf } from '../account/history/snapshot'
import { readHistory } from '../account/history/store'
import { isOtherUser } from '../account/identity'
import { type AccountEvent, events } from '../catalogue/events'
import { firewallRules } from '../catalogue/firewall-rules'
import { firewallDevices } from '../catalogue/firewalls'
import { isMissing } from '../catalogue/normalize'
import { pageSizes } from '../catalogue/paging'
import { volumes } from '../catalogue/volumes'
import { Problem } from '../errors'
import { isRecord } from '../rules/records'
import { parseTimestamp } from '../rules/times'
import type { Session } from '../session'
import type { DriftedObject } from '../state/drift'
import { type ChangeRecord, changeRecordOf } from './history/records'

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
  /** Reports whether the account still has the value that the change has set. */
  holds(object: DriftedObject): boolean
}

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
      holds: ({ record }) => state === undefined || state === shownRecord(record).status,
    },
  ]
}

const kindsByNoun: Readonly<Record<string, string>> = {
  volume: 'volumes',
  firewall: 'firewalls',
  device: 'firewalls',
  address: 'rdns',
  profile: 'profile',
  'SSH key': 'sshkeys',
}

/** Reads the changes that skyctl has made from this machine in this account. */
async function historyTraces({ account }: Session): Promise<Trace[]> {
  const all = await readHistory(account)
  if (all.length === 0) return []
  const now = await account.identity()
  if (!now.user) throw now.problem
  const own = all.filter(({ service, user }) => service === now.service && user && !isOtherUser(user, now.user))
  return own.filter(({ result }) => result?.outcome === 'ok').flatMap((past) => historyTrace(changeRecordOf(past)))
}

/** Most by which the clocks of this machine and of the service may differ, in milliseconds. */
export const tolerance = 2_000

/** Reports whether a time of the service is that of a change. */
export const isTimeOf = ({ time, end = time }: Pick<Trace, 'time' | 'end'>, moment = Number.NaN): boolean =>
  moment >= time - tolerance && moment <= end + tolerance

function historyTrace(change: ChangeRecord): Trace[] {
  const { past, holes, label } = change
  const kind = kindsByNoun[change.kind?.kind ?? '']
  const fields = fieldsOfChange(change)
  if (kind === undefined || fields.length === 0) return []
  const { before, whole, result } = past
  const time = Date.parse(past.time)
  const end = Date.parse(result?.ended ?? past.time)
  return [
    {
      kind,
      id: change.kind?.kind === 'device' ? String(holes.firewallId) : change.id,
      label,
      fields,
      time,
      end,
      before,
      by: past.user?.username || null,
      source: `change ${past.number} of the history: ${past.command}`,
      holds({ record }) {
        const shown = shownRecord(record)
        if (result?.after && before) return hashOfPart(partOf(shown, { before, whole }), whole) === result.after
        // If the last update is this change, nobody has changed the object since.
        return isTimeOf({ time, end }, timeIn(shown, 'updated'))
      },
    },
  ]
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
