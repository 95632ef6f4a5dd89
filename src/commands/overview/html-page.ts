/** Writes an overview as an HTML page: instances with who may connect, volumes, problems with their fixes. */
import type { AccountName } from '../../account/account'
import type { Finding } from '../../audit/audit'
import { severities } from '../../audit/check'
import { html, joined, type Markup, type Piece } from '../../output/html'
import { linesOf, type PageSection, pageText, tableOf } from '../../output/page'
import { groupBy } from '../../rules/records'
import { counted } from '../../rules/texts'
import type { CommandLine } from '../audit-texts'
import type { NamedService } from './exposure'
import { accessCell, accessSection, firewallsCell, instanceMarkup, nameMarkup, tables } from './html-access'
import { findingsSection } from './html-findings'
import { byRegion, type ListedInstance, type ListedVolume, type Overview, type Protection } from './inventory'
import { addressText, sizeText, unusedLists, volumeText } from './texts'

export interface PageFacts {
  overview: Overview
  /** In the order of severity. */
  problems: readonly Finding[]
  account: AccountName
  /** Milliseconds since the epoch. */
  now: number
  /** Returns command lines for this account. */
  line: CommandLine
}

export function overviewHtml(facts: PageFacts): string {
  const { account, now, overview } = facts
  return pageText({
    title: 'Account',
    account,
    now,
    intro: html`${notRead(overview)}${figures(overview)}`,
    sections: sectionsOf(facts),
    note: 'The API lists no instances: these are all that volumes, addresses, firewalls and VLANs name.',
    tables,
  })
}

function sectionsOf({ overview, problems, line }: PageFacts): PageSection[] {
  const { balancers, other_services, vlans } = overview
  const unused = unusedLists(overview)
  const [others, lans] = [other_services.length > 0, (vlans ?? []).length > 0]
  return [
    { id: 'instances', title: 'Instances', content: instancesTable(overview) },
    ...(balancers.length > 0
      ? [{ id: 'balancers', title: 'Balancers', content: servicesTable('Balancer', balancers, overview) }]
      : []),
    ...(others
      ? [{ id: 'others', title: 'Other services', content: servicesTable('Service', other_services, overview) }]
      : []),
    { id: 'access', title: 'Who may connect', content: accessSection(overview) },
    { id: 'volumes', title: 'Volumes', content: volumesTable(overview) },
    ...(lans ? [{ id: 'vlans', title: 'VLANs', content: vlansTable(overview) }] : []),
    ...(unused.length > 0 ? [{ id: 'unused', title: 'Unused', content: unused.map(unusedBlock) }] : []),
    { id: 'problems', title: 'Problems', content: problemsContent(problems, line) },
  ]
}

const isRead = ({ not_read }: Overview, part: string) => !not_read.some((one) => one.part === part)

/** A part that was not read is named first, so that nobody takes it for empty. */
function notRead({ not_read }: Overview): Markup | undefined {
  if (not_read.length === 0) return undefined
  return html`<div class="notice warning">
<p><strong>Not read</strong></p>
<ul>${not_read.map(({ part, error }) => html`<li>${part}: ${error.message}</li>`)}</ul>
</div>`
}

function figures({ counts, storage, findings }: Overview): Markup {
  const gib = storage && html` <small>${sizeText(storage.total_gib)}</small>`
  const all: [title: string, figure: Piece][] = [
    ['Instances', counts.instances ?? '?'],
    ['Balancers', counts.balancers ?? '?'],
    ['Volumes', html`${counts.volumes ?? '?'}${gib ?? undefined}`],
    ['Addresses', counts.addresses ?? '?'],
    ['VLANs', counts.vlans ?? '?'],
    ['Firewalls', counts.firewalls ?? '?'],
  ]
  const problems = severities.filter((severity) => findings[severity] > 0)
  const links = problems.map((one) => html`<a class="badge ${one}" href="#${one}">${findings[one]} ${one}</a>`)
  return html`<dl class="figures">${all.map(
    ([title, figure]) => html`
<div><dt>${title}</dt><dd>${figure}</dd></div>`,
  )}
</dl>
<p>${problems.length === 0 ? 'No problems of volumes, addresses and firewalls.' : html`Problems of volumes, addresses and firewalls: ${joined(links, ' ')}`}</p>`
}

