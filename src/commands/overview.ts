import { firewallDevices, firewalls } from '../catalogue/firewalls'
import { ips } from '../catalogue/ips'
import { profile } from '../catalogue/profile/profile'
import { vlans } from '../catalogue/vlans'
import { volumes } from '../catalogue/volumes'
import type { Command } from '../engine/command'
import { extraFormatOf, outputFlagWithFormats } from '../engine/extra-formats'
import { outputFlags } from '../engine/flags'
import { viewOf } from '../engine/printing'
import { columnsFor, type FieldPath } from '../output/column'
import type { Overview } from './overview/inventory'

const columns = columnsFor<Overview>([
  'counts.instances',
  'counts.balancers',
  'counts.volumes',
  'counts.addresses',
  'counts.vlans',
  'counts.firewalls',
])
const others: readonly FieldPath<Overview>[] = [
  'storage.total_gib',
  'storage.detached_gib',
  'storage.unknown_sizes',
  'instances',
  'balancers',
  'other_services',
  'detached_volumes',
  'unassigned_addresses',
  'vlans',
  'firewalls',
  'exposure',
  'findings.critical',
  'findings.high',
  'findings.medium',
  'findings.low',
  'not_read',
  'format_version',
]
const fields = [...columns.map(({ path }) => path), ...others]

const command: Command = {
  name: 'overview',
  summary: 'Show the account as text, diagram or page',
  paged: true,
  details:
    'Shows instances with their firewalls, addresses and volumes, what is exposed, what is unused, and the counts. The API ' +
    'lists no instances: these are all that volumes, addresses, firewalls and VLANs name. What the token may not read is ' +
    'named as not read. Pipes and --json have everything; a terminal shows what fits. CSV and TSV have a line of ' +
    'counts, and --quiet prints instance ids.',
  operations: [volumes.list, ips.list, firewalls.list, firewallDevices.list, vlans.list, profile.grants],
  flags: [...outputFlagWithFormats(['mermaid', 'html']), ...outputFlags],
  examples: [
    { what: 'The account on one screen', line: 'skyctl overview' },
    { what: 'A page to read on a phone, print or archive', line: 'skyctl overview -o html > account.html' },
    { what: 'A diagram for a wiki', line: 'skyctl overview -o mermaid > account.mmd' },
    { what: 'Instances without a firewall', line: "skyctl overview --query 'instances[?protected==`false`].id'" },
  ],
  async run({ flags }, session) {
    const view = await viewOf({ fields, columns }, flags, session)
    const own = extraFormatOf(flags)
    const { showOverview } = await import('./overview/show')
    await showOverview({ own, view, flags }, session)
  },
}

export default command
