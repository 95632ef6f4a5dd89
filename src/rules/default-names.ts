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
