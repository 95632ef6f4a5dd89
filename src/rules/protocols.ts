/** The protocols of firewall rules (api.md, Firewall rule), and advice on protocols and directions as other tools write them. */

export const protocols = ['TCP', 'UDP', 'ICMP', 'IPENCAP'] as const

/** Protocols as people write them. */
export const protocolWords: readonly string[] = protocols.map((protocol) => protocol.toLowerCase())

/** Reports whether rules can name a protocol. Nobody knows what others in answers match. */
export const isKnownProtocol = (protocol: string): boolean => protocols.some((one) => one === protocol)

const forms: readonly { words: RegExp; advice: string }[] = [
  { words: /^(all|any|\*|-1)$/i, advice: 'Write a rule for each of TCP, UDP, ICMP and IPENCAP' },
  { words: /^(icmp-?v?6|ipv6-icmp|58)$/i, advice: 'Write ICMP: with IPv6 addresses, it is ICMPv6' },
  { words: /^(ipip|ip-?in-?ip|ip-?encap|4)$/i, advice: 'Write IPENCAP' },
  { words: /^6$/, advice: 'Write TCP' },
  { words: /^17$/, advice: 'Write UDP' },
  { words: /^1$/, advice: 'Write ICMP' },
]

/** Returns how to write a protocol that another tool writes like this; undefined for any other text. */
export const protocolAdvice = (text: unknown): string | undefined =>
  forms.find(({ words }) => words.test(String(text)))?.advice

const directionsElsewhere = { in: 'inbound', ingress: 'inbound', out: 'outbound', egress: 'outbound' } as const

/** Returns the direction of traffic that other tools call `word`. */
export function directionMeaning(word: string): 'inbound' | 'outbound' | undefined {
  const name = word.toLowerCase()
  return Object.hasOwn(directionsElsewhere, name)
    ? directionsElsewhere[name as keyof typeof directionsElsewhere]
    : undefined
}
