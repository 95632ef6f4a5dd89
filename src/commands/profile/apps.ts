import { revokeApp } from '../../account/actions/profile'
import { appResource } from '../../account/resources/profile'
import { apps } from '../../catalogue/profile/apps'
import { tokens } from '../../catalogue/tokens'
import { changeCommand } from '../../engine/change-command'
import { columns } from '../../engine/columns'
import { type CommandGroup, eagerCommands, type Flag } from '../../engine/command'
import { listCommand } from '../../engine/list'
import { viewCommand } from '../../engine/view-command'
import { Problem } from '../../errors'
import type { Session } from '../../session'
import { expiryColumn } from '../tokens/columns'
import { isInUse } from '../tokens/in-use'

const appColumns = columns(apps.list, ['id', 'label', 'scopes', 'created', expiryColumn])

const forceFlag: Flag = {
  name: 'force',
  oldNames: ['even-if-current'],
  description: 'Revoke it even if the current token may belong to it',
}

/** Reports whether the current token may belong to an app: any OAuth token may, as it does not name its app. */
async function mayBeCurrent(session: Session): Promise<boolean> {
  const client = await session.account.client()
  for await (const page of client.pages(tokens.list)) {
    for (const token of page) if (await isInUse(token, session)) return false
  }
  return true
}

const revoke = changeCommand({
  name: 'revoke',
  aliases: ['delete', 'rm', 'remove'],
  action: revokeApp,
  columns: appColumns,
  input: {
    accepts: 'several',
    flags: () => [forceFlag],
    async check(_body, { flags, dry, session }) {
      if (dry || flags.force || !(await mayBeCurrent(session))) return
      throw new Problem('usage', 'the current token belongs to an OAuth app, and may be revoked with it', {
        hint: 'Add --force to revoke it anyway',
      })
    },
  },
  question:
    () =>
    ({ names, several }) =>
      `${several ? 'They' : 'It'} will lose access to the account at once. Revoke ${names}`,
  done: (_answer, { name }) => `Revoked ${name}`,
  help: {
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
