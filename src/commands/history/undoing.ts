/** Prepares the undo of one change: what would become different, whether somebody has changed it since, and the request. */
import type { FirewallRules } from '../../catalogue/firewall-rules'
import { firewallRules } from '../../catalogue/firewall-rules'
import { type FirewallDevice, firewallDevices, firewalls } from '../../catalogue/firewalls'
import type { IpAddress } from '../../catalogue/ips'
import type { Operation } from '../../catalogue/operation'
import type { Flag, Flags } from '../../engine/command'
import type { PlannedRequest } from '../../engine/dry-run'
import { hashOfPart, isSamePart, partOf } from '../../engine/history/snapshot'
import { type Id, named, nameOf } from '../../engine/resource'
import type { Problem } from '../../errors'
import { diffRules } from '../../firewall/diff'
import { hashOf } from '../../firewall/hash'
import { sendable } from '../../firewall/rules'
import { tidyRules } from '../../firewall/tidy'
import { safe } from '../../output/safe'
import { hasDefaultName } from '../../rules/default-names'
import type { Session } from '../../session'
import type { Step } from '../../state/kind'
import { lockoutFlags } from '../firewalls/lockout-flags'
import { firewallResource } from '../firewalls/resource'
import { changeLine } from '../firewalls/rules/difference'
import { readRules } from '../firewalls/rules/standing'
import type { DeviceBack, PuttingBack } from './kinds'
import { type Known, objectName, serviceIn } from './records'

type Values = Readonly<Record<string, unknown>>

export interface Invocation {
  flags: Flags
  session: Session
}

/** The undo of a change, as far as nothing is sent. */
export interface Prepared {
  known: Known
  /** `volume "data" (3001)`, as it is called now. */
  name: string
  /** The object as it is now. */
  now: Values
  /** A line for each thing that becomes different; none: all is as before. */
  lines: readonly string[]
  /** Why it is not as the change left it; undefined where it is. */
  changed?: string | undefined
  /** What forbids it: it would close what is to be kept open. */
  refusal?: Problem | undefined
  request: PlannedRequest
  step: Pick<Step, 'command' | 'arguments' | 'body' | 'flags'>
  /** Besides those of the step, and those that were given. */
  flags?: Flags
  /** The service that is assigned to the firewall, or taken from it. */
  service?: { type: string; id: number } | undefined
}

/** Objects as they are, or will be once what was prepared so far is done: changes are prepared from the last to the first. */
export class Standings {
  readonly #known = new Map<string, Promise<unknown>>()

  constructor(private readonly session: Session) {}

  read(view: Operation, { id = '', holes, kind }: Known): Promise<Values> {
    const noun =
      view === firewallDevices.view ? 'device' : (kind?.operation.path.includes('{') && kind.kind) || 'volume'
    const ask = async () =>
      named((await this.session.client()).call(view, { path: holes }), id, { noun: noun as 'volume' })
    return this.#once(keyOf(view.path, holes), ask)
  }

  rules(firewallId: number): Promise<FirewallRules> {
    return this.#once(keyOf(firewallRules.list.path, { firewallId }), () => readRules({ id: firewallId }, this.session))
  }

  put(path: string, holes: Values, value: unknown): void {
    this.#known.set(keyOf(path, holes), Promise.resolve(value))
  }

  #once<T>(key: string, ask: () => Promise<T>): Promise<T> {
    const known = (this.#known.get(key) as Promise<T> | undefined) ?? ask()
    this.#known.set(key, known)
    return known
  }
}

const keyOf = (path: string, holes: Values) =>
  JSON.stringify([path, Object.entries(holes).map(([key, one]) => [key, String(one)])])

/** Undefined where the change is of a kind that nothing undoes, which `noWayBack` tells. */
export async function prepareUndo(
  known: Known,
  standings: Standings,
  invocation: Invocation,
): Promise<Prepared | undefined> {
  const { back } = known.kind ?? {}
  if (back === 'rules') return prepareRules(known, standings, invocation)
  if (typeof back !== 'object') return undefined
  return 'device' in back ? prepareDevice(known, back, invocation) : preparePut(known, back, standings)
}

async function preparePut(known: Known, back: PuttingBack, standings: Standings): Promise<Prepared | undefined> {
  const { past, kind, holes, id = '' } = known
  const { before = {}, whole } = past
  if (!kind) return undefined
  const { operation } = kind
  const now = await standings.read(back.view, known)
  const name = objectName({ ...known, label: typeof now.label === 'string' ? now.label : known.label })
  const standing = partOf(now, { before, whole })
  const body = operation.path.endsWith('/{address}') ? bodyOfName(now, before) : before
  standings.put(back.view.path, holes, whole ? before : { ...now, ...before })
  return {
    ...{ known, name, now },
    lines: isSamePart(standing, before, whole) ? [] : differenceOf(standing, before),
    changed: changedSince(known, { name, hash: hashOfPart(standing, whole) }),
    request: { operation, path: holes, body },
    step: {
      ...{ command: back.command, arguments: id === '' ? [] : [id], body },
      ...(back.flags && { flags: back.flags }),
    },
  }
}

function changedSince({ past }: Known, { name, hash }: { name: string; hash: string }): string | undefined {
  const after = past.told?.after
  if (after === hash) return undefined
  return after
    ? `${name} was changed since change ${past.number}`
    : `it is not known whether change ${past.number} was done, and ${name} is not as before`
}

