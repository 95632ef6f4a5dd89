/**
 * Finds services that another enabled firewall protects, before somebody is asked about their assignment: the API would
 * refuse it (api.md, Firewall behaviour 3).
 */
import { type Firewall, firewallDevices, firewalls } from '../../catalogue/firewalls'
import { Problem } from '../../errors'
import { servicesNamedIn } from '../../firewall/named-services'
import type { Account } from '../account'
import { readOfEach } from '../concurrency'
import { type FoundObject, nameOf, readItem } from '../resource'
import { firewallResource, readDevices } from '../resources/firewall'
import { removalHint, type ServiceName } from './guard-firewall-changes'

const keyOf = ({ type, id }: ServiceName) => `${type} ${id}`

/**
 * Returns a function that returns the problem of assigning a firewall to a service, if there is one. What cannot be read
 * is left to the API.
 */
export async function findProtectors(
  { id, record }: FoundObject,
  account: Account,
): Promise<(service: ServiceName) => Problem | undefined> {
  try {
    const { status } = record ?? (await readItem(id, firewallResource, account))
    if (status !== 'enabled') return () => undefined
    const protectors = await protectorsBeside(Number(id), account)
    return (service) => {
      const other = protectors.get(keyOf(service))
      return other && conflict(service, other)
    }
  } catch (error) {
    if (!(error instanceof Problem) || account.signal.aborted) throw error
    return () => undefined
  }
}

/** Returns the other enabled firewalls, by the services that they protect. */
async function protectorsBeside(firewallId: number, account: Account): Promise<Map<string, Firewall>> {
  const client = await account.client()
  const isOther = ({ id, status }: Firewall) => id !== firewallId && status === 'enabled'
  const isNeeded = (firewall: Firewall) => isOther(firewall) && !servicesNamedIn(firewall)
  const read = async (firewall: Firewall) => {
    if (!isOther(firewall)) return []
    const devices = servicesNamedIn(firewall) ?? (await readDevices(firewall.id, account))
    return devices.map(({ entity }) => [keyOf(entity), firewall] as const)
  }
  const reads = { operation: firewallDevices.list, noun: 'firewall', isNeeded }
  return new Map((await readOfEach(client.pages(firewalls.list), reads, { client, read })).flat())
}

function conflict(service: ServiceName, { id, label }: Firewall): Problem {
  const name = nameOf(firewallResource, { id, record: { id, label } })
  const reason = `${keyOf(service)} is protected by ${name}, and only one that is enabled can be`
  return new Problem('conflict', reason, { hint: removalHint(service, id) })
}
