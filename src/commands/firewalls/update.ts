import { firewalls } from '../../catalogue/firewalls'
import { changeCommand } from '../../engine/change-command'
import { Problem } from '../../errors'
import { isKnownStatus } from '../../firewall/status'
import { keepingTags, tagFlags, withTags } from '../tags'
import { guardStatus } from './enforcement-check'
import { firewallForm } from './file-examples'
import { lockoutFlags, lockoutHelp } from './lockout-flags'
import { firewallColumns, firewallResource } from './resource'
import { consequenceOfDisabling } from './status'

export const updateFirewall = changeCommand({
  name: 'update',
  aliases: ['set'],
  details: `--add-tag and --remove-tag keep changes that others make to the tags at the same time. ${lockoutHelp}`,
  operation: firewalls.update,
  resource: firewallResource,
  columns: firewallColumns,
  form: firewallForm,
  flags: (made) => [...made, ...tagFlags, ...lockoutFlags],
  async body(given, step) {
    await guardStatus(isKnownStatus(given.status) ? given.status : undefined, step)
    return withTags(given, step)
  },
  update: keepingTags,
  check(body) {
    if (Object.keys(body).length > 0) return
    throw new Problem('usage', 'nothing to change', {
      hint: 'Pass --label, --status, --tag, --add-tag, --remove-tag or --no-tags; for rules, see "firewalls rules"',
    })
  },
  question: ({ status }) => (status === 'disabled' ? consequenceOfDisabling : undefined),
  done: (_answer, { name }) => `Updated ${name}`,
  examples: [
    {
      what: 'Add one tag and remove another',
      line: 'skyctl firewalls update web --add-tag staging --remove-tag production',
    },
  ],
})
