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

interface DiagramNode {
  id: string
  lines: readonly string[]
  shape: 'box' | 'disk' | 'round' | 'hexagon'
}

interface DiagramEdge {
  from: string
  to: string
  label?: string
  /** `line`: belongs together; `arrow`: traffic; `dotted`: not enforced, or not known. */
  kind: 'line' | 'arrow' | 'dotted'
}

interface Diagram {
  groups: readonly { id: string; label: string; nodes: readonly DiagramNode[] }[]
  nodes: readonly DiagramNode[]
  edges: readonly DiagramEdge[]
}

/** Networks in the label of an edge. */
const mostNetworks = 3
const [internet, networks] = ['internet', 'networks']

export const mermaidOf = (overview: Overview) => mermaid(diagramOf(overview))

function diagramOf(overview: Overview): Diagram {
  const { instances, vlans, firewalls, exposure } = overview
  const lans = (vlans ?? []).map((vlan, index) => ({ ...vlan, id: `n${index}` }))
  const others = overview.other_services.map((one, index) => ({ ...one, node: `s${index}` }))
  const idOf = ({ type, id }: Pick<NamedService, 'type' | 'id'>) =>
    others.find((one) => one.type === type && one.id === id)?.node ?? `${type === 'balancer' ? 'b' : 'c'}${id}`
  const accesses = (exposure ?? []).flatMap((one) => accessEdges(one, idOf))
  const sources = [nodeOf(internet, ['Internet'], 'round'), nodeOf(networks, ['Some networks'], 'round')]
  return {
    groups: regionGroups(overview, lans),
    nodes: [
      ...sources.filter(({ id }) => accesses.some(({ from }) => from === id)),
      ...(firewalls ?? []).map(firewallNode),
      ...overview.balancers.map((one) => nodeOf(idOf(one), [`balancer ${nameOf(one)}`, ...bare(one)])),
      ...others.map((one) => nodeOf(one.node, [`${one.type} ${nameOf(one)}`, ...bare(one)])),
      ...unreadNodes(overview),
    ],
    edges: [
      ...accesses,
      ...(firewalls ?? []).flatMap((one) => one.services.map((service) => assignment(one, idOf(service)))),
      ...instances.flatMap(({ id, volumes }) => volumes.map((volume) => link(`c${id}`, `v${volume.id}`))),
      ...lans.flatMap(({ id, computes }) => (computes ?? []).map((compute) => link(`c${compute}`, id))),
    ],
  }
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
      node: nodeOf(`a${index}`, [addressText(one), 'unassigned']),
    })),
    ...lans.map((lan) => ({ ...lan, node: nodeOf(lan.id, [`VLAN ${lan.label}`], 'round') })),
  ]
  const regions = [...groupBy(placed, ({ region }) => region)].sort(([one], [other]) => byRegion(one, other))
  return regions.map(([region, all], index) => ({
    id: `r${index}`,
    label: region ?? 'region unknown',
    nodes: all.map(({ node }) => node),
  }))
}

const nodeOf = (id: string, lines: readonly string[], shape: DiagramNode['shape'] = 'box'): DiagramNode => ({
  id,
  lines,
  shape,
})
const link = (from: string, to: string): DiagramEdge => ({ from, to, kind: 'line' })
const bare = (one: Protection) => (one.protected === false ? ['no firewall'] : [])

const instanceNode = (one: ListedInstance): DiagramNode =>
  nodeOf(`c${one.id}`, [instanceName(one), ...one.addresses.map(addressText), ...bare(one)])

const volumeNode = ({ attached, ...volume }: ListedVolume): DiagramNode =>
  nodeOf(`v${volume.id}`, [nameOf(volume), sizeText(volume.size), ...(attached === false ? ['detached'] : [])], 'disk')

const firewallNode = (firewall: ListedFirewall): DiagramNode => {
  const lines = [
    `firewall ${nameOf(firewall)}`,
    ...(firewall.enforced ? [] : [`status ${firewall.status ?? 'unknown'}`]),
    ...(firewall.services.length === 0 ? ['protects nothing'] : []),
  ]
  return nodeOf(`f${firewall.id}`, lines, 'hexagon')
}

const assignment = ({ id, enforced }: ListedFirewall, to: string): DiagramEdge => ({
  from: `f${id}`,
  to,
  kind: enforced ? 'arrow' : 'dotted',
})

/** Traffic goes to the firewall that allows it, or to each service without one. */
function accessEdges(one: Exposure, idOf: (service: NamedService) => string): DiagramEdge[] {
  const { protocols, partly, anywhere, outcome, firewall, services } = one
  const from = anywhere && one.except_count === 0 ? '' : ` from ${sourceText(one)}`
  const label = `${protocolsText(protocols)}${partly ? ' with exceptions' : ''}${from}`
  const edge = {
    from: anywhere ? internet : networks,
    label,
    kind: outcome === 'allowed' ? 'arrow' : 'dotted',
  } as const
  return firewall ? [{ ...edge, to: `f${firewall.id}` }] : services.map((service) => ({ ...edge, to: idOf(service) }))
}

function sourceText({ networks: some, network_count, except, except_count }: Exposure): string {
  const shown = some.slice(0, mostNetworks)
  const more = network_count - shown.length
  const from = `${peersText({ networks: shown, except: [] }, mostNetworks)}${more > 0 ? ` and ${more} more` : ''}`
  if (except_count === 0) return from
  return `${from} but ${except_count === 1 ? except[0] : `${except_count} networks`}`
}

/** A part that was not read is in the picture, so that nobody takes it for empty. */
function unreadNodes({ not_read }: Overview): DiagramNode[] {
  return not_read.map(({ part }, index) => nodeOf(`u${index}`, [`not read: ${part}`]))
}

/**
 * Characters that Mermaid shows as they are. Any other becomes an entity such as `#34;`: quotes end a label, `%%{` begins
 * a directive, `<` HTML, and a backquote Markdown.
 */
const special = /[^\p{L}\p{M}\p{N} ._,:/()+-]/gu

const labelText = (text: string) => escapeText(text).replace(special, (char) => `#${char.codePointAt(0)};`)

const shapes: Readonly<Record<DiagramNode['shape'], readonly [string, string]>> = {
  box: ['["', '"]'],
  disk: ['[("', '")]'],
  round: ['(["', '"])'],
  hexagon: ['{{"', '"}}'],
}
const links: Readonly<Record<DiagramEdge['kind'], string>> = { line: '---', arrow: '-->', dotted: '-.->' }

function mermaid({ groups, nodes, edges }: Diagram): string {
  const nodeLine = ({ id, lines, shape }: DiagramNode) =>
    `${id}${shapes[shape][0]}${lines.map(labelText).join('<br/>')}${shapes[shape][1]}`
  const statements = [
    'flowchart LR',
    ...groups.flatMap(({ id, label, nodes: own }) => [
      `  subgraph ${id}["${labelText(label)}"]`,
      ...own.map((node) => `    ${nodeLine(node)}`),
      '  end',
    ]),
    ...nodes.map((node) => `  ${nodeLine(node)}`),
    ...edges.map(({ from, to, label, kind }) => {
      const named = label === undefined ? '' : `|"${labelText(label)}"|`
      return `  ${from} ${links[kind]}${named} ${to}`
    }),
  ]
  return `${statements.join('\n')}\n`
}
