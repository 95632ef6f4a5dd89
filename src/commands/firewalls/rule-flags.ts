/** Flags that describe one rule, and the addresses in them: --from for inbound rules, --to for outbound ones. */
import type { CommandInput, Flag, Flags } from '../../engine/command'
import type { FlagNames } from '../../engine/field-names'
import { listFlag, textFlag } from '../../engine/flag-values'
import { Problem } from '../../errors'
import { withoutRepeats } from '../../firewall/networks'
import type { Direction } from '../../firewall/rules'
import { type Family, familyOf } from '../../rules/address-syntax'
import { unmapped } from '../../rules/addresses'
import { protocolWords } from '../../rules/protocols'
import { joinNames } from '../../rules/texts'
import { addressesOf } from './network-names'

export const actionFlag: Flag = {
  name: 'action',
  value: 'action',
  description: 'accept or drop',
  values: ['accept', 'drop'],
}

export const portFlag: Flag = { name: 'port', value: 'ports', description: 'Ports such as 22,80-90' }

export const nameFlags: readonly Flag[] = [
  { name: 'label', value: 'text', description: 'Name of the rule, 3 to 32 characters' },
  { name: 'description', value: 'text', description: 'Description of the rule, up to 100 characters', rare: true },
]

const flagOf = { inbound: 'from', outbound: 'to' } as const

export const protocolFlag: Flag = {
  name: 'protocol',
  value: 'protocol',
  description: joinNames(protocolWords, 'or'),
  values: protocolWords,
}

export const networkFlags: readonly Flag[] = [
  { name: flagOf.inbound, value: 'networks', list: 'commas', description: 'Inbound sources' },
  { name: flagOf.outbound, value: 'networks', list: 'commas', description: 'Outbound destinations' },
]

/** The flags of earlier versions, one of each family. */
export const familyFlags: readonly Flag[] = (['ipv4', 'ipv6'] as const).map((name) => ({
  name,
  value: 'networks',
  list: 'commas',
  description: `Addresses or networks of ${name}`,
  hidden: true,
}))

type Addresses = Partial<Record<Family, string[]>>

interface Peers {
  /** Absent families have no address. */
  addresses: Addresses
  /** Names of the field `addresses` and those in it. */
  names: FlagNames
}

/** Reads the addresses of a rule, those of `--ipv4` and `--ipv6` first. Throws `usage` for the other direction's flag. */
export async function readPeers(direction: Direction, { flags, session }: CommandInput): Promise<Peers> {
  const flag = flagOf[direction]
  const other = direction === 'inbound' ? flagOf.outbound : flagOf.inbound
  if (flags[other] !== undefined) {
    throw new Problem('usage', `--${other} cannot be used for ${direction} rules`, {
      hint: `Pass the addresses with --${flag}`,
    })
  }
  const addresses: Addresses = {}
  const names: Record<string, string> = { addresses: `--${flag}` }
  const put = (written: string, writtenFamily: Family, name: string) => {
    const text = unmapped(written)
    const family = text === written ? writtenFamily : 'ipv4'
    const list = addresses[family] ?? []
    // Several names can have an address.
    if (withoutRepeats([...list, text]).length === list.length) return
    names[`addresses.${family}[${list.length}]`] = name
    addresses[family] = [...list, text]
  }
  for (const family of ['ipv4', 'ipv6'] as const) {
    if (flags[family] !== undefined) names[`addresses.${family}`] = `--${family}`
    for (const [index, text] of (listFlag(flags, family) ?? []).entries())
      put(text, family, `value ${index + 1} of --${family}`)
  }
  for (const [index, peer] of (listFlag(flags, flag) ?? []).entries())
    for (const text of await addressesOf(peer, `value ${index + 1} of --${flag}`, { flags, session }))
      put(text, familyOf(text), `value ${index + 1} of --${flag}`)
  return { addresses, names }
}

export const fieldNames: FlagNames = {
  ...Object.fromEntries(['action', 'protocol', 'label', 'description'].map((key) => [key, `--${key}`])),
  ports: '--port',
}

export function textFields(flags: Flags): Record<string, string> {
  const texts = {
    action: textFlag(flags, 'action')?.toUpperCase(),
    protocol: textFlag(flags, 'protocol')?.toUpperCase(),
    ports: textFlag(flags, 'port'),
    label: textFlag(flags, 'label'),
    description: textFlag(flags, 'description'),
  }
  return Object.fromEntries(Object.entries(texts).flatMap(([key, text]) => (text === undefined ? [] : [[key, text]])))
}