async function prepareRules(known: Known, standings: Standings, invocation: Invocation): Promise<Prepared | undefined> {
  const { past, holes } = known
  const firewallId = Number(holes.firewallId)
  const { changeAt } = await import('../firewalls/rules/copies')
  const kept = past.copy === undefined ? undefined : await changeAt(firewallId, past.copy, invocation.session)
  if (!kept) return undefined
  const now = await standings.rules(firewallId)
  const name = `the rules of ${objectName({ ...known, id: String(firewallId) })}`
  const changes = diffRules(now, kept.before)
  const { lines, refusal } = await reachability(known, { now, before: kept.before }, invocation)
  standings.put(firewallRules.list.path, { firewallId }, kept.before)
  const body = { ...tidyRules(sendable(kept.before)).value }
  return {
    ...{ known, name, now, refusal },
    lines: [...changes.map(changeLine), ...(changes.length > 0 ? lines : [])],
    changed: diffRules(kept.written, now).length > 0 ? `${name} were changed since change ${past.number}` : undefined,
    request: { operation: firewallRules.update, path: { firewallId }, body },
    step: {
      command: ['firewalls', 'rules', 'update'],
      arguments: [`id:${firewallId}`],
      body,
    },
    // What the service has had is not for us to check; what somebody changes meanwhile is not replaced.
    flags: { validate: false, 'if-match': hashOf(now) },
  }
}

/** Who is newly blocked or allowed by the rules that stood before; a firewall that is disabled blocks nobody. */
async function reachability(
  known: Known,
  { now, before }: Record<'now' | 'before', FirewallRules>,
  { flags, session }: Invocation,
) {
  const { servicesOf, weigh } = await import('../firewalls/lockout')
  const { firewallId = '' } = known.holes
  const { status } = await viewFirewall(firewallId, session)
  if (status === 'disabled') return { lines: [] }
  const where = `what firewall ${firewallId} protects`
  return weigh(
    { before: now, after: before, services: () => servicesOf(firewallId, session), where },
    { flags, session },
  )
}

async function prepareDevice(known: Known, { device }: DeviceBack, { session }: Invocation): Promise<Prepared> {
  const { holes, id } = known
  const { firewallId = '' } = holes
  // A list that is not found tells nothing of the firewall.
  const firewall = await viewFirewall(firewallId, session)
  const { readDevices } = await import('../firewalls/read-devices')
  const devices = await readDevices(firewallId, session)
  const wanted = serviceIn(known.past)
  const removes = device === 'delete'
  const found = devices.find((one) => (removes ? String(one.id) === id : isOf(one, wanted)))
  const service = removes ? found?.entity : wanted
  const where = nameOf(firewallResource, { id: Number(firewallId), record: { ...firewall } })
  const text = service ? `${service.type} ${service.id}` : `device ${id}`
  const body = removes || !wanted ? {} : { body: wanted }
  return {
    ...{ known, service, now: { ...found }, name: `${where} at ${text}` },
    lines: removes === (found !== undefined) ? [lineOf(device, text, where)] : [],
    request: removes
      ? { operation: firewallDevices.delete, path: { firewallId, deviceId: id ?? '' } }
      : { operation: firewallDevices.create, path: { firewallId }, ...body },
    step: {
      command: ['firewalls', 'devices', device],
      arguments: [String(firewallId), ...(removes ? [id ?? ''] : [])],
      ...body,
    },
  }
}

const viewFirewall = async (firewallId: Id, session: Session) =>
  named((await session.client()).call(firewalls.view, { path: { firewallId } }), firewallId, firewallResource)

const isOf = ({ entity }: FirewallDevice, service: ReturnType<typeof serviceIn>) =>
  entity.id === service?.id && entity.type === service.type

const lineOf = (device: DeviceBack['device'], text: string, where: string) =>
  device === 'delete'
    ? `removed  ${text}: ${where} protects it no longer`
    : `added    ${text}: ${where} protects it again`

/** Runs the command that undoes it, which checks again what only the moment can tell. */
export async function runPrepared(
  { step, flags: own }: Prepared,
  { flags, session }: Invocation,
): Promise<Record<string, unknown>> {
  const { runStep } = await import('../run-step')
  // Only commands about firewalls look at them.
  return runStep(step, session, { looks: true, flags: { ...own, ...chosenOf(flags, lockoutFlags) } })
}

/** Those of the flags that were given. */
function chosenOf(flags: Flags, chosen: readonly Flag[]): Flags {
  return Object.fromEntries(chosen.flatMap(({ name }) => (flags[name] === undefined ? [] : [[name, flags[name]]])))
}

/** `changed  label: data-2 -> data`, a line for each field that becomes another. */
function differenceOf(now: Values, then: Values): string[] {
  const fields = [...new Set([...Object.keys(now), ...Object.keys(then)])]
  return fields
    .filter((field) => !isSamePart({ field: now[field] ?? null }, { field: then[field] ?? null }, undefined))
    .map((field) => safe(`changed  ${field}: ${textOf(now[field])} -> ${textOf(then[field])}`))
}

/** Keys are long, and what tells one from another is at their end. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (!Array.isArray(value)) return typeof value === 'object' ? JSON.stringify(value) : String(value)
  return value.length === 0 ? 'none' : value.map((one) => cut(String(one))).join(', ')
}

const cut = (text: string) => (text.length > 40 ? `${text.slice(0, 20)}…${text.slice(-20)}` : text)

/** A name that the service gave is not set, but returned to. */
function bodyOfName(address: Record<string, unknown>, before: Values) {
  const then = { ...address, ...before } as IpAddress
  return { rdns: hasDefaultName(then) ? null : then.rdns }
}
