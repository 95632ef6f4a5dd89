import { firewalls } from '../../catalogue/firewalls'
import { changeCommand } from '../../engine/change-command'
import { guardStatus } from './enforcement-check'
import { lockoutHelp } from './lockout-flags'
import { firewallColumns, firewallResource } from './resource'

export const deleteFirewall = changeCommand({
  name: 'delete',
  aliases: ['rm', 'remove'],
  operation: firewalls.delete,
  resource: firewallResource,
  columns: firewallColumns,
  many: true,
  details: lockoutHelp,
  check: (_, step) => guardStatus('deleted', step),
  question:
    () =>
    ({ names, several }) =>
      `Everything ${several ? 'they protect' : 'it protects'} will be open to all traffic. ` +
      `Delete ${names} and ${several ? 'their' : 'its'} rules`,
  done: (_answer, { name }) => `Deleted ${name}`,
  examples: [
    {
      what: 'Keep its rules first',
      line: 'skyctl firewalls rules list web -o yaml > web.yaml && skyctl firewalls delete web',
    },
  ],
})
