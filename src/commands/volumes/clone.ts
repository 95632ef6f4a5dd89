import * as actions from '../../account/actions/volumes'
import { changeCommand } from '../../engine/change-command'
import { sizeText } from '../change-messages'
import { volumeColumns } from './columns'

export const cloneVolume = changeCommand({
  name: 'clone',
  action: actions.cloneVolume,
  columns: volumeColumns,
  done: ({ size }, { name }) => `Created ${name}: a copy of ${sizeText(size)}, billed until it is deleted`,
  help: {
    details: 'The copy has the same size and data. Only a volume with the status active can be cloned.',
    examples: [
      { what: 'A copy to try an upgrade on', line: 'skyctl volumes clone data-1 --label data-copy --wait' },
      { what: 'A nightly backup, from cron', line: 'skyctl volumes clone data-1 --label data-1-$(date +%F) --wait' },
    ],
  },
})
