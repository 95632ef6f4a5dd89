import { firewallDevices } from '../../../catalogue/firewalls'
import type { Body } from '../../../catalogue/operation'
import type { Context } from '../../../context'
import { checkBody, readBody } from '../../../engine/body'
import { carryOut } from '../../../engine/change'
import type { Command, Flags } from '../../../engine/command'
import { bodyFlags, dryRunFlag, outputFlags, serviceFlag } from '../../../engine/flags'
import { textFlag } from '../../../engine/given'
import { settlement } from '../../../engine/lost'
import { findTarget, nameOf, notFoundAs, parseTarget } from '../../../engine/resource'
import { situationOf } from '../../../engine/situation'
import { targetArguments } from '../../../engine/targets'
import { fieldPaths, viewOf } from '../../../engine/view'
import { Problem } from '../../../errors'
import { readDevices } from '../read-devices'
import { deviceColumns, firewallResource } from '../resource'

type Service = Body<typeof firewallDevices.create>

async function serviceOf(flags: Flags, context: Context): Promise<Service> {
  const compute = textFlag(flags, 'compute-id')
  const balancer = textFlag(flags, 'balancer-id')
  const none = compute === undefined && balancer === undefined && flags.body === undefined
  if (none || (compute !== undefined && balancer !== undefined)) {
    throw new Problem('usage', 'one service is needed', { hint: 'Give either --compute-id or --balancer-id' })
  }
  const { serviceId } = await import('../../../engine/services')
  const body = {
    ...(await readBody(firewallDevices.create.body, flags, context)),
    ...(compute !== undefined && { id: await serviceId(compute, 'computes', context), type: 'compute' }),
    ...(balancer !== undefined && { id: await serviceId(balancer, 'balancers', context), type: 'balancer' }),
  }
  checkBody(firewallDevices.create.body, body, flags)
  return body as Service
}

export const addDevice: Command = {
  name: 'add',
  aliases: ['create'],
  summary: firewallDevices.create.summary,
  operations: [firewallDevices.create],
  details: 'Either --compute-id or --balancer-id is required.',
  records: firewallDevices.create,
  arguments: targetArguments(firewallResource, false),
  flags: [
    serviceFlag('computes', { description: 'Compute instance to protect' }),
    serviceFlag('balancers', { description: 'Balancer to protect: its inbound TCP traffic' }),
    ...bodyFlags,
    dryRunFlag,
    ...outputFlags,
  ],
  examples: [{ what: 'Protect another instance', line: 'skyctl firewalls devices add web --compute-id 1004' }],
  async run({ arguments: [typed = ''], flags }, context) {
    const service = await serviceOf(flags, context)
    const shown = { fields: fieldPaths(firewallDevices.create), columns: deviceColumns }
    const view = await viewOf(shown, flags, context)
    const target = parseTarget(typed, firewallResource.noun)
    const firewall = await findTarget(target, firewallResource, context, { record: false })
    const { id, type } = service
    await carryOut(
      {
        operation: firewallDevices.create,
        path: { firewallId: firewall.id },
        body: service,
        explain: (problem) => notFoundAs(firewall.id, firewallResource, problem),
        recover: settlement(async () => {
          const devices = await readDevices(firewall.id, context)
          return devices.find(({ entity }) => entity.id === id && entity.type === type)
        }),
        done: () => `Assigned ${nameOf(firewallResource, firewall)} to ${type} ${id}`,
      },
      situationOf(view, flags, context),
      { rows: true },
    )
  },
}
