/** Checks of volumes. */
import { isMissing } from '../../catalogue/normalize'
import { auditCheck } from '../check'

export const volumeUnattached = auditCheck({
  code: 'volume-unattached',
  severity: 'low',
  title: 'Volumes are billed but not attached',
  needs: ['volumes'],
  find: ({ volumes }) =>
    volumes
      .filter((volume) => volume.compute_id === null && !isMissing(volume, 'compute_id'))
      .map(({ id, label, size, region }) => ({
        subject: { kind: 'volume', id, label },
        reason: `${size ?? '-'} GiB in ${region ?? '-'}; deleting it destroys its data`,
        command: ['volumes', 'attach', String(id), '--compute-id', 'COMPUTE_ID'],
        alternatives: [['volumes', 'delete', String(id)]],
      })),
})
