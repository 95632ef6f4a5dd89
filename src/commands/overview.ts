import { firewallDevices, firewalls } from '../catalogue/firewalls'
import { ips } from '../catalogue/ips'
import { profile } from '../catalogue/profile/profile'
import { vlans } from '../catalogue/vlans'
import { volumes } from '../catalogue/volumes'
import type { Command, Flag, Flags } from '../engine/command'
import { textFlag } from '../engine/flag-values'
import { globalFlags, outputFlags } from '../engine/flags'
import { viewOf } from '../engine/printing'
import { Problem } from '../errors'
import { columnsFor, type FieldPath } from '../output/column'
import { formatNames } from '../output/formats'
import { drawings } from './overview/diagram-formats'
import type { OverviewRow } from './overview/rows'

const values = [...formatNames, ...drawings]

/** The global flag with two more formats, which only a picture has. */
const outputFlag: readonly Flag[] = globalFlags
  .filter(({ name }) => name === 'output')
  .map(({ group: _, ...flag }) => ({ ...flag, description: `Print as ${values.join(', ')}`, values }))

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
  flags: [...outputFlag, ...outputFlags],
  examples: [
    { what: 'The account on one screen', line: 'skyctl overview' },
    { what: 'A diagram for a wiki', line: 'skyctl overview -o mermaid > account.mmd' },
    { what: 'Instances without a firewall', line: "skyctl overview --query 'instances[?protected==`false`].id'" },
  ],
  async run({ flags }, session) {
    const view = await viewOf({ fields, columns: columnsFor<OverviewRow>(fields) }, flags, session)
    const drawing = drawingOf(flags)
    const { showOverview } = await import('./overview/show')
    await showOverview({ drawing, view }, session)
  },
}

export default command

const surplus = ['query', 'columns', 'headers', 'raw']

/** Returns the kind of picture; throws `usage` for flags of other formats beside it. */
function drawingOf(flags: Flags): string | undefined {
  const drawing = textFlag(flags, 'drawing')
  const other = drawing && surplus.find((name) => flags[name] !== undefined)
  if (!other) return drawing
  const form = flags[other] === false ? `no-${other}` : other
  throw new Problem('usage', `--${form} and --output ${drawing} contradict each other`)
}
