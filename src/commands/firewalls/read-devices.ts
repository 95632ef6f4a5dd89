import type { Id } from '../../account/resource'
import { type FirewallDevice, firewallDevices } from '../../catalogue/firewalls'
import type { Session } from '../../session'

/** Reads all devices of a firewall. */
export async function readDevices(firewallId: Id, session: Session): Promise<FirewallDevice[]> {
  const client = await session.client()
  const devices: FirewallDevice[] = []
  for await (const page of client.pages(firewallDevices.list, { path: { firewallId } })) devices.push(...page)
  return devices
}
