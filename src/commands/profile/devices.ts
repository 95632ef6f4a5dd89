import { revokeDevice } from '../../account/actions/profile'
import { trustedDevice } from '../../account/resources/profile'
import type { AnswerRecord } from '../../catalogue/operation'
import { devices } from '../../catalogue/profile/devices'
import { changeCommand } from '../../engine/change-command'
import type { CommandGroup } from '../../engine/command'
import { eagerCommands } from '../../engine/command-tree'
import { listCommand } from '../../engine/list'
import { viewCommand } from '../../engine/view-command'
import { columnsFor } from '../../output/column'

const deviceColumns = columnsFor<AnswerRecord<typeof devices.list>>([
  'id',
  'user_agent',
  'last_remote_addr',
  'last_authenticated',
  'expiry',
])

const group: CommandGroup = {
  name: 'devices',
  aliases: ['device'],
  summary: 'Trusted devices, which need no code',
  commands: eagerCommands(
    listCommand(devices.list, {
      columns: deviceColumns,
      plural: 'trusted devices',
      test: 'created<90d',
      details: 'A trusted device is a browser that was remembered at a login, typically for 30 days.',
      examples: [{ what: 'Most recently used last', line: 'skyctl profile devices list --sort last_authenticated' }],
    }),
    viewCommand(trustedDevice, {
      columns: deviceColumns,
      examples: [
        { what: 'The full user agent of its browser', line: 'skyctl profile devices view 1 --query user_agent -o tsv' },
      ],
    }),
    changeCommand({
      name: 'revoke',
      aliases: ['delete', 'rm', 'remove'],
      action: revokeDevice,
      columns: deviceColumns,
      input: { accepts: 'several' },
      question:
        () =>
        ({ names, several }) =>
          `${several ? 'Their browsers' : 'Its browser'} must log in again, even if you use it now. Revoke ${names}`,
      done: (_answer, { name }) => `Revoked ${name}`,
      help: {
        details: 'The device must log in again.',
        examples: [
          {
            what: 'All of them, after a laptop was stolen',
            line: 'skyctl profile devices list --quiet | skyctl profile devices revoke - --yes',
          },
        ],
      },
    }),
  ),
}

export default group