function instancesTable(overview: Overview): Piece {
  const { instances } = overview
  if (instances.length === 0) return html`<p>None.</p>`
  const regions = [...groupBy(instances, ({ region }) => region)].sort(([one], [other]) => byRegion(one, other))
  return tableOf(
    'instances',
    tables.instances,
    regions.map(([region, own]) => ({
      heading: html`${region ?? 'region unknown'} <small>${counted(own.length, 'instance')}</small>`,
      rows: own.map((one) => instanceRow(one, overview)),
    })),
  )
}

function instanceRow(one: ListedInstance, overview: Overview): Piece[] {
  const listOf = (part: string, texts: readonly string[], look: string) =>
    isRead(overview, part) ? linesOf(texts, look) : 'not read'
  return [
    instanceMarkup(one),
    firewallsCell(one, isRead(overview, 'firewalls')),
    accessCell({ ...one, type: 'compute' }, overview),
    listOf('addresses', one.addresses.map(addressText), 'lines addresses'),
    listOf('volumes', one.volumes.map(volumeText), 'lines'),
  ]
}

function servicesTable(kind: string, services: readonly (NamedService & Protection)[], overview: Overview): Piece {
  const rows = services.map((one) => [
    html`${one.type === 'balancer' ? undefined : `${one.type} `}${nameMarkup(one)}`,
    firewallsCell(one, isRead(overview, 'firewalls')),
    accessCell(one, overview),
  ])
  return tableOf('services', [kind, ...tables.services.slice(1)], [{ rows }])
}

function volumesTable(overview: Overview): Piece {
  const { instances, detached_volumes } = overview
  if (!isRead(overview, 'volumes') && !detached_volumes) return html`<p>Not read.</p>`
  const attached = instances.flatMap((one) => one.volumes.map((volume) => volumeRow(volume, instanceMarkup(one))))
  const others = (detached_volumes ?? []).map((volume) =>
    volumeRow(volume, html`<span class="badge warning">${volume.attached === false ? 'detached' : 'unknown'}</span>`),
  )
  const rows = [...attached, ...others]
  return rows.length === 0 ? html`<p>None.</p>` : tableOf('volumes', tables.volumes, [{ rows }])
}

const volumeRow = (volume: ListedVolume, instance: Markup): Piece[] => [
  nameMarkup(volume),
  sizeText(volume.size),
  instance,
  volume.region ?? '-',
  volume.status ?? '-',
]

function vlansTable({ vlans, instances }: Overview): Piece {
  const names = new Map(instances.map((one) => [one.id, instanceMarkup(one)]))
  const rows = (vlans ?? []).map(({ label, region, computes }) => {
    const members = computes?.map((id) => names.get(id) ?? instanceMarkup({ id, label: null }))
    return [
      html`<bdi>${label}</bdi>`,
      region ?? '-',
      members === undefined ? 'unknown' : members.length === 0 ? 'none' : joined(members, ', '),
    ]
  })
  return tableOf('vlans', tables.vlans, [{ rows }])
}

const unusedBlock = ({ title, names }: ReturnType<typeof unusedLists>[number]) => html`
<h3>${title}</h3>
<p>${joined(names, ', ')}</p>`

function problemsContent(problems: readonly Finding[], line: CommandLine): Piece {
  return html`<p class="quiet">These are the problems of the resources on this page. One click selects a command; words in capitals are yours to replace. The whole check, with tokens, keys and the profile: <code>${line(['audit'])}</code></p>
${findingsSection(problems, line)}`
}
