/**
 * Finds compute instances and balancers by label. The API lists neither: a volume names the instance that it is
 * attached to, and firewall devices name the services that they protect. Other services must be named by id.
 */
import { type Firewall, firewallDevices, firewalls } from '../catalogue/firewalls'
import { volumes } from '../catalogue/volumes'
import { isGone, Problem } from '../errors'
import { servicesNamedIn } from '../firewall/named-services'
import type { Client } from '../http/client'
import { didYouMean } from '../rules/nearest'
import { joinNames } from '../rules/texts'
import type { Account } from './account'
import { readOfEach } from './concurrency'
import { ambiguousLabel, parseTarget } from './find-target'
import { type CachedName, cacheNames } from './name-cache'
import { rememberServiceLabel, type ServiceKind, serviceKindOfType, serviceNouns } from './service-kinds'
import { targetNames } from './target-names'

interface Service {
  kind: ServiceKind
  id: number
  label: string
}

/** Known services, and the sources that the token may not read. */
interface KnownServices {
  services: readonly Service[]
  unread: readonly string[]
}

/**
 * Returns the ids of services that were named by id or label. Labels are always looked up, as cached names may be old.
 * Throws `usage` for invalid names, `not_found` with similar labels, and `refused` with the candidates if several
 * services have the label.
 */
export async function serviceIds(names: readonly string[], kind: ServiceKind, account: Account): Promise<number[]> {
  const targets = names.map((text) => parseTarget(text, serviceNouns[kind]))
  if (targets.every((target) => 'id' in target)) return targets.map(({ id }) => Number(id))
  const services = await readServices(kind, account)
  return targets.map((target) => {
    if ('id' in target) return Number(target.id)
    const id = idOfLabel(target.label, kind, services)
    rememberServiceLabel({ kind, id, label: target.label }, account)
    return id
  })
}

/** Returns the id of one service; undefined without a name. */
export async function serviceId(
  name: string | undefined,
  kind: ServiceKind,
  account: Account,
): Promise<number | undefined> {
  return name === undefined ? undefined : (await serviceIds([name], kind, account))[0]
}

/** Returns the id of the only service with a label; throws like `serviceIds`. */
export function idOfLabel(label: string, kind: ServiceKind, { services, unread }: KnownServices): number {
  const matches = services.filter((service) => service.label === label)
  const [match] = matches
  if (!match) throw unknownLabel(label, kind, { services, unread })
  if (matches.length === 1) return match.id
  throw ambiguousLabel(label, { noun: serviceNouns[kind] }, matches)
}

const tellers: Readonly<Record<ServiceKind, string>> = {
  computes: 'The API reports instance labels only in volumes and firewall devices',
  balancers: 'The API reports balancer labels only in firewall devices',
}

function unknownLabel(label: string, kind: ServiceKind, { services, unread }: KnownServices): Problem {
  const near = didYouMean(
    label,
    services.map((service) => service.label),
  )
  const unreadNote = unread.length > 0 ? `, and this token may not read ${joinNames(unread, 'and')}` : ''
  const explained = `${tellers[kind]}${unreadNote}. Name others by id`
  return new Problem('not_found', `no known ${serviceNouns[kind]} has the label "${label}"`, {
    hint: near ? `${near} ${explained}` : explained,
  })
}

/** Options for completion, which must be fast. */
interface Completion {
  /** Maximum number of firewalls. */
  most: number
}

/**
 * Reads all known services of a kind, and caches their names for completion. For completion itself, the services that a
 * firewall's own record names are enough. Throws if the token may read no source.
 */
export async function readServices(
  kind: ServiceKind,
  account: Account,
  completion?: Completion,
): Promise<KnownServices> {
  const client = await account.client()
  const sources = [
    ...(kind === 'computes' ? [{ name: 'volumes', read: ofVolumes(client) }] : []),
    { name: 'firewalls', read: ofFirewalls(client, completion) },
  ]
  const results = await Promise.allSettled(sources.map(({ read }) => read))
  const failures = results.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []))
  const grave = failures.find((reason) => !isNotAllowed(reason)) ?? (failures.length === results.length && failures[0])
  if (grave) throw grave
  const allServices = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  const services = distinctServices(allServices.filter((service) => service.kind === kind))
  await cacheNames(kind, serviceNames(services, kind), account)
  const unread = sources.filter((_, index) => results[index]?.status === 'rejected').map(({ name }) => name)
  return { services, unread }
}

/** Returns names for completion. A comma would separate items of a list, so such labels are replaced by ids. */
export function serviceNames(services: readonly Service[], kind: ServiceKind): CachedName[] {
  const names = targetNames(distinctServices(services), serviceNouns[kind])
  return names.map(({ name, note }) => (note && name.includes(',') ? { name: note, note: name } : { name, note }))
}

const isNotAllowed = (reason: unknown) => reason instanceof Problem && reason.code === 'not_allowed'

/** Removes duplicates; a service with two labels in different sources keeps both, as one may be old. */
export function distinctServices(services: readonly Service[]): Service[] {
  return [...new Map(services.map((service) => [`${service.id} ${service.label}`, service])).values()]
}

async function ofVolumes(client: Client): Promise<Service[]> {
  const services: Service[] = []
  for await (const page of client.pages(volumes.list)) services.push(...page.flatMap(computeOf))
  return services
}

/** Returns the instance that a volume is attached to. */
export function computeOf({ compute_id: id, compute_label: label }: Record<string, unknown>): Service[] {
  return typeof id === 'number' && typeof label === 'string' ? [{ kind: 'computes', id, label }] : []
}

/** Returns the service that a firewall protects. */
export function serviceOf({ type, id, label }: { type: string; id: number; label?: unknown }): Service[] {
  const kind = serviceKindOfType[type]
  return kind && typeof label === 'string' ? [{ kind, id, label }] : []
}

async function ofFirewalls(client: Client, completion: Completion | undefined): Promise<Service[]> {
  const all = client.pages(firewalls.list, completion ? { limit: completion.most } : {})
  const servicesIn = (firewall: Firewall) => completion && servicesNamedIn(firewall)
  const read = async (firewall: Firewall) => {
    const assigned = servicesIn(firewall)
    return assigned ? assigned.flatMap(({ entity }) => serviceOf(entity)) : ofDevices(firewall.id, client)
  }
  const isNeeded = (firewall: Firewall) => !servicesIn(firewall)
  const reads = { operation: firewallDevices.list, noun: 'firewall', isNeeded }
  return (await readOfEach(all, reads, { client, read })).flat()
}

/** Returns the services that a firewall protects; none if it was deleted in the meantime. */
async function ofDevices(firewallId: number, client: Client): Promise<Service[]> {
  const services: Service[] = []
  try {
    for await (const page of client.pages(firewallDevices.list, { path: { firewallId } })) {
      services.push(...page.flatMap(({ entity }) => serviceOf(entity)))
    }
  } catch (error) {
    if (!isGone(error)) throw error
  }
  return services
}
