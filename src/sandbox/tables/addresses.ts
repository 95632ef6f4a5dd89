import * as v from 'valibot'
import type { DeclarationOf, RecordOf } from '../declaration'
import { prefixOf } from '../fixed-records'
import { array, boolean, id, may, number, oneOf, region, string } from '../record-fields'
import { plainSerializer } from '../seed-serializers'
import { builtInComputes } from './services'

const record = v.strictObject({
  id: may(id),
  /** Address as in RFC 5952; for a range, its first address without the prefix length. */
  address: string,
  prefix: may(number),
  /** Type; `ipv6` marks SLAAC addresses, which instances assign to themselves. */
  type: may(oneOf('ipv4', 'ipv6', 'ipv6/range')),
  public: may(boolean),
  region: may(region),
  compute_id: id,
  /** Reverse DNS name; null for the default. */
  rdns: may(v.nullable(string)),
  vpc_nat_1_1: may(v.nullable(v.strictObject({ address: string, subnet_id: id, vpc_id: id }))),
  shared_with: may(array(id)),
})

export type AddressRecord = RecordOf<typeof record>

const address = (id: number, text: string, compute: number, more: Partial<AddressRecord> = {}): AddressRecord => {
  const isIpv4 = text.includes('.')
  const isPrivate = text.startsWith('192.168.')
  return {
    id,
    address: text,
    prefix: isPrivate ? 17 : isIpv4 ? 24 : 64,
    type: isIpv4 ? 'ipv4' : 'ipv6',
    public: !isPrivate,
    region: regionOf(compute),
    compute_id: compute,
    rdns: null,
    vpc_nat_1_1: null,
    shared_with: [],
    ...more,
  }
}

const regionOf = (compute: number) => builtInComputes.find(({ id }) => id === compute)?.region ?? ''

/** Each instance's public IPv4 and SLAAC address: 1001 has 192.0.2.11 and ….:0:f03c:91ff:fe00:3e9. */
const automaticAddresses = builtInComputes.flatMap(({ id, region }, index) => [
  address(5001 + index, `192.0.2.${11 + index}`, id),
  address(5101 + index, `${prefixOf(region)}:0:f03c:91ff:fe00:${id.toString(16)}`, id),
])

const builtIn: readonly AddressRecord[] = [
  ...automaticAddresses,
  address(5201, '192.168.128.11', 1001),
  address(5202, '192.168.128.13', 1003),
  address(5203, '192.0.2.31', 1001, { rdns: 'www.example.net' }),
  address(5204, '192.0.2.32', 1002, { shared_with: [1001] }),
  address(5301, `${prefixOf('us-east')}:100::`, 1001, { type: 'ipv6/range' }),
  address(5302, `${prefixOf('us-ord')}:200::`, 1003, { type: 'ipv6/range', prefix: 56, shared_with: [1007] }),
  address(5205, '192.0.2.33', 1009, { vpc_nat_1_1: { address: '10.0.0.9', subnet_id: 9101, vpc_id: 9001 } }),
]

const addresses: DeclarationOf<typeof record> = {
  name: 'addresses',
  defaults: {
    type: ({ address = '' }) => (address.includes(':') ? 'ipv6' : 'ipv4'),
    prefix: ({ type }) => (type === 'ipv4' ? 24 : 64),
    public: () => true,
    region: ({ compute_id = 0 }, { computes }) => computes.get(compute_id)?.region ?? 'us-east',
    rdns: () => null,
    vpc_nat_1_1: () => null,
    shared_with: () => [],
  },
  builtIn: () => builtIn,
  form: plainSerializer(record),
}

export const tables = { addresses }
