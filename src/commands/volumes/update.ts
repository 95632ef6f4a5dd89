import * as actions from '../../account/actions/volumes'
import { changeCommand } from '../../engine/change-command'
import { Problem } from '../../errors'
import { sentences } from '../change-messages'
import { tagFlags, tagOptions, withTags } from '../tag-flags'
import { volumeColumns } from './columns'

export const updateVolume = changeCommand({
  name: 'update',
  aliases: ['set'],
  action: actions.updateVolume,
  columns: volumeColumns,
  input: {
    accepts: 'several',
    flags: (derived) => [...derived, ...tagFlags],
    options: tagOptions,
    complete: withTags,
    check(body) {
      if (Object.keys(body).length > 0) return
      throw new Problem('usage', 'nothing to change', {
        hint: 'Pass --label, --tag, --add-tag, --remove-tag or --no-tags',
      })
    },
  },
  ...sentences['volumes update'],
  help: {
    details:
      '--add-tag and --remove-tag keep changes that others make to the tags meanwhile. The tag "protected" protects the volume ' +
      'from deletion.',
    moreDetails:
      'A label has 1 to 32 characters. The path of the device ends with it, so a new label changes the path at once.',
    examples: [
      {
        what: 'Rename a volume; its filesystem_path changes with it',
        line: 'skyctl volumes update data-2 --label archive',
      },
      {
        what: 'Protect volumes: nobody can delete them by mistake',
        line: 'skyctl volumes update data-1 database --add-tag protected',
      },
      {
        what: 'Add one tag and remove another',
        line: 'skyctl volumes update data-1 --add-tag staging --remove-tag production',
      },
    ],
  },
})
