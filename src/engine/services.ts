/**
 * Compute instances and balancers by label. The API lists neither: a volume tells the instance that it is attached to,
 * and the devices of a firewall tell what it protects. What has neither is named by its id.
 */
import { firewallDevices, firewalls } from '../catalogue/firewalls'
import { volumes } from '../catalogue/volumes'
import { isGone, Problem } from '../errors'
import type { Client } from '../http/client'
import { didYouMean } from '../rules/nearest'
import type { Session } from '../session'
import { keepNames, type Name } from './names'
import { parseTarget } from './resource'
import { targetNames } from './target-names'

export type ServiceKind = 'computes' | 'balancers'

interface Service {
  kind: ServiceKind
  id: number
  label: string
}

/** What was told of services, and what the token may not read of what tells of them. */
interface KnownServices {
  services: readonly Service[]
  unread: readonly string[]
}

const nouns: Readonly<Record<ServiceKind, string>> = { computes: 'compute instance', balancers: 'balancer' }
const typeOfKind: Readonly<Record<string, ServiceKind>> = { compute: 'computes', balancer: 'balancers' }

/** Firewalls whose devices are read at once: as many as pages of a list (./list). */
const firewallsAtOnce = 8

/**
 * The ids of services as they were typed, by id or label. Labels are looked up anew, all at once: what is kept for
 * completion may be old. Throws `usage` for what is neither, `not_found` with near names, and `refused` with the
 * candidates where several have the label.
 */
export async function serviceIds(typed: readonly string[], kind: ServiceKind, session: Session): Promise<number[]> {
  const targets = typed.map((text) => parseTarget(text, nouns[kind]))
  if (targets.every((target) => 'id' in target)) return targets.map(({ id }) => Number(id))
  const known = await readServices(kind, session)
  return targets.map((target) => ('label' in target ? idOfLabel(target.label, kind, known) : Number(target.id)))
}

/** The same of one, where it was given. */
export async function serviceId(
  typed: string | undefined,
  kind: ServiceKind,
  session: Session,
): Promise<number | undefined> {
  return typed === undefined ? undefined : (await serviceIds([typed], kind, session))[0]
}

function idOfLabel(label: string, kind: ServiceKind, { services, unread }: KnownServices): number {
  const matches = services.filter((service) => service.label === label)
  const [match] = matches
  if (!match) throw unknownLabel(label, kind, { services, unread })
  if (matches.length === 1) return match.id
  const ids = matches.map(({ id }) => `id:${id}`).join(', ')
  throw new Problem('refused', `${matches.length} ${nouns[kind]}s have the label "${label}": ${ids}`, {
    hint: 'Name one by its id',
  })
}

const tellers: Readonly<Record<ServiceKind, string>> = {
  computes: 'Only volumes and firewall devices tell the labels of instances',
  balancers: 'Only firewall devices tell the labels of balancers',
}

function unknownLabel(label: string, kind: ServiceKind, { services, unread }: KnownServices): Problem {
  const near = didYouMean(
    label,
    services.map((service) => service.label),
  )
  const said = unread.length > 0 ? `, and this token may not read ${unread.join(' and ')}` : ''
  const explained = `${tellers[kind]}${said}: name one without them by its id`
  return new Problem('not_found', `no ${nouns[kind]} is known as "${label}"`, {
    hint: near ? `${near} ${explained}` : explained,
  })
}

/**
 * Reads what tells of services of a kind, of the first firewalls only where `most` says how many, and keeps their names
 * for completion. Throws where the token may read nothing of it.
 */
export async function readServices(
  kind: ServiceKind,
  session: Session,
  most = Number.POSITIVE_INFINITY,
): Promise<KnownServices> {
  const client = await session.client()
  const sources = [
    ...(kind === 'computes' ? [{ name: 'volumes', read: ofVolumes(client) }] : []),
    { name: 'firewalls', read: ofFirewalls(client, most) },
  ]
  const results = await Promise.allSettled(sources.map(({ read }) => read))
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
  const grave = failures.find((reason) => !isNotAllowed(reason)) ?? (failures.length === results.length && failures[0])
  if (grave) throw grave
  const told = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  const services = distinct(told.filter((service) => service.kind === kind))
  await keepNames(kind, serviceNames(services, kind), session)
  const unread = sources.filter((_, index) => results[index]?.status === 'rejected').map(({ name }) => name)
  return { services, unread }
}

/** As they must be typed; a comma would end the name where several are given. */
export function serviceNames(services: readonly Service[], kind: ServiceKind): Name[] {
  const names = targetNames(distinct(services), nouns[kind])
  return names.map(({ name, note }) => (note && name.includes(',') ? { name: note, note: name } : { name, note }))
}

const isNotAllowed = (reason: unknown) => reason instanceof Problem && reason.code === 'not_allowed'

/** A service that has two labels in what tells of it, since one is old, is known by both. */
function distinct(services: readonly Service[]): Service[] {
  return [...new Map(services.map((service) => [`${service.id} ${service.label}`, service])).values()]
}

async function ofVolumes(client: Client): Promise<Service[]> {
  const found: Service[] = []
  for await (const page of client.pages(volumes.list)) found.push(...page.flatMap(computeOf))
  return found
}

/** The instance that a volume is attached to. */
export function computeOf({ compute_id: id, compute_label: label }: Record<string, unknown>): Service[] {
  return typeof id === 'number' && typeof label === 'string' ? [{ kind: 'computes', id, label }] : []
}

async function ofFirewalls(client: Client, most: number): Promise<Service[]> {
  const bounds = Number.isFinite(most) ? { limit: most } : {}
  const waiting: number[] = []
  for await (const page of client.pages(firewalls.list, bounds)) waiting.push(...page.map(({ id }) => id))
  const found: Service[] = []
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) found.push(...(await ofDevices(id, client)))
  }
  await Promise.all(Array.from({ length: firewallsAtOnce }, work))
  return found
}

/** What a firewall protects; nothing where it was deleted meanwhile. */
async function ofDevices(firewallId: number, client: Client): Promise<Service[]> {
  const found: Service[] = []
  try {
    for await (const page of client.pages(firewallDevices.list, { path: { firewallId } })) {
      for (const { entity } of page) {
        const kind = typeOfKind[entity.type]
        if (kind && typeof entity.label === 'string') found.push({ kind, id: entity.id, label: entity.label })
      }
    }
  } catch (error) {
    if (!isGone(error)) throw error
  }
  return found
}
