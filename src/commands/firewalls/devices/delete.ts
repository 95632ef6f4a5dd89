import * as actions from '../../../account/actions/firewalls'
import { parseTarget } from '../../../account/find-target'
import { type FoundObject, nameOf } from '../../../account/resource'
import { findFirewall, firewallResource, readDevices } from '../../../account/resources/firewall'
import { type ServiceKind, serviceNouns } from '../../../account/service-kinds'
import type { FirewallDevice } from '../../../catalogue/firewalls'
import { changeCommand } from '../../../engine/change-command'
import { serviceFlag } from '../../../engine/change-flags'
import type { Command, Input } from '../../../engine/command'
import { listFlag, textFlag } from '../../../engine/flag-values'
import type { Session } from '../../../engine/session'
import { readNames } from '../../../engine/targets'
import { ignoreProblem, isGone, Problem } from '../../../errors'
import { didYouMean } from '../../../rules/nearest'
import { shellWord } from '../../../rules/texts'
import { sentences } from '../../change-messages'
import { deviceColumns } from '../resource'
import { lockoutHelp } from '../safety-flags'

const byDevice = changeCommand({
  name: 'delete',
  aliases: ['rm', 'remove'],
  action: actions.deleteDevice,
  columns: deviceColumns,
  input: {
    accepts: 'several',
    flags: (derived) => [
      ...derived,
      serviceFlag('computes', { list: 'commas', description: 'Compute instances to protect no longer' }),
      serviceFlag('balancers', { description: 'Balancer to protect no longer' }),
    ],
  },
  question:
    () =>
    ({ names, several }) =>
      `The rules of this firewall will no longer protect ${several ? 'the services' : 'the service'}. Delete ${names}`,
  ...sentences['firewalls devices delete'],
  help: {
    details: `Devices have ids of their own; a label is that of the service. ${lockoutHelp}`,
    moreDetails:
      'The rules of other firewalls of the service still apply. An instance must not be in a live migration.',
    examples: [
      { what: 'Protect an instance no longer, by its label', line: 'skyctl firewalls devices delete web web-2' },
    ],
  },
})

/** Deletes devices, which users name by their ids or by their services. */
export const deleteDevice: Command = {
  ...byDevice,
  arguments: (byDevice.arguments ?? []).map((argument, index) =>
    index === 0
      ? argument
      : {
          ...argument,
          description: 'Id of the device, or label of its service; several or - for stdin',
          optional: true,
        },
  ),
  async run(input, session) {
    const [firewall = '', ...names] = input.arguments
    const devices = await devicesOf(firewall, { ...input, arguments: names }, session)
    await byDevice
      .run({ ...input, arguments: [firewall, ...devices] }, session)
      .catch((error: unknown) => withService(error, firewall, devices, session).then((named) => Promise.reject(named)))
  },
}

/** Names the device of an instance whose id was taken for that of a device; other errors unchanged. */
async function withService(
  error: unknown,
  firewall: string,
  [name = '', ...others]: readonly string[],
  { account }: Session,
): Promise<unknown> {
  if (!isGone(error) || others.length > 0) return error
  const { id } = await findFirewall(firewall, account, { record: false })
  const devices = await readDevices(id, account).catch(ignoreProblem)
  const entity = devices?.find(({ entity }) => String(entity.id) === name)?.entity
  if (!entity) return error
  const hint = `It is the id of a service: skyctl firewalls devices delete ${shellWord(firewall)} --${entity.type}-id ${name}`
  return error.with({ hint })
}

/** A service as typed; without a kind it may be any. */
interface NamedService {
  text: string
  kind?: ServiceKind
}

/** Returns the devices as typed, and the ids of those of the named services. */
async function devicesOf(firewall: string, input: Input, session: Session): Promise<readonly string[]> {
  const { flags } = input
  const balancer = textFlag(flags, 'balancer-id')
  const ofFlags: NamedService[] = [
    ...(listFlag(flags, 'compute-id') ?? []).map((text) => ({ text, kind: 'computes' as const })),
    ...(balancer === undefined ? [] : [{ text: balancer, kind: 'balancers' as const }]),
  ]
  if (input.arguments.length === 0 && ofFlags.length === 0)
    throw new Problem('usage', 'a device is missing', {
      hint: 'Name it, or its service with --compute-id or --balancer-id',
      lacks: ['device'],
    })
  const names = await readNames(input, session)
  const isService = (text: string) => 'label' in parseTarget(text, 'device')
  const services = [...names.filter(isService).map((text): NamedService => ({ text })), ...ofFlags]
  // An empty stdin may stand for the targets of a journal.
  if (services.length === 0) return names.length === 0 ? input.arguments : names
  const owner = await findFirewall(firewall, session.account, { record: true })
  const devices = await readDevices(owner.id, session.account)
  const ids = services.flatMap((service) => idIn(devices, service, owner, input))
  return [...names.filter((text) => !isService(text)), ...ids]
}

/** Returns the id of the service's device; none if it has no device, and --if-present is set. */
function idIn(
  devices: readonly FirewallDevice[],
  { text, kind }: NamedService,
  owner: FoundObject,
  { flags }: Input,
): string[] {
  const firewall = nameOf(firewallResource, owner)
  const noun = kind ? serviceNouns[kind] : 'service'
  const target = parseTarget(text, noun)
  const some = devices.filter(({ entity }) => kind === undefined || kind === `${entity.type}s`)
  const matches = some.filter(({ entity }) =>
    'id' in target ? entity.id === target.id : entity.label === target.label,
  )
  const [match, ...others] = matches
  if (others.length > 0)
    throw new Problem('refused', `${matches.length} services of ${firewall} have the label "${text}"`, {
      hint: `Name a device by its id: ${matches.map(({ id, entity }) => `${id} (${entity.type} ${entity.id})`).join(', ')}`,
    })
  if (match) return [String(match.id)]
  if (flags['if-present']) return []
  const labels = some.flatMap(({ entity }) => entity.label ?? [])
  const hint = didYouMean(text, labels) ?? `See skyctl firewalls devices list ${owner.id}`
  throw new Problem('not_found', `${firewall} protects no ${noun} ${'id' in target ? target.id : `"${text}"`}`, {
    hint,
  })
}
