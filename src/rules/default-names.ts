interface Named {
  address: string
  rdns: string | null
}

/**
 * Whether an address has the name that the service gives by itself, or none. The service does not say which names are
 * its own: those that begin with the address (gaps.md, IPv4 default rdns).
 */
export function hasDefaultName({ address, rdns }: Named): boolean {
  return rdns === null || rdns.startsWith(`${address.replaceAll('.', '-')}.`)
}
