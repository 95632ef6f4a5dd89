/** Rules of exports as the API has them, as plans in JSON print them: exports write the short form. */

type Fields = Record<string, unknown>

/** Returns the contents of an exported file with the rules of its firewalls as the API has them. */
export function inLongForm<T extends Fields>(file: T): T {
  const firewalls = Object.entries((file.firewalls ?? {}) as Record<string, Fields>)
  const long = firewalls.map(([label, { rules, ...entry }]) => [
    label,
    { ...entry, ...(isFields(rules) && { rules: longRules(rules) }) },
  ])
  return firewalls.length === 0 ? file : { ...file, firewalls: Object.fromEntries(long) }
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const longRules = (rules: Fields): Fields =>
  Object.fromEntries(
    Object.entries(rules).map(([key, value]) => [key, Array.isArray(value) ? value.map(longRule) : upper(value)]),
  )

function longRule({ from, to, action, protocol, ports, ...others }: Fields): Fields {
  const texts = [from ?? to]
    .flat()
    .flatMap((text) => (text === 'anywhere' ? ['0.0.0.0/0', '::/0'] : [withMask(String(text))]))
  const [ipv4, ipv6] = [texts.filter((text) => !text.includes(':')), texts.filter((text) => text.includes(':'))]
  return {
    ...others,
    ...{ action: upper(action), protocol: upper(protocol) },
    ...(ports !== undefined && { ports: String(ports) }),
    addresses: { ...(ipv4.length > 0 && { ipv4 }), ...(ipv6.length > 0 && { ipv6 }) },
  }
}

const upper = (value: unknown) => String(value).toUpperCase()

const withMask = (text: string) => (text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`)
