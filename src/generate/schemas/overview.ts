/** Output of `overview`. */
import * as v from 'valibot'
import { severities } from '../../audit/check'
import { formatVersion, list, maybe } from '../../catalogue/document-fields'
import { boolean, integer, open, strings, text } from '../../catalogue/fields'

const maybeInteger = (description: string) => v.nullable(integer(description))
const firewall = {
  id: integer('ID of the firewall'),
  label: maybe('Its label'),
  status: maybe('Its status'),
  enforced: v.nullable(boolean('Whether its rules are enforced; null: the status is unknown')),
}
const protection = {
  protected: v.nullable(boolean('Whether an enabled firewall is assigned; null: unknown')),
  firewalls: list(firewall),
}
const service = v.looseObject({ type: text('compute, balancer, …'), id: integer('Its ID'), label: maybe('Its label') })
const listedVolume = v.looseObject({
  id: integer('ID of the volume'),
  label: maybe('Its label'),
  size: maybeInteger('Size in GiB'),
  status: maybe('Its status'),
  region: maybe('Region ID'),
  attached: v.nullable(boolean('Whether it is attached; null: unknown')),
})
const listedAddress = v.looseObject({
  address: text('The address'),
  type: maybe('Kind of address'),
  prefix: maybeInteger('Prefix length'),
  public: v.nullable(boolean('Whether it is reachable from outside')),
  region: maybe('Region ID'),
  assigned: v.nullable(boolean('Whether it belongs to an instance; null: unknown')),
})
const count = (what: string) => maybeInteger(`Number of ${what}; null: not read`)

export const overview = v.looseObject({
  format_version: formatVersion,
  counts: v.looseObject({
    instances: count('instances that the other resources name'),
    balancers: count('balancers that firewalls or grants name'),
    volumes: count('volumes'),
    addresses: count('addresses'),
    vlans: count('VLANs'),
    firewalls: count('firewalls'),
  }),
  storage: v.nullable(
    v.looseObject({
      total_gib: integer('Size of all volumes in GiB'),
      detached_gib: integer('Size of the detached volumes in GiB'),
      unknown_sizes: integer('Number of volumes of unknown size'),
    }),
  ),
  instances: list({
    id: integer('ID of the instance'),
    label: maybe('Its label, if another resource names it'),
    region: maybe('Region ID'),
    ...protection,
    addresses: v.array(listedAddress),
    volumes: v.array(listedVolume),
    vlans: strings('Labels of its VLANs'),
  }),
  balancers: list({ ...service.entries, ...protection }),
  other_services: list({ ...service.entries, ...protection }),
  detached_volumes: v.nullable(v.array(listedVolume)),
  unassigned_addresses: v.nullable(v.array(listedAddress)),
  vlans: v.nullable(
    list({
      label: text('Label of the VLAN'),
      region: maybe('Region ID'),
      computes: v.nullable(v.array(v.number())),
    }),
  ),
  firewalls: v.nullable(list({ ...firewall, services: v.array(service) })),
  exposure: v.nullable(
    list({
      services: v.array(service),
      firewall: v.nullable(v.looseObject({ id: integer('ID of the firewall'), label: maybe('Its label') })),
      by: open(['no firewall', 'status', 'policy', 'rule'], 'What lets the traffic in'),
      outcome: open(['allowed', 'unknown'], 'Whether it gets in'),
      protocols: list({ protocol: text('Kind of traffic'), ports: maybe('Ports; null: all, or it has none') }),
      partly: boolean('Whether rules block, or may block, a part of it'),
      anywhere: boolean('Whether all addresses of IPv4 or IPv6 are among the networks'),
      networks: strings('The first 20 networks'),
      network_count: integer('Number of networks'),
      except: strings('The first 20 exceptions within them'),
      except_count: integer('Number of exceptions'),
    }),
  ),
  findings: v.looseObject(
    Object.fromEntries(severities.map((severity) => [severity, integer('Number of audit findings about these parts')])),
  ),
  not_read: list({
    part: text('Part of the account that could not be read'),
    error: v.looseObject({ code: text('As in errors'), message: text('Why') }),
  }),
})
