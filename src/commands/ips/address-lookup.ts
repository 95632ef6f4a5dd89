import { readAll } from '../../account/read-all'
import { named } from '../../account/resource'
import { ipResource } from '../../account/resources/address'
import { type IpAddress, ips } from '../../catalogue/ips'
import { ipv6Ranges } from '../../catalogue/ipv6'
import { parseAddress } from '../../rules/addresses'
import type { Session } from '../../session'

/** Reads all addresses but private ones, which the API does not list. */
export async function readAddresses(session: Session): Promise<IpAddress[]> {
  return readAll(await session.account.client(), ips.list, { query: { skip_ipv6_rdns: true } })
}

/** An address or a range; a range that was read by itself lacks `public`. */
export type Holding = Pick<IpAddress, 'address' | 'type' | 'compute_id' | 'region' | 'vpc_nat_1_1'> &
  Partial<Pick<IpAddress, 'public'>>

/** Finds an address or a range (with or without prefix length); reads it if it is not listed. */
export async function lookUp(written: string, listed: readonly IpAddress[], session: Session): Promise<Holding> {
  const [text = ''] = written.split('/')
  const { address = text, family } = parseAddress(text) ?? {}
  const match = listed.find((one) => one.address === address)
  if (match) return match
  const client = await session.account.client()
  if (family === 'ipv4') return named(client.call(ips.view, { path: { address } }), address, ipResource)
  const read = client.call(ipv6Ranges.view, { path: { range: address } })
  const range = await named(read, address, { noun: 'IPv6 range' })
  const { computes, region } = range
  return { address, type: 'ipv6/range', compute_id: (computes ?? [])[0] ?? null, region }
}
