import { ips } from '../../catalogue/ips'
import { serviceFlag } from '../../engine/change-flags'
import type { Flags } from '../../engine/command'
import { listFlag, textFlag } from '../../engine/flag-values'
import { listCommand } from '../../engine/list'
import type { Session } from '../../engine/session'
import { ipColumns } from './columns'

/** Adds the filters of --region and --compute-id, for the most common searches. */
async function filtersOf(flags: Flags, session: Session): Promise<readonly string[]> {
  const region = textFlag(flags, 'region')
  const compute = textFlag(flags, 'compute-id')
  return [
    ...(listFlag(flags, 'filter') ?? []),
    ...(region === undefined ? [] : [`region=${region}`]),
    ...(compute === undefined ? [] : [`compute_id=${await computeId(compute, session)}`]),
  ]
}

async function computeId(reference: string, session: Session): Promise<number | undefined> {
  const { serviceId } = await import('../../account/service-lookup')
  return serviceId(reference, 'computes', session.account)
}

export const listIps = listCommand(ips.list, {
  columns: ipColumns,
  plural: 'addresses',
  test: 'type=ipv4',
  key: 'address',
  ownFlags: [
    { name: 'region', value: 'text', description: 'Only addresses of this region', values: 'regions' },
    serviceFlag('computes', { description: 'Only addresses of this compute instance' }),
    { name: 'skip-ipv6-rdns', description: 'Leave out the reverse DNS of IPv6 addresses, which is faster' },
  ],
  examples: [
    { what: 'Addresses of an instance', line: 'skyctl ips list --compute-id 1001' },
    { what: 'Public IPv4 addresses of a region', line: 'skyctl ips list --region us-east --filter type=ipv4 --quiet' },
    { what: 'Addresses of a network', line: 'skyctl ips list --filter address=192.0.2.0/24 --sort address' },
  ],
  reading: async ({ flags }, session) => ({
    flags: { ...flags, filter: await filtersOf(flags, session) },
    call: flags['skip-ipv6-rdns'] ? { query: { skip_ipv6_rdns: true } } : {},
  }),
})
