import { addDevice as assigning } from '../../../account/actions/firewalls'
import { guardAssignment } from '../../../account/lockout/guard-firewall-changes'
import { prepare } from '../../../account/prepare'
import { resolveTarget } from '../../../account/resolved-target'
import { type FoundObject, nameOf } from '../../../account/resource'
import { deviceResource, findFirewall, firewallResource } from '../../../account/resources/firewall'
import { firewallDevices } from '../../../catalogue/firewalls'
import { type Body as BodyOf, fieldPaths } from '../../../catalogue/operation'
import type { Question } from '../../../engine/ask-about'
import { checkBody, readBody, withBodyLines } from '../../../engine/body'
import { type CommandContext, printedContext } from '../../../engine/change-command-context'
import { bodyFlags, busyTimeoutFlag, dryRunFlag, serviceFlag } from '../../../engine/change-flags'
import type { Command, CommandGroup, Flags, Input } from '../../../engine/command'
import { eagerCommands } from '../../../engine/command-tree'
import { blockingText } from '../../../engine/confirm'
import { listFlag, textFlag } from '../../../engine/flag-values'
import { concurrencyFlag, outputFlags } from '../../../engine/flags'
import { listBelow } from '../../../engine/list-below'
import { viewOf } from '../../../engine/printing'
import { runAll } from '../../../engine/run-all'
import type { Session } from '../../../engine/session'
import { targetArguments } from '../../../engine/target-arguments'
import { viewCommand } from '../../../engine/view-command'
import { Problem } from '../../../errors'
import { sentences } from '../../change-messages'
import { deviceColumns } from '../resource'
import { lockoutFlags, lockoutOptions } from '../safety-flags'
import { deleteDevice } from './delete'

const list = listBelow(firewallResource, firewallDevices.list, {
  columns: deviceColumns,
  plural: 'devices',
  test: 'entity.type=compute',
  examples: [{ what: 'Only the balancer', line: 'skyctl firewalls devices list web --filter entity.type=balancer' }],
})

type Body = BodyOf<typeof firewallDevices.create>

/** A service to protect. */
interface Target {
  /** The service as typed; empty for one from a file. */
  input: string
  body: Body
}

const serviceFlags = ['compute-id', 'balancer-id', 'body']

/** Returns the flags that a line without a service lacks. */
const lacksService = ({ flags }: Pick<Input, 'flags'>) =>
  serviceFlags.some((name) => flags[name] !== undefined) ? [] : ['--compute-id or --balancer-id']

/** Reads the services from flags or a file, without duplicates. */
async function readServices(flags: Flags, session: Session): Promise<Target[]> {
  const computes = listFlag(flags, 'compute-id')
  const balancer = textFlag(flags, 'balancer-id')
  const lacks = lacksService({ flags })
  if (lacks.length > 0 || (computes !== undefined && balancer !== undefined)) {
    throw new Problem('usage', 'one service is needed', {
      hint: 'Pass either --compute-id or --balancer-id',
      ...(lacks.length > 0 && { lacks }),
    })
  }
  const { serviceIds } = await import('../../../account/service-lookup')
  const body = await readBody(firewallDevices.create.body, flags, session)
  const type = computes ? 'compute' : 'balancer'
  const named = computes ?? (balancer === undefined ? [] : [balancer])
  const ids = await serviceIds(named, `${type}s`, session.account)
  const references = new Map(ids.map((id, place) => [id, named[place] ?? '']))
  const targets = [...references].map(([id, reference]) => ({ input: reference, body: { ...body, id, type } }))
  const all = targets.length > 0 ? targets : [{ input: '', body }]
  return withBodyLines(flags, () =>
    Promise.all(all.map(async ({ input, body }) => ({ input, body: await checkedService(body, flags) }))),
  )
}

async function checkedService(body: Readonly<Record<string, unknown>>, flags: Flags): Promise<Body> {
  await checkBody(firewallDevices.create.body, body, flags)
  return body as Body
}

