/** Names of hosts: for reverse DNS, and those of this machine. */

/** Reports whether a text is a full domain name, valid for reverse DNS (RFC 1035, 2.3.1 and 2.3.4; RFC 1123, 2.1). */
export function isDomainName(text: string): boolean {
  if (text.length > 253) return false
  const labels = text.split('.')
  return labels.length > 1 && labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(label))
}

/** A name of at least two parts without blanks, as any service may have set it; editors check files by this pattern. */
export const dottedName = /^[^\s.]+(\.[^\s.]+)+\.?$/

/** Returns a name without the final dot that zone files have: it is sent without one. */
export const withoutFinalDot = <T>(name: T): T | string => (typeof name === 'string' ? name.replace(/\.$/, '') : name)

/** Returns the error message for an invalid domain name, which may end with a dot; undefined if it is valid. */
export const domainNameFault = (text: string) =>
  isDomainName(withoutFinalDot(text))
    ? undefined
    : { reason: `"${text}" is not a domain name`, hint: 'Write it in full, as in mail.example.net' }

interface Named {
  address: string
  rdns: string | null
}

/**
 * Reports whether an address has the service's default reverse DNS name, or none. The service does not mark its default
 * names; they begin with the address (gaps.md, IPv4 default rdns).
 */
export function hasDefaultName({ address, rdns }: Named): boolean {
  return rdns === null || rdns.startsWith(`${address.replaceAll('.', '-')}.`)
}

/**
 * Reports whether a URL's host (`[::1]`, lower case, `127.1` in full) is this machine. Such requests need neither https
 * nor a proxy (reliability.md, Secrets). Names other than `localhost` may resolve to anything.
 */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}
