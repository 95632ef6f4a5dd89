/**
 * Firewall rules as old firewalls answer them: with empty forms that a PUT refuses, and a key that api.md does not name
 * (gaps.md, Empty forms in answers).
 */
import type { ProxyHooks } from './proxy'

export type EmptyForm = 'null' | 'empty'

/** Returns an answer in which every rule has all its empty forms. */
export const withOldRules = (value: unknown, form: EmptyForm): unknown => mapRules(value, (rule) => oldRule(rule, form))

/** Returns an answer in which every rule has a prefix list. */
export const withPrefixLists = (value: unknown): unknown =>
  mapRules(value, ({ addresses: { ipv4 = [], ...others }, ...rule }) => ({
    ...rule,
    addresses: { ...others, ipv4: [...ipv4, 'pl:system:cdn'] },
  }))

function mapRules(value: unknown, change: (rule: Rule) => object): unknown {
  if (Array.isArray(value)) return value.map((one) => mapRules(one, change))
  if (typeof value !== 'object' || value === null) return value
  const record = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapRules(one, change)]))
  return isRule(record) ? change(record) : record
}

const isRule = (record: Record<string, unknown>): record is Rule => 'action' in record && 'addresses' in record

interface Rule extends Record<string, unknown> {
  addresses: { ipv4?: unknown[] }
}

const oldRule = (rule: Rule, form: EmptyForm): object => {
  const [text, list] = form === 'null' ? [null, null] : ['', []]
  const own = Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== null))
  return {
    ...{ ports: text, label: text, description: text, origin: 'import', comment: text },
    ...own,
    addresses: { ipv4: list, ipv6: list, ...rule.addresses },
  }
}

/** A service that answers with old rules. It refuses their empty forms. */
export function oldService(form: EmptyForm): ProxyHooks & { sent: { path: string; rules: Rule[] }[] } {
  const sent: { path: string; rules: Rule[] }[] = []
  return {
    sent,
    change: (body) => withOldRules(body, form),
    refuse({ method, path, body }) {
      if (method === 'GET' || !body.includes('"addresses"')) return undefined
      const rules = rulesIn(JSON.parse(body))
      sent.push({ path, rules })
      const faulty = rules.filter((rule) => hasEmptyForm(rule) || hasEmptyForm(rule.addresses))
      if (faulty.length === 0) return undefined
      return {
        errors: faulty.map((rule) => ({ field: 'rules', reason: `Must not be empty: ${JSON.stringify(rule)}` })),
      }
    },
    // The sandbox refuses keys that api.md does not name.
    forward: (body) => body.replaceAll(/,"origin":"import"|"origin":"import",/g, ''),
  }
}

const hasEmptyForm = (record: object) =>
  Object.values(record).some((value) => value === null || value === '' || (Array.isArray(value) && value.length === 0))

function rulesIn(value: unknown): Rule[] {
  if (typeof value !== 'object' || value === null) return []
  if (!Array.isArray(value) && isRule({ ...value })) return [value as Rule]
  return Object.values(value).flatMap(rulesIn)
}
