import * as actions from '../../account/actions/firewalls'
import { changeCommand } from '../../engine/change-command'
import { withDescriptions } from '../../engine/change-flags'
import { Problem } from '../../errors'
import { sentences } from '../change-messages'
import { tagFlags, tagOptions, withTags } from '../tag-flags'
import { disabling } from './ended-protection'
import { firewallForm } from './file-examples'
import { firewallColumns, labelHelp, labelText } from './resource'
import { lockoutFlags, lockoutOptions } from './safety-flags'

export const updateFirewall = changeCommand({
  name: 'update',
  aliases: ['set'],
  action: actions.updateFirewall,
  columns: firewallColumns,
  input: {
    accepts: 'several',
    flags: (derived) => [...withDescriptions(derived, { label: labelText }), ...tagFlags, ...lockoutFlags],
    options: async (flags, session) => ({ ...tagOptions(flags), ...(await lockoutOptions(flags, session)) }),
    complete: withTags,
    check(body) {
      if (Object.keys(body).length > 0) return
      throw new Problem('usage', 'nothing to change', {
        hint: 'Pass --label, --status, --tag, --add-tag, --remove-tag or --no-tags; for rules, see "firewalls rules"',
      })
    },
  },
  question: ({ status }, context) => (status === 'disabled' ? disabling(context) : undefined),
  ...sentences['firewalls update'],
  help: {
    moreDetails:
      `--add-tag and --remove-tag keep changes that others make to the tags meanwhile. ${labelHelp} A firewall cannot be enabled while another enabled one is assigned to the same service, or an instance is in a live ` +
      'migration. The tag "protected" protects the firewall from deletion.',
    form: firewallForm,
    examples: [
      {
        what: 'Add one tag and remove another',
        line: 'skyctl firewalls update web --add-tag staging --remove-tag production',
      },
    ],
  },
})
