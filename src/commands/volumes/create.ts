import { usualSize, volumes } from '../../catalogue/volumes'
import { changeCommand } from '../../engine/change-command'
import { checkLabel } from '../../engine/duplicate-labels'
import { allowDuplicateFlag, ifAbsentFlag } from '../../engine/flags'
import { compareFields } from '../../engine/label-lookup'
import { active, sizeText, volumeColumns, volumeResource } from './resource'

export const createVolume = changeCommand({
  name: 'create',
  aliases: ['add'],
  operation: volumes.create,
  flagNames: { region: '--region or --compute-id' },
  resource: volumeResource,
  columns: volumeColumns,
  batch: true,
  details:
    'Either --region or --compute-id is required, unless the context has a region (see "context update"). Of NDJSON, an object a line, --body makes a volume of each line; see "help bulk".',
  async body(body, { session }) {
    if (body.region !== undefined || body.compute_id !== undefined) return body
    const { region } = await session.defaults()
    return region === undefined ? body : { ...body, region }
  },
  flags: (made) => [...made, ifAbsentFlag, allowDuplicateFlag],
  async check({ region, label }, step) {
    if (!step.dry) await (await import('../check-region')).checkRegion(region, step.session)
    await checkLabel(label, volumeResource, step)
  },
  compare: (volume, body) => compareFields(volume, { size: usualSize, ...body }),
  done: ({ size, region }, { name }) =>
    `Created ${name}: ${sizeText(size)} in ${region ?? 'its region'}, billed until it is deleted`,
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
    {
      what: 'Once, however often the script runs; its id is printed either way',
      line: 'skyctl volumes create --label data --size 40 --region us-east --if-absent --quiet',
    },
    {
      what: 'One of each line of a file; after a crash, --resume goes on',
      line: 'skyctl volumes create --body volumes.ndjson --journal done.ndjson',
    },
  ],
})
