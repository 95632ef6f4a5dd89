/** Draws an overview as a Mermaid flowchart. Ids are made of letters and digits; texts of others are only ever labels. */
import { protocolsText } from '../../firewall/traffic-text'
import { escapeText } from '../../rules/escape'
import { groupBy } from '../../rules/records'
import { peersText } from '../firewalls/access-screen'
import type { Exposure, NamedService } from './exposure'
import {
  byRegion,
  type ListedFirewall,
  type ListedInstance,
  type ListedVolume,
  type Overview,
  type Protection,
} from './inventory'
import { addressText, instanceName, nameOf, sizeText } from './texts'

/** Networks in the label of an edge. */
const mostNetworks = 3

/** Marks around the label of a node, for its shape. */
const [box, disk, round, hexagon] = [
  ['["', '"]'],
  ['[("', '")]'],
  ['(["', '"])'],
  ['{{"', '"}}'],
] as const

const nodeLine = (id: string, lines: readonly string[], [open, close]: readonly [string, string] = box) =>
  `${id}${open}${lines.map(labelText).join('<br/>')}${close}`

/** A line: belongs together. */
const link = (from: string, to: string) => `${from} --- ${to}`

/** An arrow: traffic; dotted if it is not enforced, or not known. */
const arrow = (isCertain: boolean | null) => (isCertain ? '-->' : '-.->')

export function mermaidOf(overview: Overview): string {
  const { instances, vlans, firewalls, exposure } = overview
  const lans = (vlans ?? []).map((vlan, index) => ({ ...vlan, id: `n${index}` }))
  const others = overview.other_services.map((one, index) => ({ ...one, node: `s${index}` }))
  const idOf = ({ type, id }: Pick<NamedService, 'type' | 'id'>) =>
    others.find((one) => one.type === type && one.id === id)?.node ?? `${type === 'balancer' ? 'b' : 'c'}${id}`
  const isFrom = (isAnywhere: boolean) => (exposure ?? []).some(({ anywhere }) => anywhere === isAnywhere)
  const nodesAndEdges = [
    ...(isFrom(true) ? [nodeLine('internet', ['Internet'], round)] : []),
    ...(isFrom(false) ? [nodeLine('networks', ['Some networks'], round)] : []),
    ...(firewalls ?? []).map(firewallNode),
    ...overview.balancers.map((one) => nodeLine(idOf(one), [`balancer ${nameOf(one)}`, ...bare(one)])),
    ...others.map((one) => nodeLine(one.node, [`${one.type} ${nameOf(one)}`, ...bare(one)])),
    // A part that was not read is in the picture, so that nobody takes it for empty.
    ...overview.not_read.map(({ part }, index) => nodeLine(`u${index}`, [`not read: ${part}`])),
    ...(exposure ?? []).flatMap((one) => accessEdges(one, idOf)),
    ...(firewalls ?? []).flatMap(({ id, enforced, services }) =>
      services.map((service) => `f${id} ${arrow(enforced)} ${idOf(service)}`),
    ),
    ...instances.flatMap(({ id, volumes }) => volumes.map((volume) => link(`c${id}`, `v${volume.id}`))),
    ...lans.flatMap(({ id, computes }) => (computes ?? []).map((compute) => link(`c${compute}`, id))),
  ]
  const lines = ['flowchart LR', ...regionGroups(overview, lans), ...nodesAndEdges.map((line) => `  ${line}`)]
  return `${lines.join('\n')}\n`
}

/** Groups instances, volumes, unassigned addresses and VLANs by their region. */
function regionGroups(overview: Overview, lans: readonly { id: string; label: string; region: string | null }[]) {
  const { instances, detached_volumes, unassigned_addresses } = overview
  const placed = [
    ...instances.flatMap((one) =>
      [instanceNode(one), ...one.volumes.map(volumeNode)].map((node) => ({ ...one, node })),
    ),
    ...(detached_volumes ?? []).map((volume) => ({ ...volume, node: volumeNode(volume) })),
    ...(unassigned_addresses ?? []).map((one, index) => ({
      ...one,
      node: nodeLine(`a${index}`, [addressText(one), 'unassigned']),
    })),
    ...lans.map((lan) => ({ ...lan, node: nodeLine(lan.id, [`VLAN ${lan.label}`], round) })),
  ]
  const regions = [...groupBy(placed, ({ region }) => region)].sort(([one], [other]) => byRegion(one, other))
  return regions.flatMap(([region, all], index) => [
    `  subgraph r${index}["${labelText(region ?? 'region unknown')}"]`,
    ...all.map(({ node }) => `    ${node}`),
    '  end',
  ])
}

const bare = (one: Protection) => (one.protected === false ? ['no firewall'] : [])

const instanceNode = (one: ListedInstance) =>
  nodeLine(`c${one.id}`, [instanceName(one), ...one.addresses.map(addressText), ...bare(one)])

const volumeNode = ({ attached, ...volume }: ListedVolume) =>
  nodeLine(`v${volume.id}`, [nameOf(volume), sizeText(volume.size), ...(attached === false ? ['detached'] : [])], disk)

const firewallNode = (firewall: ListedFirewall) => {
  const lines = [
    `firewall ${nameOf(firewall)}`,
    ...(firewall.enforced ? [] : [`status ${firewall.status ?? 'unknown'}`]),
    ...(firewall.services.length === 0 ? ['protects nothing'] : []),
  ]
  return nodeLine(`f${firewall.id}`, lines, hexagon)
}

/** Traffic goes to the firewall that allows it, or to each service without one. */
function accessEdges(one: Exposure, idOf: (service: NamedService) => string): string[] {
  const { protocols, partly, anywhere, outcome, firewall, services } = one
  const from = anywhere && one.except_count === 0 ? '' : ` from ${sourceText(one)}`
  const label = labelText(`${protocolsText(protocols)}${partly ? ' with exceptions' : ''}${from}`)
  const edge = `${anywhere ? 'internet' : 'networks'} ${arrow(outcome === 'allowed')}|"${label}"|`
  return firewall ? [`${edge} f${firewall.id}`] : services.map((service) => `${edge} ${idOf(service)}`)
}

function sourceText({ networks: some, network_count, except, except_count }: Exposure): string {
  const shown = some.slice(0, mostNetworks)
  const more = network_count - shown.length
  const from = `${peersText({ networks: shown, except: [] }, mostNetworks)}${more > 0 ? ` and ${more} more` : ''}`
  if (except_count === 0) return from
  return `${from} but ${except_count === 1 ? except[0] : `${except_count} networks`}`
}

/**
 * Characters that Mermaid shows as they are. Any other becomes an entity such as `#34;`: quotes end a label, `%%{` begins
 * a directive, `<` HTML, and a backquote Markdown.
 */
const special = /[^\p{L}\p{M}\p{N} ._,:/()+-]/gu

const labelText = (text: string) => escapeText(text).replace(special, (char) => `#${char.codePointAt(0)};`)
