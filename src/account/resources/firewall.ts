/** Firewalls and their devices as objects that users name. */
import { type FirewallDevice, firewallDevices, firewalls } from '../../catalogue/firewalls'
import type { Account } from '../account'
import { byId, type Id, type Resource } from '../resource'

export const firewallResource: Resource = {
  noun: 'firewall',
  parameter: 'firewallId',
  list: firewalls.list,
  view: firewalls.view,
  values: 'firewalls',
}

export const deviceResource: Resource = {
  noun: 'device',
  parameter: 'deviceId',
  list: firewallDevices.list,
  view: firewallDevices.view,
  reference: byId,
  parent: firewallResource,
}

/** Reads all devices of a firewall. */
export async function readDevices(firewallId: Id, account: Account): Promise<FirewallDevice[]> {
  const client = await account.client()
  const devices: FirewallDevice[] = []
  for await (const page of client.pages(firewallDevices.list, { path: { firewallId } })) devices.push(...page)
  return devices
}
