import { firewallDevices, firewalls } from '../catalogue/firewalls'
import { ips } from '../catalogue/ips'
import { profile } from '../catalogue/profile/profile'
import { vlans } from '../catalogue/vlans'
import { volumes } from '../catalogue/volumes'
import type { Command } from '../engine/command'
import { outputFlags } from '../engine/flags'
import { outputFlagWith, ownFormatOf } from '../engine/own-format'
import { viewOf } from '../engine/printing'
import { columnsFor, type FieldPath } from '../output/column'
import { drawings } from './overview/diagram-formats'
import type { OverviewRow } from './overview/rows'

const fields: readonly FieldPath<OverviewRow>[] = ['kind', 'id', 'label', 'region', 'compute_id', 'size', 'firewall']

const command: Command = {
  name: 'overview',
  summary: 'Show the account on one screen or diagram',
  paged: true,
  details:
    'Shows instances with their firewalls, addresses and volumes, what is exposed, what is unused, and the counts. The API ' +
    'lists no instances: these are all that volumes, addresses, firewalls and VLANs name. What the token may not read is ' +
    'named as not read. Pipes and --json have everything; a terminal shows what fits. CSV, TSV and --columns have a line ' +
    'for each resource.',
  operations: [volumes.list, ips.list, firewalls.list, firewallDevices.list, vlans.list, profile.grants],
  flags: [...outputFlagWith(drawings), ...outputFlags],
  examples: [
    { what: 'The account on one screen', line: 'skyctl overview' },
    { what: 'A diagram for a wiki', line: 'skyctl overview -o mermaid > account.mmd' },
    { what: 'Instances without a firewall', line: "skyctl overview --query 'instances[?protected==`false`].id'" },
  ],
  async run({ flags }, session) {
    const view = await viewOf({ fields, columns: columnsFor<OverviewRow>(fields) }, flags, session)
    const drawing = ownFormatOf(flags)
    const { showOverview } = await import('./overview/show')
    await showOverview({ drawing, view }, session)
  },
}

export default command
