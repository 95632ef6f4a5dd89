import { firewallDevices } from '../../../catalogue/firewalls'
import type { Body } from '../../../catalogue/operation'
import { checkBody, readBody } from '../../../engine/body'
import { type Change, carryOut } from '../../../engine/change'
import type { Command, Flags } from '../../../engine/command'
import { orDoneMeanwhile } from '../../../engine/done-meanwhile'
import { textFlag } from '../../../engine/flag-values'
import { bodyFlags, dryRunFlag, outputFlags, serviceFlag } from '../../../engine/flags'
import { settlement } from '../../../engine/lost'
import { fieldPaths, viewOf } from '../../../engine/printing'
import { findTarget, nameOf, notFoundAs, parseTarget } from '../../../engine/resource'
import { situationOf } from '../../../engine/situation'
import { targetArguments } from '../../../engine/targets'
import { Problem } from '../../../errors'
import type { Session } from '../../../session'
import { guardAssigning } from '../force'
import { lockoutFlags, lockoutHelp } from '../lockout-flags'
import { readDevices } from '../read-devices'
import { deviceColumns, firewallResource } from '../resource'

type Service = Body<typeof firewallDevices.create>

async function serviceOf(flags: Flags, session: Session): Promise<Service> {
  const compute = textFlag(flags, 'compute-id')
  const balancer = textFlag(flags, 'balancer-id')
  const none = compute === undefined && balancer === undefined && flags.body === undefined
  if (none || (compute !== undefined && balancer !== undefined)) {
    throw new Problem('usage', 'one service is needed', { hint: 'Give either --compute-id or --balancer-id' })
  }
  const { serviceId } = await import('../../../engine/services')
  const body = {
    ...(await readBody(firewallDevices.create.body, flags, session)),
    ...(compute !== undefined && { id: await serviceId(compute, 'computes', session), type: 'compute' }),
    ...(balancer !== undefined && { id: await serviceId(balancer, 'balancers', session), type: 'balancer' }),
  }
  checkBody(firewallDevices.create.body, body, flags)
  return body as Service
}

export const addDevice: Command = {
  name: 'add',
  aliases: ['create'],
  summary: firewallDevices.create.summary,
  operations: [firewallDevices.create],
  details: `Either --compute-id or --balancer-id is required. ${lockoutHelp}`,
  records: firewallDevices.create,
  arguments: targetArguments(firewallResource, false),
  flags: [
    serviceFlag('computes', { description: 'Compute instance to protect' }),
    serviceFlag('balancers', { description: 'Balancer to protect: its inbound TCP traffic' }),
    ...bodyFlags,
    ...lockoutFlags,
    dryRunFlag,
    ...outputFlags,
  ],
  examples: [{ what: 'Protect another instance', line: 'skyctl firewalls devices add web --compute-id 1004' }],
  async run({ arguments: [typed = ''], flags }, session) {
    const service = await serviceOf(flags, session)
    const shown = { fields: fieldPaths(firewallDevices.create), columns: deviceColumns }
    const view = await viewOf(shown, flags, session)
    const target = parseTarget(typed, firewallResource.noun)
    const firewall = await findTarget(target, firewallResource, session, { record: false })
    const situation = situationOf(view, flags, session)
    const { id, type } = service
    const name = nameOf(firewallResource, firewall)
    const settled = async () => {
      const devices = await readDevices(firewall.id, session)
      return devices.find(({ entity }) => entity.id === id && entity.type === type)
    }
    const change: Change = {
      operation: firewallDevices.create,
      path: { firewallId: firewall.id },
      body: service,
      explain: (problem) => notFoundAs(firewall.id, firewallResource, problem),
      recover: settlement(settled),
      done: () => `Assigned ${name} to ${type} ${id}`,
    }
    const named = textFlag(flags, type === 'compute' ? 'compute-id' : 'balancer-id')
    await guardAssigning(firewall, { id, type, typed: named }, situation)
    const standing = { settled, already: () => `${name} is assigned to ${type} ${id} already` }
    await carryOut(situation.dry ? change : orDoneMeanwhile(change, standing, situation), situation, { rows: true })
  },
}
