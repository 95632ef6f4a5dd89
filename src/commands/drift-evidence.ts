/** Finds out since when the account differs from its files, and who changed it: from events and from the history. */
import { hashOfPart, partOf } from '../account/history/snapshot'
import { readHistory } from '../account/history/store'
import { isOtherUser } from '../account/identity'
import { type AccountEvent, events } from '../catalogue/events'
import { firewallRules } from '../catalogue/firewall-rules'
import { firewallDevices } from '../catalogue/firewalls'
import { isMissing } from '../catalogue/normalize'
import { volumes } from '../catalogue/volumes'
import { Problem } from '../errors'
import { isRecord } from '../rules/records'
import { formatTimestamp, parseTimestamp } from '../rules/times'
import type { Session } from '../session'
import type { DriftedObject, FieldDrift } from '../state/drift'
import { type ChangeRecord, knownOf } from './history/records'

/** Since when the account has a value. */
export interface Since {
  time: string
  /** `at_latest`: the value is at least as old as that. */
  precision: 'exact' | 'at_latest'
  /** Evidence for the time: `event firewall_disable`. */
  source: string
}

export interface Origin {
  /** Null if it is unknown. */
  since: Since | null
  /** Login name of the user; null if it is unknown. */
  by: string | null
}

/** Evidence that was read; a text is the reason why it was not. */
export interface Evidence {
  traces: readonly Trace[]
  events: string | null
  history: string | null
}

/** One change of an object. */
interface Trace {
  kind: string
  id: string | undefined
  label: string | undefined
  /** Changed fields, or `created` and `deleted`. */
  fields: readonly string[]
  time: number
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
  const found = [
    ...(await attempt('events', () => eventTraces(session))),
    ...(await attempt('history', () => historyTraces(session))),
  ]
  return { traces: found.toSorted((one, other) => other.time - one.time), ...reasons }
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

const newest = { page: 1, pageSize: 500 }

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
  return own.filter(({ told }) => told?.outcome === 'ok').flatMap((past) => historyTrace(knownOf(past)))
}

/** Most by which the clocks of this machine and of the service may differ, in milliseconds. */
const tolerance = 2_000

function historyTrace(change: ChangeRecord): Trace[] {
  const { past, holes, label } = change
  const kind = kindsByNoun[change.kind?.kind ?? '']
  const fields = fieldsOfChange(change)
  if (kind === undefined || fields.length === 0) return []
  const time = Date.parse(past.time)
  const { before, whole, told } = past
  return [
    {
      kind,
      id: change.kind?.kind === 'device' ? String(holes.firewallId) : change.id,
      label,
      fields,
      time,
      by: past.user?.username || null,
      source: `change ${past.number} of the history: ${past.command}`,
      holds({ record }) {
        const shown = shownRecord(record)
        if (told?.after && before) return hashOfPart(partOf(shown, { before, whole }), whole) === told.after
        const updated = timeIn(shown, 'updated')
        // If the last update is this change, nobody has changed the object since.
        const end = Date.parse(told?.ended ?? past.time)
        return updated !== undefined && updated >= time - tolerance && updated <= end + tolerance
      },
    },
  ]
}

function fieldsOfChange({ past, kind }: ChangeRecord): readonly string[] {
  const operation = kind?.operation
  if (operation === volumes.resize) return ['size']
  if (operation === volumes.attach || operation === volumes.detach) return ['compute_id']
  if (operation === firewallRules.update) return ['rules']
  if (operation === firewallDevices.create || operation === firewallDevices.delete) return ['devices']
  if (operation?.creates !== undefined) return ['created']
  return operation?.method === 'DELETE' ? ['deleted'] : Object.keys(past.before ?? {})
}

/** Returns since when the account has the value of a field, and who has set it; only what the evidence shows. */
export function originOf(object: DriftedObject, { field }: FieldDrift, { traces }: Evidence): Origin {
  if (object.state === 'missing') return deletionOf(object, traces)
  const own = traces.filter(
    ({ kind, id }) => kind === object.kind && (id === undefined || id === String(object.id ?? id)),
  )
  // The service cannot change a key: it has been the same since it was added.
  if (object.state === 'extra' || field === 'ssh_key') return creationOf(object, own)
  const [newest] = own.filter(({ fields }) => field !== null && fields.includes(field))
  if (newest?.holds(object)) return exactly(newest)
  const updated = timeIn(shownRecord(object.record), 'updated')
  // A firewall's own times say nothing about its services.
  if (updated === undefined || field === 'devices') return { since: null, by: null }
  return { since: { time: formatTimestamp(updated), precision: 'at_latest', source: 'last update' }, by: null }
}

const exactly = ({ time, source, by }: Trace): Origin => ({
  since: { time: formatTimestamp(time), precision: 'exact', source },
  by,
})

function deletionOf({ kind, name }: DriftedObject, traces: readonly Trace[]): Origin {
  const ends = traces.filter((one) => one.kind === kind && one.label === name)
  const [newest] = ends.filter(({ fields }) => fields.includes('created') || fields.includes('deleted'))
  return newest?.fields.includes('deleted') ? exactly(newest) : { since: null, by: null }
}

function creationOf({ record }: DriftedObject, own: readonly Trace[]): Origin {
  const by = own.find(({ fields }) => fields.includes('created'))?.by ?? null
  const created = timeIn(shownRecord(record), 'created')
  if (created === undefined) return { since: null, by }
  return { since: { time: formatTimestamp(created), precision: 'exact', source: 'created' }, by }
}

/** Returns the record as the API shows it; a firewall is read together with its devices. */
function shownRecord(record: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(record)) return {}
  return isRecord(record.firewall) ? record.firewall : record
}

function timeIn(record: Readonly<Record<string, unknown>>, field: string): number | undefined {
  const value = record[field]
  const time = isMissing(record, field) || typeof value !== 'string' ? Number.NaN : parseTimestamp(value)
  return Number.isNaN(time) ? undefined : time
}
