import * as actions from '../../account/actions/firewalls'
import { changeCommand } from '../../engine/change-command'
import { Problem } from '../../errors'
import { isKnownStatus } from '../../firewall/status'
import { sentences } from '../sentences'
import { tagChange, tagFlags, withTags } from '../tags'
import { consequenceOfDisabling, guardStatus } from './enforcement-check'
import { firewallForm } from './file-examples'
import { lockoutFlags } from './lockout-flags'
import { firewallColumns } from './resource'

export const updateFirewall = changeCommand({
  name: 'update',
  aliases: ['set'],
  action: actions.updateFirewall,
  columns: firewallColumns,
  input: {
    flags: (derived) => [...derived, ...tagFlags, ...lockoutFlags],
    list: tagChange,
    check(body) {
      if (Object.keys(body).length > 0) return
      throw new Problem('usage', 'nothing to change', {
        hint: 'Pass --label, --status, --tag, --add-tag, --remove-tag or --no-tags; for rules, see "firewalls rules"',
      })
    },
    async complete(body, step) {
      await guardStatus(isKnownStatus(body.status) ? body.status : undefined, step)
      return withTags(body, step)
    },
  },
  question: ({ status }) => (status === 'disabled' ? consequenceOfDisabling : undefined),
  ...sentences['firewalls update'],
  help: {
    details: '--add-tag and --remove-tag keep changes that others make to the tags meanwhile.',
    form: firewallForm,
    examples: [
      {
        what: 'Add one tag and remove another',
        line: 'skyctl firewalls update web --add-tag staging --remove-tag production',
      },
    ],
  },
})
