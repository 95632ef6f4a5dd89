import { setStatus } from '../../account/actions/firewalls'
import { changeCommand } from '../../engine/change-command'
import type { Names } from '../../engine/confirm'
import { guardStatus } from './enforcement-check'
import { lockoutFlags, lockoutHelp } from './lockout-flags'
import { firewallColumns } from './resource'

export const consequenceOfDisabling = ({ names, several }: Names<unknown>) =>
  `${several ? 'Their' : 'Its'} rules will protect nothing. Disable ${names}`

export const enableFirewall = changeCommand({
  name: 'enable',
  action: setStatus('enabled'),
  columns: firewallColumns,
  input: {
    accepts: 'several',
    flags: (made) => [...made, ...lockoutFlags],
    check: (_, step) => guardStatus('enabled', step),
  },
  already: ({ name }) => `${name} is already enabled`,
  done: (_answer, { name }) => `Enabled ${name}`,
  help: {
    summary: 'Enable firewalls',
    details: 'Fails if another enabled firewall is assigned to the same service.',
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
  input: { accepts: 'several', check: (_, step) => guardStatus('disabled', step) },
  question: () => consequenceOfDisabling,
  already: ({ name }) => `${name} is already disabled`,
  done: (_answer, { name }) => `Disabled ${name}: its rules protect nothing`,
  help: {
    summary: 'Disable firewalls; they keep rules and devices',
    details: lockoutHelp,
    examples: [{ what: 'Check whether a firewall blocks something', line: 'skyctl firewalls disable web' }],
  },
})
