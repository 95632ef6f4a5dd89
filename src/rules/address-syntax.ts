/** Syntax of addresses and networks (RFC 4291, RFC 4632). Arithmetic is in ./addresses. */
import { isIPv4, isIPv6 } from 'node:net'
import { splitOnce } from './texts'

export type Family = 'ipv4' | 'ipv6'

export const bitsOf: Readonly<Record<Family, number>> = { ipv4: 32, ipv6: 128 }
const nameOf = { ipv4: 'IPv4', ipv6: 'IPv6' }

/**
 * Returns the family of a single address; undefined if the text is not an address. As in the service, addresses with
 * leading zeros, fewer than four parts, octal or hexadecimal parts, or zone ids (RFC 4007) are invalid.
 */
export function addressFamily(text: string): Family | undefined {
  if (isIPv4(text)) return 'ipv4'
  return isIPv6(text) && !text.includes('%') ? 'ipv6' : undefined
}

/** Splits `203.0.113.0/24` into address and prefix length; undefined if the text is not in IP/mask form. */
export function splitNetwork(text: string): { family: Family; address: string; prefix: number } | undefined {
  const slash = text.lastIndexOf('/')
  const mask = text.slice(slash + 1)
  if (!/^(0|[1-9]\d{0,2})$/.test(mask)) return undefined
  const address = text.slice(0, slash)
  const family = addressFamily(address)
  const prefix = Number(mask)
  return family && prefix <= bitsOf[family] ? { family, address, prefix } : undefined
}

/** Returns the family of an address or a network; for an invalid one, the family that it resembles. */
export const familyOf = (text: string): Family => (text.includes(':') ? 'ipv6' : 'ipv4')

/** Returns the reason why an entry of a firewall rule's addresses is invalid; undefined if it is valid. */
export function networkFault(family: Family, text: string): string | undefined {
  if (splitNetwork(text)?.family === family) return undefined
  return `Must contain only valid ${nameOf[family]} addresses or networks: ${reasonOf(family, text)}`
}

function reasonOf(family: Family, text: string): string {
  if (text.includes('%')) return 'a zone id is not allowed'
  const [address, mask] = splitOnce(text, '/')
  const actualFamily = addressFamily(address)
  if (actualFamily === undefined) return family === 'ipv4' ? ipv4Reason(address, mask) : 'not an address'
  if (actualFamily !== family) return `an ${nameOf[actualFamily]} address belongs in ${actualFamily}`
  return mask === undefined
    ? `the mask is missing, as in ${address}/${bitsOf[family]}`
    : `the mask must be 0 to ${bitsOf[family]}`
}

/** Networks such as `10/8` and `172.16/12` are common in documents (RFC 1918); programs read them in several ways. */
function ipv4Reason(address: string, mask: string | undefined): string {
  if (/^0\d|\.0\d/.test(address)) return 'no leading zeros'
  const isShort = mask !== undefined && /^\d{1,3}(?:\.\d{1,3}){0,2}$/.test(address)
  const whole = isShort ? address + '.0'.repeat(4 - address.split('.').length) : ''
  return isIPv4(whole) ? `write all four parts, as in ${whole}/${mask}` : 'not an address'
}
