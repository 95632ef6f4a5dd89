import { setStatus } from '../../account/actions/firewalls'
import { changeCommand } from '../../engine/change-command'
import { sentences } from '../change-messages'
import { disabling } from './ended-protection'
import { firewallColumns } from './resource'
import { lockoutFlags, lockoutHelp, lockoutOptions } from './safety-flags'

export const enableFirewall = changeCommand({
  name: 'enable',
  action: setStatus('enabled'),
  columns: firewallColumns,
  input: {
    accepts: 'several',
    flags: (derived) => [...derived, ...lockoutFlags],
    options: lockoutOptions,
  },
  ...sentences['firewalls enable'],
  help: {
    summary: 'Enable firewalls',
    details:
      'Fails if another enabled firewall is assigned to the same service, or an instance is in a live migration.',
    examples: [
      {
        what: 'Switch from one firewall to another',
        line: 'skyctl firewalls disable web --yes && skyctl firewalls enable web-strict --yes',
      },
    ],
  },
})

export const disableFirewall = changeCommand({
  name: 'disable',
  action: setStatus('disabled'),
  columns: firewallColumns,
  input: { accepts: 'several' },
  question: (_body, context) => disabling(context),
  ...sentences['firewalls disable'],
  help: {
    summary: 'Disable firewalls; they keep rules and devices',
    details: lockoutHelp,
    examples: [{ what: 'Check whether a firewall blocks something', line: 'skyctl firewalls disable web' }],
  },
})
