import * as actions from '../../account/actions/volumes'
import { changeCommand } from '../../engine/change-command'
import { ifAbsentFlag } from '../../engine/change-flags'
import { sentences } from '../change-messages'
import { volumeColumns } from './columns'

export const createVolume = changeCommand({
  name: 'create',
  aliases: ['add'],
  action: actions.createVolume,
  columns: volumeColumns,
  input: {
    names: { region: '--region or --compute-id' },
    accepts: 'lines',
    async check({ region }, { account, dry }) {
      if (!dry) await (await import('../../account/regions')).checkRegion(region, account)
    },
    async defaults(body, { session }) {
      if (body.region !== undefined || body.compute_id !== undefined) return body
      const { region } = await session.config.defaults()
      return region === undefined ? body : { ...body, region }
    },
    flags: (derived) => [...derived, ifAbsentFlag],
  },
  ...sentences['volumes create'],
  help: {
    details:
      'Either --region or --compute-id is required, unless the context has a region. The default size is 20 GiB.',
    moreDetails:
      'With NDJSON, --body creates a volume for each line: see "skyctl help bulk". Without --compute-id the volume is unattached. A label has 1 to 32 characters, and the path of the device ends ' +
      'with it. "skyctl context update" sets the default region.',
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
  },
})
