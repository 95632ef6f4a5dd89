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
    'Either --region or --compute-id is required, unless the context has a region (see "context update"). With NDJSON, --body creates a volume for each line; see "help bulk".',
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
      what: 'Create a volume and wait until it is ready',
      line: 'skyctl volumes create --label data --size 40 --region us-east --wait',
    },
    {
      what: 'Create an attached volume, in the region of the instance',
      line: 'skyctl volumes create --label data --compute-id 1001',
    },
    {
      what: 'Create it only once, and print its id',
      line: 'skyctl volumes create --label data --size 40 --region us-east --if-absent --quiet',
    },
    {
      what: 'Create one for each line; --resume continues after a crash',
      line: 'skyctl volumes create --body volumes.ndjson --journal done.ndjson',
    },
  ],
})
