/** Rules of a firewall as they stand in answers and in files, and what two of them mean alike. */
import { formatNetwork, parseNetwork } from './addresses'

export const directions = ['inbound', 'outbound'] as const
export type Direction = (typeof directions)[number]

export interface Rule {
  action: string
  protocol: string
  /** Absent or null: all of them. */
  ports?: string | null | undefined
  addresses: { ipv4?: string[] | null | undefined; ipv6?: string[] | null | undefined }
  label?: string | null | undefined
  description?: string | null | undefined
}

export interface Rules {
  inbound: Rule[]
  inbound_policy: string
  outbound: Rule[]
  outbound_policy: string
}

/** A field's value as it is compared and shown: a list is a set of networks, anything else a text. */
export type FieldValue = string | readonly string[]

/**
 * The fields of a rule by their paths, without those that are empty. Equal meanings come out equal: ports without
 * blanks, networks as RFC 5952 writes them, in order and each once.
 */
export function fieldsOf(rule: Rule): Map<string, FieldValue> {
  const { addresses, ports, ...others } = rule
  const fields = new Map<string, FieldValue>()
  const put = (path: string, value: FieldValue | null | undefined) => {
    if (value !== null && value !== undefined && value.length > 0) fields.set(path, value)
  }
  for (const [key, value] of Object.entries(others)) {
    put(key, typeof value === 'string' || value === null ? value : JSON.stringify(value))
  }
  put('ports', ports?.replaceAll(' ', ''))
  for (const [family, networks] of Object.entries(addresses)) put(`addresses.${family}`, networksOf(networks ?? []))
  return fields
}

function networksOf(texts: readonly string[]): string[] {
  const written = texts.map((text) => {
    const network = parseNetwork(text)
    return network ? formatNetwork(network) : text
  })
  return [...new Set(written)].sort()
}

/** A text that is the same for rules that mean the same. */
export function meaningOf(rule: Rule): string {
  return JSON.stringify([...fieldsOf(rule)].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The networks of a rule, of both families, as they are written. */
export function networkTexts({ addresses }: Rule): string[] {
  return [...(addresses.ipv4 ?? []), ...(addresses.ipv6 ?? [])]
}
