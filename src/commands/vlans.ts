import { expectRegion } from '../account/regions'
import { readAll } from '../account/resource'
import type { AnswerRecord } from '../catalogue/operation'
import { regions } from '../catalogue/regions'
import { vlans } from '../catalogue/vlans'
import type { CommandGroup } from '../engine/command'
import { eagerCommands } from '../engine/command-tree'
import { listFlag, textFlag } from '../engine/flag-values'
import { listCommand } from '../engine/list'
import type { Session } from '../engine/session'
import { columnsFor } from '../output/column'

const vlanColumns = columnsFor<AnswerRecord<typeof vlans.list>>(['label', 'region', 'computes', 'created'])

/** Name of the capability in regions. */
const capability = 'vlans'

async function readRegions(session: Session): Promise<{ all: string[]; able: string[] }> {
  const records = await readAll(await session.account.client(), regions.list)
  const able = records.filter(({ capabilities }) => capabilities.some((one) => one.toLowerCase() === capability))
  return { all: records.map(({ id }) => id), able: able.map(({ id }) => id) }
}

/** Throws `not_found` for an unknown region, and warns of one without VLANs. */
async function checkRegion(region: string, session: Session): Promise<void> {
  const { all, able } = await readRegions(session)
  if (able.includes(region)) return
  await expectRegion(region, all)
  await session.ui.warn(`${region} does not support VLANs; these regions do: ${able.join(', ')}`)
}

const list = listCommand(vlans.list, {
  columns: vlanColumns,
  plural: 'VLANs',
  test: 'label~backend',
  key: 'label',
  details: 'VLANs are created with compute instances. Not every region supports them.',
  moreDetails:
    'A VLAN connects compute instances in one broadcast domain of layer 2. An instance with a VLAN cannot be migrated or ' +
    'cloned to a region without them.',
  ownFlags: [{ name: 'region', value: 'text', description: 'Only VLANs of this region', values: 'regions' }],
  examples: [
    { what: 'VLANs of a region', line: 'skyctl vlans list --region us-east' },
    { what: 'Regions that support VLANs', line: 'skyctl regions list --filter capabilities=Vlans --quiet' },
  ],
  async reading({ flags }, session) {
    const region = textFlag(flags, 'region')
    if (region === undefined) return {}
    await checkRegion(region, session)
    return { flags: { ...flags, filter: [...(listFlag(flags, 'filter') ?? []), `region=${region}`] } }
  },
})

const group: CommandGroup = {
  name: 'vlans',
  aliases: ['vlan'],
  summary: 'Virtual local area networks',
  commands: eagerCommands(list),
}

export default group
