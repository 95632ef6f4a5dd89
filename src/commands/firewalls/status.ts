import { firewalls } from '../../catalogue/firewalls'
import { changeCommand, recordShows } from '../../engine/change-command'
import type { Names } from '../../engine/confirm'
import { guardStatus } from './enforcement-check'
import { lockoutFlags, lockoutHelp } from './lockout-flags'
import { firewallColumns, firewallResource } from './resource'

export const consequenceOfDisabling = ({ names, several }: Names<unknown>) =>
  `${several ? 'Their' : 'Its'} rules will protect nothing. Disable ${names}`

const status = {
  operation: firewalls.update,
  resource: firewallResource,
  columns: firewallColumns,
  many: true,
} as const

export const enableFirewall = changeCommand({
  ...status,
  name: 'enable',
  summary: 'Enable firewalls',
  body: { status: 'enabled' },
  details: `Fails if another enabled firewall is assigned to the same service. ${lockoutHelp}`,
  flags: (made) => [...made, ...lockoutFlags],
  check: (_, step) => guardStatus('enabled', step),
  findDone: recordShows('status', ({ status }) => status === 'enabled'),
  noopMessage: ({ name }) => `${name} is already enabled`,
  done: (_answer, { name }) => `Enabled ${name}`,
  examples: [
    {
      what: 'Switch from one firewall to another',
      line: 'skyctl firewalls disable web --yes && skyctl firewalls enable web-strict',
    },
  ],
})

export const disableFirewall = changeCommand({
  ...status,
  name: 'disable',
  summary: 'Disable firewalls; they keep rules and devices',
  body: { status: 'disabled' },
  details: lockoutHelp,
  check: (_, step) => guardStatus('disabled', step),
  question: () => consequenceOfDisabling,
  findDone: recordShows('status', ({ status }) => status === 'disabled'),
  noopMessage: ({ name }) => `${name} is already disabled`,
  done: (_answer, { name }) => `Disabled ${name}: its rules protect nothing`,
  examples: [{ what: 'Check whether a firewall blocks something', line: 'skyctl firewalls disable web' }],
})