const identityOf = ({ input, body: { id } }: Target) => ({ id, ...(input && input !== String(id) && { label: input }) })

/**
 * Returns the problems of services that another firewall protects, if somebody will be asked. Throws if that is the only
 * one: nothing is left to preview.
 */
async function conflictsOf(
  firewall: FoundObject,
  services: readonly Target[],
  { dry, session }: CommandContext,
): Promise<ReadonlyMap<Target, Problem>> {
  if (dry || session.ui.yes) return new Map()
  const { findProtectors } = await import('../../../account/lockout/protectors')
  const conflictOf = await findProtectors(firewall, session.account)
  const conflicts = services.flatMap((service) => {
    const problem = conflictOf(service.body)
    return problem ? [[service, problem] as const] : []
  })
  const [[, first] = []] = conflicts
  if (first && services.length === 1) throw first
  return new Map(conflicts)
}

const addDevice: Command = {
  name: 'add',
  aliases: ['create'],
  asks: true,
  summary: firewallDevices.create.summary,
  operations: [firewallDevices.create],
  details:
    'Either --compute-id or --balancer-id is required. A service has only one enabled firewall, a firewall one balancer.',
  moreDetails: 'An instance must not be in a live migration. Its interfaces of VLANs are not filtered.',
  records: firewallDevices.create,
  arguments: targetArguments(firewallResource, 'one'),
  flags: [
    serviceFlag('computes', { list: 'commas', description: 'Compute instances to protect' }),
    serviceFlag('balancers', { description: 'Balancer to protect: its inbound TCP traffic' }),
    ...bodyFlags,
    ...lockoutFlags,
    concurrencyFlag,
    busyTimeoutFlag,
    dryRunFlag,
    ...outputFlags,
  ],
  lacks: lacksService,
  examples: [
    { what: 'Protect two instances', line: 'skyctl firewalls devices add spare --compute-id 1004,1009 --yes' },
    {
      what: 'Protect all instances without a firewall',
      line: "skyctl audit --code instance-unprotected -o tsv --query 'findings[].object.id' | xargs -n 1 skyctl firewalls devices add spare --yes --compute-id",
    },
  ],
  async run({ arguments: [reference = ''], flags }, session) {
    const services = await readServices(flags, session)
    const shown = { fields: fieldPaths(firewallDevices.create), columns: deviceColumns }
    const view = await viewOf(shown, flags, session)
    const firewall = await findFirewall(reference, session.account, { record: false })
    const printed = printedContext(view, flags, session)
    const context = { ...printed, options: { ...printed.options, ...(await lockoutOptions(flags, session)) } }
    // One line for services with the same effect.
    const targets = services.map((service) => ({ ...service, identity: async () => identityOf(service) }))
    const conflicts = await conflictsOf(firewall, targets, context)
    const added = targets.flatMap((one) => (conflicts.has(one) ? [] : [{ id: one.body.id, type: one.body.type }]))
    const blocked = await guardAssignment(firewall, added, context)
    const subject = resolveTarget({ id: firewall.id, input: reference }, firewallResource, context)
    // The traffic of all services is assessed at once, and their bodies are checked.
    const call = { action: { ...assigning, safety: {} }, caller: { validate() {} } }
    const prepareOne = async ({ body }: Target) => ({
      ...(await prepare(call, body, context, subject)),
      object: firewall,
      blocks: blocked,
    })
    const question: Question<Target> = {
      isBlocking: true,
      text: ({ names }) => blockingText(blocked, `Assign ${nameOf(firewallResource, firewall)} to ${names}`, session),
      nameOf: async ({ body: { id, type } }) => `${type} ${id}`,
      refusal: async (service) => conflicts.get(service),
      plural: 'services',
    }
    const words = sentences['firewalls devices add']
    const request = { operation: firewallDevices.create, noun: 'service' }
    await runAll({ verb: 'assign', targets, request, prepare: prepareOne, question, words, rows: true }, context)
  },
}

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
