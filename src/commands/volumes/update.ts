import { volumes } from '../../catalogue/volumes'
import { changeCommand } from '../../engine/change-command'
import { columns } from '../../engine/columns'
import { checkLabel } from '../../engine/duplicate-labels'
import { allowDuplicateFlag } from '../../engine/flags'
import { Problem } from '../../errors'
import { keepingTags, tagFlags, withTags } from '../tags'
import { volumeColumns, volumeResource } from './resource'

export const updateVolume = changeCommand({
  name: 'update',
  aliases: ['set'],
  details: '--add-tag and --remove-tag keep changes that others make to the tags at the same time.',
  operation: volumes.update,
  resource: volumeResource,
  columns: [...volumeColumns, ...columns(volumes.update, ['tags'])],
  flags: (made) => [...made, ...tagFlags, allowDuplicateFlag],
  body: withTags,
  update: keepingTags,
  async check(body, step) {
    if (Object.keys(body).length === 0) {
      throw new Problem('usage', 'nothing to change', {
        hint: 'Pass --label, --tag, --add-tag, --remove-tag or --no-tags',
      })
    }
    await checkLabel(body.label, volumeResource, step, await step.record())
  },
  done: ({ filesystem_path }, { name, body: { label } }) =>
    label === undefined
      ? `Updated ${name}`
      : `Updated ${name}; it is now at ${filesystem_path}: mount entries with another path break`,
  examples: [
    {
      what: 'Rename a volume; its filesystem_path changes with it',
      line: 'skyctl volumes update data-2 --label archive',
    },
    {
      what: 'Add one tag and remove another',
      line: 'skyctl volumes update data-1 --add-tag staging --remove-tag production',
    },
  ],
})
