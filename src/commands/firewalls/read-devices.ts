import { type FirewallDevice, firewallDevices } from '../../catalogue/firewalls'
import type { Context } from '../../context'
import type { Id } from '../../engine/resource'

/** All services that a firewall is assigned to. */
export async function readDevices(firewallId: Id, context: Context): Promise<FirewallDevice[]> {
  const client = await context.client()
  const devices: FirewallDevice[] = []
  for await (const page of client.pages(firewallDevices.list, { path: { firewallId } })) devices.push(...page)
  return devices
}
