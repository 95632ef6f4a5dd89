import * as actions from '../../account/actions/firewalls'
import { changeCommand } from '../../engine/change-command'
import { sentences } from '../change-messages'
import { endingProtection } from './ended-protection'
import { firewallColumns } from './resource'
import { lockoutHelp } from './safety-flags'

export const deleteFirewall = changeCommand({
  name: 'delete',
  aliases: ['rm', 'remove'],
  action: actions.deleteFirewall,
  columns: firewallColumns,
  input: { accepts: 'several' },
  question: (_body, context) =>
    endingProtection(
      {
        consequence: ({ several }) =>
          `Everything ${several ? 'they protect' : 'it protects'} will be open to all traffic`,
        question: ({ names, several }) => `Delete ${names} and ${several ? 'their' : 'its'} rules`,
      },
      context,
    ),
  ...sentences['firewalls delete'],
  help: {
    details: lockoutHelp,
    examples: [
      {
        what: 'Keep its rules first',
        line: 'skyctl firewalls rules list web -o yaml > web.yaml && skyctl firewalls delete web',
      },
    ],
  },
})
