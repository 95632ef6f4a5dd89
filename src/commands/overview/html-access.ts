/** Writes who may connect: a table of allowed traffic by firewall, and the cells about one service. */
import { html, joined, type Markup, type Piece } from '../../output/html'
import { type Headings, linesOf, tableOf } from '../../output/page'
import { groupBy } from '../../rules/records'
import { capitalized } from '../../rules/texts'
import type { Exposure, NamedService } from './exposure'
import type { ListedFirewall, Overview, Protection } from './inventory'
import { fromTexts, instanceName, serviceText, whatText } from './texts'

/** Headings of all tables of the page. */
export const tables = {
  instances: ['Instance', 'Firewall', 'Who may connect', 'Addresses', 'Volumes'],
  services: ['Service', 'Firewall', 'Who may connect'],
  access: ['Traffic', 'From', 'Allowed by'],
  volumes: ['Volume', 'Size', 'Attached to', 'Region', 'Status'],
  vlans: ['VLAN', 'Region', 'Members'],
} as const satisfies Headings

/** Target of links to a firewall. */
const anchorOf = (id: number | bigint) => `firewall-${id}`

/** Returns a label with its id. Text of another direction does not reorder what follows it. */
export const nameMarkup = ({ id, label }: { id: number | bigint; label: string | null }): Markup =>
  label ? html`<bdi>${label}</bdi> <small>${id}</small>` : html`${id}`

/** Returns the name of an instance; without a label, `instance 1004` as on the screen. */
export const instanceMarkup = (one: { id: number; label: string | null }): Markup =>
  one.label ? nameMarkup(one) : html`${instanceName(one)}`

/** Lists the firewalls of a service with links, or warns that there is none. */
export function firewallsCell({ protected: isProtected, firewalls }: Protection, isRead: boolean): Piece {
  if (!isRead) return 'not read'
  const links = firewalls.map(({ id, label, status, enforced }) => {
    const state = enforced ? undefined : html` <span class="badge warning">${status ?? 'unknown status'}</span>`
    return html`<a href="#${anchorOf(id)}"><bdi>${label || id}</bdi></a>${state}`
  })
  const none = isProtected === false ? [html`<span class="badge exposed">no firewall</span>`] : []
  return linesOf([...none, ...links])
}

/** Rows, ranges of ports and networks in a cell about a service. The table of firewalls has more of them. */
const mostInCell = 3

/** Networks in a row of the table. A list of hundreds says less than its length. */
const mostInRow = 6

/** Lists who may connect to a service. */
export function accessCell(service: Pick<NamedService, 'type' | 'id'> & Protection, overview: Overview): Piece {
  const { type, id } = service
  const { exposure, not_read } = overview
  if (!exposure || not_read.some(({ part }) => part === 'firewalls')) return 'not read'
  const own = exposure.filter(({ services }) => services.some((one) => one.type === type && one.id === id))
  // An instance without a firewall is exposed if it may have a public address.
  if (own.length === 0) return service.protected === false ? 'no public address' : 'nobody'
  const shown = own
    .slice(0, mostInCell)
    .map((one) => html`${whatText(one, mostInCell)} from ${fromMarkup(one, mostInCell)}`)
  const more = own.length - shown.length
  return linesOf([...shown, ...(more > 0 ? [`and ${more} more`] : [])])
}

/** Names the first sources, and counts the others. A badge shows that anybody may connect. */
function fromMarkup(one: Exposure, most: number): Piece {
  const first = { ...one, networks: one.networks.slice(0, most), except: one.except.slice(0, most) }
  const text = fromTexts(first, Number.POSITIVE_INFINITY).join(', ')
  return one.anywhere
    ? html`<span class="badge ${one.outcome === 'allowed' ? 'exposed' : 'warning'}">${text}</span>`
    : text
}

/** Writes a table of the allowed inbound traffic: what no firewall filters, then each firewall, the widest open first. */
export function accessSection({ exposure, firewalls }: Overview): Piece {
  if (!exposure || !firewalls) return html`<p>Not read: the token may not read the firewalls.</p>`
  const entries = groupBy(exposure, ({ firewall }) => firewall?.id)
  const open = firewalls.filter(({ id }) => entries.has(id))
  const order = [...entries.keys()]
  const sorted = open.toSorted((one, other) => order.indexOf(one.id) - order.indexOf(other.id))
  const closed = firewalls.filter(({ id }) => !entries.has(id))
  const bare = entries.get(undefined) ?? []
  if (exposure.length === 0 && firewalls.length === 0) return html`<p>Nobody: no inbound traffic is allowed.</p>`
  return tableOf('access', tables.access, [
    ...bare.map((one) => ({
      heading: html`<span class="badge exposed">no firewall</span> ${servicesMarkup(one.services)}`,
      rows: [accessRow(one)],
    })),
    ...[...sorted, ...closed].map((one) => ({
      heading: firewallHeading(one, entries.has(one.id)),
      id: anchorOf(one.id),
      rows: (entries.get(one.id) ?? []).map(accessRow),
    })),
  ])
}

const accessRow = (one: Exposure): Piece[] => [
  whatText(one, Number.POSITIVE_INFINITY),
  fromMarkup(one, mostInRow),
  capitalized(one.by),
]

/** Names a firewall, its services, and why it has no row of traffic. */
function firewallHeading(firewall: ListedFirewall, isOpen: boolean): Markup {
  const { status, services, enforced } = firewall
  const state = enforced ? undefined : html` <span class="badge warning">${status ?? 'unknown status'}</span>`
  const verb = enforced === false ? 'not enforced at' : 'protects'
  const of = services.length === 0 ? 'protects nothing yet' : html`${verb} ${servicesMarkup(services)}`
  const closed = isOpen || enforced === false || services.length === 0 ? undefined : ': no inbound traffic is allowed'
  return html`${nameMarkup(firewall)}${state} <small>${of}${closed}</small>`
}

const servicesMarkup = (services: readonly NamedService[]) =>
  joined(
    services.map((one) => html`<bdi>${serviceText(one)}</bdi>`),
    ', ',
  )
