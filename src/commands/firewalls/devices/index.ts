import * as actions from '../../../account/actions/firewalls'
import { findTarget, parseTarget } from '../../../account/resource'
import { deviceResource, firewallResource } from '../../../account/resources/firewall'
import { firewallDevices } from '../../../catalogue/firewalls'
import { changeCommand } from '../../../engine/change-command'
import { type Command, type CommandGroup, eagerCommands } from '../../../engine/command'
import { listFlags } from '../../../engine/flags'
import { printPages } from '../../../engine/list'
import { targetArguments } from '../../../engine/targets'
import { viewCommand } from '../../../engine/view-command'
import { guardUnassigning } from '../enforcement-check'
import { lockoutHelp } from '../lockout-flags'
import { deviceColumns } from '../resource'
import { addDevice } from './add'

const list: Command = {
  name: 'list',
  aliases: ['ls'],
  summary: firewallDevices.list.summary,
  paged: true,
  operations: [firewallDevices.list],
  records: firewallDevices.list,
  arguments: targetArguments(firewallResource, 'one'),
  flags: listFlags,
  examples: [{ what: 'Only the balancer', line: 'skyctl firewalls devices list web --filter entity.type=balancer' }],
  async run({ arguments: [typed = ''], flags }, session) {
    const target = parseTarget(typed, firewallResource.noun)
    const { id } = await findTarget(target, firewallResource, session.account, { record: false })
    const call = { path: { firewallId: id } }
    await printPages(firewallDevices.list, { columns: deviceColumns, plural: 'devices' }, { flags, session, call })
  },
}

export const deleteDevice = changeCommand({
  name: 'delete',
  aliases: ['rm', 'remove'],
  action: actions.deleteDevice,
  columns: deviceColumns,
  input: { accepts: 'several', check: (_, step) => guardUnassigning(step) },
  question:
    () =>
    ({ names, several }) =>
      `The rules of this firewall will no longer protect ${several ? 'the services' : 'the service'}. Delete ${names}`,
  done: (_answer, { name }) => `Deleted ${name}`,
  help: {
    details: lockoutHelp,
    examples: [{ what: 'Devices have ids of their own', line: 'skyctl firewalls devices delete web 4101' }],
  },
})

const view = viewCommand(deviceResource, {
  columns: deviceColumns,
  examples: [{ what: 'A service, by the id of its device', line: 'skyctl firewalls devices view web 4101' }],
})

export const devices: CommandGroup = {
  name: 'devices',
  aliases: ['device'],
  summary: 'Services assigned to a firewall',
  commands: eagerCommands(list, addDevice, view, deleteDevice),
}
