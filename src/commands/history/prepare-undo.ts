/** Prepares the undo of one change: the differences, changes that were made since, and the request. */

import { byWay } from '../../account/action-functions'
import { actionNamed, type Step } from '../../account/actions'
import { expectWhole, hashState, isSameState, partOf } from '../../account/history/compare-states'
import { endsProtection, protectedTag } from '../../account/protection'
import { type Id, named, nameOf } from '../../account/resource'
import { firewallResource } from '../../account/resources/firewall'
import type { DeviceUndo, RestoringUndo } from '../../account/undo'
import { type FirewallDevice, firewallDevices, firewalls } from '../../catalogue/firewalls'
import type { Operation } from '../../catalogue/operation'
import type { CommandInput } from '../../engine/command'
import type { Session } from '../../engine/session'
import { escapeText } from '../../rules/escape'
import { hasDefaultName } from '../../rules/host-names'
import { type ChangeRecord, changedText, objectName } from './describe-change'
import { expectUnchanged, textOf } from './replaced-values'
import { serviceIn } from './undo-hint'

type Values = Readonly<Record<string, unknown>>

/** A prepared undo; nothing has been sent. */
export interface Prepared {
  change: ChangeRecord
  /** Current name: `volume "data" (3001)`. */
  name: string
  now: Values
  /** Differences, one per line; none if the previous state is already current. */
  lines: readonly string[]
  /** Description of changes since; undefined if there are none. */
  changed?: string | undefined
  step: Step
  /** Reads the values that the undo replaces; undefined if it replaces none. */
  view?: Operation
  /** The service that is assigned to the firewall, or removed from it. */
  service?: { type: string; id: number } | undefined
}

interface Continuation<R> {
  /** Continues with a prepared undo. */
  prepared(one: Prepared): Promise<R>
  /** Continues with rules, whose undo is that of `rules undo`. */
  rules(): Promise<R>
}

/** Prepares an undo, and continues; resolves to undefined for a change without an automatic undo. */
export async function prepareUndo<R>(
  change: ChangeRecord,
  input: CommandInput,
  { prepared, rules }: Continuation<R>,
): Promise<R | undefined> {
  if (!change.kind) return undefined
  return byWay<Promise<R> | undefined>(change.kind.action.undo, {
    restoring: async (way) => prepared(await prepareRestoring(change, way, input)),
    device: async (way) => prepared(await prepareDevice(change, way, input)),
    rules,
    hand: () => undefined,
  })
}

async function prepareRestoring(change: ChangeRecord, undo: RestoringUndo, input: CommandInput): Promise<Prepared> {
  const { past, kind, id = '' } = change
  const { before = {}, whole } = past
  const now = await readState(undo.view, change, input)
  const name = objectName({ ...change, label: typeof now.label === 'string' ? now.label : change.label })
  expectWhole(now, before, name)
  const current = partOf(now, { before, whole })
  const body = kind?.action.operation.path.endsWith('/{address}') ? bodyOfName(now, before) : before
  return {
    ...{ change, name, now, view: undo.view },
    lines: isSameState(current, before, whole) ? [] : [...differenceOf(current, before), ...unprotectedBy(now, before)],
    changed: past.result?.after === hashState(current, whole) ? undefined : changedText(past, name),
    step: { does: actionNamed(undo.does), target: id === '' ? [] : [id], body },
  }
}

/**
 * Reads the values again, after the question and right before the request. Throws `changed` if others have changed them
 * since they were shown, unless they are restored by now. Undefined if the undo replaces none.
 */
export async function readUnchanged(
  { change, name, now, view }: Prepared,
  input: CommandInput,
): Promise<Values | undefined> {
  if (!view) return undefined
  const { before = {}, whole } = change.past
  const latest = await readState(view, change, input)
  expectUnchanged(latest, { name, shown: now, restored: before, whole })
  return latest
}

async function readState(
  view: Operation,
  { id = '', pathParameters, kind }: ChangeRecord,
  { session }: CommandInput,
): Promise<Values> {
  const noun =
    view === firewallDevices.view ? 'device' : (kind?.action.operation.path.includes('{') && kind.kind) || 'volume'
  return named((await session.account.client()).call(view, { path: pathParameters }), id, { noun })
}

/** Returns the line for an undo that ends the protection of an object. */
const unprotectedBy = (now: Values, before: Values) =>
  endsProtection(now, before) ? [`changed  it loses the tag "${protectedTag}", and is no longer protected`] : []

async function prepareDevice(
  change: ChangeRecord,
  { device }: DeviceUndo,
  { session }: CommandInput,
): Promise<Prepared> {
  const { pathParameters, id } = change
  const { firewallId = '' } = pathParameters
  // A missing list does not prove that the firewall is gone.
  const firewall = await viewFirewall(firewallId, session)
  const { readDevices } = await import('../../account/resources/firewall')
  const devices = await readDevices(firewallId, session.account)
  const recordedService = serviceIn(change.past)
  const removes = device === 'delete'
  const existing = devices.find((one) => (removes ? String(one.id) === id : isOf(one, recordedService)))
  const service = removes ? existing?.entity : recordedService
  const where = nameOf(firewallResource, { id: Number(firewallId), record: { ...firewall } })
  const text = service ? `${service.type} ${service.id}` : `device ${id}`
  return {
    ...{ change, service, now: { ...existing }, name: `${where} at ${text}` },
    lines: removes === (existing !== undefined) ? [lineOf(device, text, where)] : [],
    step: {
      does: `firewalls devices ${device}`,
      target: [String(firewallId), ...(removes ? [id ?? ''] : [])],
      body: removes ? undefined : recordedService,
    },
  }
}

const viewFirewall = async (firewallId: Id, session: Session) =>
  named((await session.account.client()).call(firewalls.view, { path: { firewallId } }), firewallId, firewallResource)

const isOf = ({ entity }: FirewallDevice, service: ReturnType<typeof serviceIn>) =>
  entity.id === service?.id && entity.type === service.type

const lineOf = (device: DeviceUndo['device'], text: string, where: string) =>
  device === 'delete'
    ? `removed  ${text}: ${where} no longer protects it`
    : `added    ${text}: ${where} protects it again`

/** Returns lines such as `changed  label: data-2 -> data`, for each different field. */
function differenceOf(now: Values, then: Values): string[] {
  const fields = [...new Set([...Object.keys(now), ...Object.keys(then)])]
  return fields
    .filter((field) => !isSameState({ field: now[field] ?? null }, { field: then[field] ?? null }, undefined))
    .map((field) => escapeText(`changed  ${field}: ${textOf(now[field])} -> ${textOf(then[field])}`))
}

/** Returns the body that restores reverse DNS: a default name is restored by a reset. */
function bodyOfName(address: Record<string, unknown>, before: Values) {
  const { address: text, rdns } = { ...address, ...before }
  return { rdns: typeof rdns !== 'string' || hasDefaultName({ address: String(text), rdns }) ? null : rdns }
}
