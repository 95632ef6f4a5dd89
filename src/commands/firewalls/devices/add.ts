import type { Account } from '../../../account/account'
import { assignFirewall } from '../../../account/actions/firewalls'
import { performChange } from '../../../account/change'
import { findTarget, parseTarget } from '../../../account/resource'
import { firewallResource } from '../../../account/resources/firewall'
import { firewallDevices } from '../../../catalogue/firewalls'
import { type Body as BodyOf, fieldPaths } from '../../../catalogue/operation'
import { checkBody, readBody, withBodyLines } from '../../../engine/body'
import type { Flags, PerformingCommand } from '../../../engine/command'
import { printedContext } from '../../../engine/command-context'
import { listFlag, textFlag } from '../../../engine/flag-values'
import { bodyFlags, concurrencyFlag, dryRunFlag, outputFlags, serviceFlag } from '../../../engine/flags'
import { viewOf } from '../../../engine/printing'
import { runAll } from '../../../engine/run-all'
import { targetArguments } from '../../../engine/targets'
import { Problem } from '../../../errors'
import type { Session } from '../../../session'
import { guardAssigning } from '../enforcement-check'
import { lockoutFlags } from '../lockout-flags'
import { deviceColumns } from '../resource'

type Body = BodyOf<typeof firewallDevices.create>

/** A service to protect. */
interface Target {
  /** The service as typed; empty for one from a file. */
  typed: string
  body: Body
}

/** Reads the services from flags or a file, without duplicates. */
async function readServices(flags: Flags, session: Session): Promise<Target[]> {
  const computes = listFlag(flags, 'compute-id')
  const balancer = textFlag(flags, 'balancer-id')
  const none = computes === undefined && balancer === undefined && flags.body === undefined
  if (none || (computes !== undefined && balancer !== undefined)) {
    throw new Problem('usage', 'one service is needed', { hint: 'Pass either --compute-id or --balancer-id' })
  }
  const { serviceIds } = await import('../../../account/services')
  const given = await readBody(firewallDevices.create.body, flags, session)
  const type = computes ? 'compute' : 'balancer'
  const named = computes ?? (balancer === undefined ? [] : [balancer])
  const ids = await serviceIds(named, `${type}s`, session.account)
  const typed = new Map(ids.map((id, place) => [id, named[place] ?? '']))
  const targets = [...typed].map(([id, typed]) => ({ typed, body: { ...given, id, type } }))
  const all = targets.length > 0 ? targets : [{ typed: '', body: given }]
  return withBodyLines(flags, () => all.map(({ typed, body }) => ({ typed, body: checkedService(body, flags) })))
}

function checkedService(body: Readonly<Record<string, unknown>>, flags: Flags): Body {
  checkBody(firewallDevices.create.body, body, flags)
  return body as Body
}

const identityOf = ({ typed, body: { id } }: Target) => ({ id, ...(typed && typed !== String(id) && { label: typed }) })

const findFirewall = (typed: string, account: Account) =>
  findTarget(parseTarget(typed, firewallResource.noun), firewallResource, account, { record: false })

export const addDevice: PerformingCommand = {
  name: 'add',
  aliases: ['create'],
  summary: firewallDevices.create.summary,
  operations: [firewallDevices.create],
  details: 'Either --compute-id or --balancer-id is required.',
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
    { what: 'Protect two instances', line: 'skyctl firewalls devices add spare --compute-id 1004,1009' },
    {
      what: 'Protect all instances without a firewall',
      line: "skyctl audit --code instance-unprotected -o tsv --query 'findings[].object.id' | xargs -n 1 skyctl firewalls devices add spare --compute-id",
    },
  ],
  async run({ arguments: [typed = ''], flags }, session) {
    const services = await readServices(flags, session)
    const shown = { fields: fieldPaths(firewallDevices.create), columns: deviceColumns }
    const view = await viewOf(shown, flags, session)
    const firewall = await findFirewall(typed, session.account)
    const context = printedContext(view, flags, session)
    await guardAssigning(
      firewall,
      services.map(({ typed, body: { id, type } }) => ({ id, type, typed })),
      context,
    )
    const targets = services.map((service) => ({ ...service, identity: async () => identityOf(service) }))
    const prepare = async ({ body }: Target) => assignFirewall(firewall, body, context)
    await runAll({ verb: 'assign', targets, prepare, rows: true }, context)
  },
  async perform({ arguments: [typed = ''], body = {}, options }, account) {
    const service = checkedService(body, {})
    const firewall = await findFirewall(typed, account)
    return performChange(assignFirewall(firewall, service, { account, options, dry: false }), account)
  },
}
