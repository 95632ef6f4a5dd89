/** Record of a service that a firewall is assigned to. */
import * as v from 'valibot'
import { id, may, oneOf, times } from '../record-fields'

export const service = oneOf('compute', 'balancer')
export type ServiceType = v.InferOutput<typeof service>

/** `entity` is the id of the compute instance or balancer. */
export const deviceRecord = v.strictObject({ id: may(id), firewall: id, type: service, entity: id, ...times })

export type NewFirewallDevice = v.InferOutput<typeof deviceRecord>
export type FirewallDeviceRecord = Required<NewFirewallDevice>
