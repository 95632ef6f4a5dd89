import { type Action, recordShows } from '../../account/action'
import { firewalls } from '../../catalogue/firewalls'
import { changeCommand } from '../../engine/change-command'
import type { CommandContext } from '../../engine/command-context'
import type { Names } from '../../engine/confirm'
import { guardStatus } from './enforcement-check'
import { lockoutFlags, lockoutHelp } from './lockout-flags'
import { firewallColumns, firewallResource } from './resource'

export const consequenceOfDisabling = ({ names, several }: Names<unknown>) =>
  `${several ? 'Their' : 'Its'} rules will protect nothing. Disable ${names}`

/** Returns the action that sets the status of a firewall. */
const setStatus = (status: 'enabled' | 'disabled'): Action<typeof firewalls.update, CommandContext> => ({
  operation: firewalls.update,
  resource: firewallResource,
  body: { status },
  check: (_, step) => guardStatus(status, step),
  findDone: recordShows('status', (firewall) => firewall.status === status),
})

export const enableFirewall = changeCommand({
  name: 'enable',
  action: setStatus('enabled'),
  columns: firewallColumns,
  input: { accepts: 'several', flags: (made) => [...made, ...lockoutFlags] },
  already: ({ name }) => `${name} is already enabled`,
  done: (_answer, { name }) => `Enabled ${name}`,
  help: {
    summary: 'Enable firewalls',
    details: `Fails if another enabled firewall is assigned to the same service. ${lockoutHelp}`,
    examples: [
      {
        what: 'Switch from one firewall to another',
        line: 'skyctl firewalls disable web --yes && skyctl firewalls enable web-strict',
      },
    ],
  },
})

export const disableFirewall = changeCommand({
  name: 'disable',
  action: setStatus('disabled'),
  columns: firewallColumns,
  input: { accepts: 'several' },
  question: () => consequenceOfDisabling,
  already: ({ name }) => `${name} is already disabled`,
  done: (_answer, { name }) => `Disabled ${name}: its rules protect nothing`,
  help: {
    summary: 'Disable firewalls; they keep rules and devices',
    details: lockoutHelp,
    examples: [{ what: 'Check whether a firewall blocks something', line: 'skyctl firewalls disable web' }],
  },
})
