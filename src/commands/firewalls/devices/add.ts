import { firewallDevices } from '../../../catalogue/firewalls'
import type { Body as BodyOf } from '../../../catalogue/operation'
import { checkBody, readBody } from '../../../engine/body'
import { type Change, carryOutAll } from '../../../engine/change'
import type { Command, Flags } from '../../../engine/command'
import { orDoneMeanwhile } from '../../../engine/done-meanwhile'
import { listFlag, textFlag } from '../../../engine/flag-values'
import { bodyFlags, concurrencyFlag, dryRunFlag, outputFlags, serviceFlag } from '../../../engine/flags'
import { settlement } from '../../../engine/lost'
import { fieldPaths, viewOf } from '../../../engine/printing'
import { type Found, findTarget, nameOf, notFoundAs, parseTarget } from '../../../engine/resource'
import { type Situation, situationOf } from '../../../engine/situation'
import { targetArguments } from '../../../engine/targets'
import { Problem } from '../../../errors'
import type { Session } from '../../../session'
import { guardAssigning } from '../force'
import { lockoutFlags, lockoutHelp } from '../lockout-flags'
import { readDevices } from '../read-devices'
import { deviceColumns, firewallResource } from '../resource'

type Body = BodyOf<typeof firewallDevices.create>

/** A service to protect, as the request names it. */
interface Target {
  /** As the command line names it; empty where a file does. */
  typed: string
  body: Body
}

/** Each service once: those of the flags, or that of the file. */
async function readServices(flags: Flags, session: Session): Promise<Target[]> {
  const computes = listFlag(flags, 'compute-id')
  const balancer = textFlag(flags, 'balancer-id')
  const none = computes === undefined && balancer === undefined && flags.body === undefined
  if (none || (computes !== undefined && balancer !== undefined)) {
    throw new Problem('usage', 'one service is needed', { hint: 'Give either --compute-id or --balancer-id' })
  }
  const { serviceIds } = await import('../../../engine/services')
  const given = await readBody(firewallDevices.create.body, flags, session)
  const type = computes ? 'compute' : 'balancer'
  const named = computes ?? (balancer === undefined ? [] : [balancer])
  const ids = await serviceIds(named, `${type}s`, session)
  const typed = new Map(ids.map((id, place) => [id, named[place] ?? '']))
  const targets = [...typed].map(([id, typed]) => ({ typed, body: { ...given, id, type } }))
  const all = targets.length > 0 ? targets : [{ typed: '', body: given }]
  for (const { body } of all) checkBody(firewallDevices.create.body, body, flags)
  return all as Target[]
}

const identityOf = ({ typed, body: { id } }: Target) => ({ id, ...(typed && typed !== String(id) && { label: typed }) })

interface Assignment extends Situation {
  firewall: Found
}

/** One request that assigns the firewall to a service. */
function assign(body: Body, { firewall, ...situation }: Assignment): Change {
  const { id, type } = body
  const name = nameOf(firewallResource, firewall)
  const settled = async () => {
    const devices = await readDevices(firewall.id, situation.session)
    return devices.find(({ entity }) => entity.id === id && entity.type === type)
  }
  const change: Change = {
    operation: firewallDevices.create,
    path: { firewallId: firewall.id },
    body,
    explain: (problem) => notFoundAs(firewall.id, firewallResource, problem),
    recover: settlement(settled),
    done: () => `Assigned ${name} to ${type} ${id}`,
  }
  const standing = { settled, already: () => `${name} is assigned to ${type} ${id} already` }
  return situation.dry ? change : orDoneMeanwhile(change, standing, situation)
}

export const addDevice: Command = {
  name: 'add',
  aliases: ['create'],
  summary: firewallDevices.create.summary,
  operations: [firewallDevices.create],
  details: `Either --compute-id or --balancer-id is required. ${lockoutHelp}`,
  records: firewallDevices.create,
  arguments: targetArguments(firewallResource, 'one'),
  flags: [
    serviceFlag('computes', { list: 'commas', description: 'Compute instances to protect' }),
    serviceFlag('balancers', { description: 'Balancer to protect: its inbound TCP traffic' }),
    ...bodyFlags,
    ...lockoutFlags,
    concurrencyFlag,
    dryRunFlag,
    ...outputFlags,
  ],
  examples: [
    { what: 'Protect another instance', line: 'skyctl firewalls devices add web --compute-id 1004' },
    { what: 'Protect two, with a request for each', line: 'skyctl firewalls devices add spare --compute-id 1004,1009' },
  ],
  async run({ arguments: [typed = ''], flags }, session) {
    const services = await readServices(flags, session)
    const shown = { fields: fieldPaths(firewallDevices.create), columns: deviceColumns }
    const view = await viewOf(shown, flags, session)
    const target = parseTarget(typed, firewallResource.noun)
    const firewall = await findTarget(target, firewallResource, session, { record: false })
    const situation = situationOf(view, flags, session)
    await guardAssigning(
      firewall,
      services.map(({ typed, body: { id, type } }) => ({ id, type, typed })),
      situation,
    )
    const targets = services.map((service) => ({ ...service, identity: async () => identityOf(service) }))
    const prepare = async ({ body }: Target) => assign(body, { firewall, ...situation })
    await carryOutAll({ verb: 'assign', targets, prepare, rows: true }, situation)
  },
}
