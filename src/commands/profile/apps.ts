import { revokeApp } from '../../account/actions/profile'
import { appResource } from '../../account/resources/profile'
import type { AnswerRecord } from '../../catalogue/operation'
import { apps } from '../../catalogue/profile/apps'
import { changeCommand } from '../../engine/change-command'
import type { CommandGroup, Flag } from '../../engine/command'
import { eagerCommands } from '../../engine/command-tree'
import { listCommand } from '../../engine/list'
import { viewCommand } from '../../engine/view-command'
import { columnsFor } from '../../output/column'
import { expiryColumn } from '../tokens/columns'

const appColumns = columnsFor<AnswerRecord<typeof apps.list>>([
  'id',
  'label',
  'scopes',
  { path: 'created', priority: 'low' },
  expiryColumn,
])

const forceFlag: Flag = {
  name: 'force',
  oldNames: ['even-if-current'],
  description: 'Revoke it even if the current token may belong to it',
}

const revoke = changeCommand({
  name: 'revoke',
  aliases: ['delete', 'rm', 'remove'],
  action: revokeApp,
  columns: appColumns,
  input: { accepts: 'several', flags: () => [forceFlag] },
  question:
    () =>
    ({ names, several }) =>
      `${several ? 'They' : 'It'} will lose access to the account at once. Revoke ${names}`,
  done: (_answer, { name }) => `Revoked ${name}`,
  help: {
    details: 'The token of the app expires, and the app can no longer access the account.',
    examples: [{ what: 'Revoke the access of an app', line: 'skyctl profile apps revoke backups' }],
  },
})

const group: CommandGroup = {
  name: 'apps',
  aliases: ['app'],
  summary: 'OAuth apps with access to the account',
  commands: eagerCommands(
    listCommand(apps.list, {
      columns: appColumns,
      plural: 'apps',
      test: 'scopes~volumes',
      examples: [
        { what: 'Apps that may change volumes', line: 'skyctl profile apps list --filter scopes~volumes:read_write' },
      ],
    }),
    viewCommand(appResource, {
      columns: appColumns,
      examples: [{ what: 'The scopes of an app', line: 'skyctl profile apps view backups --columns label,scopes' }],
    }),
    revoke,
  ),
}

export default group
