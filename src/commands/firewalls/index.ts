import { firewalls } from '../../catalogue/firewalls'
import type { Group } from '../../engine/command'
import { listCommand } from '../../engine/list'
import { createFirewall } from './create'
import { deleteFirewall } from './delete'
import { devices } from './devices'
import { firewallColumns } from './resource'
import { rules } from './rules'
import { disableFirewall, enableFirewall } from './status'
import { testFirewall } from './test'
import { updateFirewall } from './update'
import { viewFirewall } from './view'

const group: Group = {
  name: 'firewalls',
  aliases: ['firewall'],
  summary: 'Firewalls, their rules and what they protect',
  commands: [
    listCommand(firewalls.list, {
      columns: firewallColumns,
      plural: 'firewalls',
      examples: [{ what: 'Firewalls with a tag', line: 'skyctl firewalls list --filter tags=production' }],
    }),
    createFirewall,
    viewFirewall,
    updateFirewall,
    enableFirewall,
    disableFirewall,
    deleteFirewall,
    testFirewall,
    devices,
    rules,
  ],
}

export default group
