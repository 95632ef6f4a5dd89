import { volumes } from '../../catalogue/volumes'
import { changeCommand } from '../../engine/change-command'
import { checkRegion } from '../known-regions'
import { active, volumeColumns, volumeResource } from './resource'

export const createVolume = changeCommand({
  name: 'create',
  aliases: ['add'],
  operation: volumes.create,
  resource: volumeResource,
  columns: volumeColumns,
  async body(body, { context }) {
    if (body.region !== undefined || body.compute_id !== undefined) return body
    const { region } = await context.defaults()
    return region === undefined ? body : { ...body, region }
  },
  check: ({ region }, { context, dry }) => (dry ? undefined : checkRegion(region, context)),
  done: ({ size, region }, { name }) => `Created ${name}: ${size} GiB in ${region}, billed until it is deleted`,
  wait: () => active,
  examples: [
    {
      what: 'A volume of 40 GiB, ready when the command ends',
      line: 'skyctl volumes create --label data --size 40 --region us-east --wait',
    },
    {
      what: 'Attached from the start; the region is that of the compute instance',
      line: 'skyctl volumes create --label data --compute-id 1001',
    },
    { what: 'Just the id, for a script', line: 'id=$(skyctl volumes create --label data --region us-east --quiet)' },
  ],
})
