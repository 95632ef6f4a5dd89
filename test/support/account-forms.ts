/**
 * Ways to write one account as files: with named networks, rule groups, overlays and `protect` (state.md, For teams).
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from './fast-check'
import type { Account } from './random-accounts'

/** A way to write an account. */
export interface Form {
  /** Rules name networks instead of addresses. */
  isNamed: boolean
  /** Number of rules at the beginning of each firewall that become a rule group. */
  grouped: number
  /** File of each object, in turn. */
  places: readonly ('base' | 'overlay' | 'refined')[]
  /** New volumes and firewalls are protected. */
  isProtected: boolean
}

export const forms: fc.Arbitrary<Form> = fc.record({
  isNamed: fc.boolean(),
  grouped: fc.nat(2),
  places: fc.array(fc.constantFrom('base' as const, 'overlay' as const, 'refined' as const), {
    minLength: 5,
    maxLength: 5,
  }),
  isProtected: fc.boolean(),
})

type Entry = Record<string, unknown>
type File = Record<string, Record<string, Entry>>

/**
 * Writes an exported account in another form, into a base and an overlay below `home`, and returns their paths as
 * arguments. Objects that the account `before` lacks get `protect`: no step of the plan can harm them.
 */
export function writtenAs(form: Form, { file, before, home }: { file: string; before: Account; home: string }): string {
  const value: File = JSON.parse(file)
  const definitions: { networks: Record<string, string[]>; rules: Record<string, unknown[]> } = {
    networks: {},
    rules: {},
  }
  for (const [label, entry] of Object.entries(value.firewalls ?? {})) {
    if (form.isNamed) nameNetworks(entry, definitions.networks)
    groupRules(entry, form.grouped, `first of ${label}`, definitions.rules)
  }
  if (form.isProtected) protect(value, before)
  const [base, overlay] = split(value, form.places)
  const texts = {
    'base.json': { ...base, networks: definitions.networks },
    'over.json': { ...overlay, rules: definitions.rules },
  }
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(home, name), JSON.stringify(text))
  return Object.keys(texts)
    .map((name) => join(home, name))
    .join(' ')
}

const rulesOf = (entry: Entry, direction: string): Entry[] => Object(entry.rules)[direction] ?? []

/** Replaces the first network of each rule by a name. The others stay beside it. */
function nameNetworks(entry: Entry, networks: Record<string, string[]>): void {
  for (const [direction, key] of [
    ['inbound', 'from'],
    ['outbound', 'to'],
  ] as const)
    for (const rule of rulesOf(entry, direction)) {
      const { ipv4 = [], ipv6 = [] } = Object(rule.addresses)
      const [first, ...others]: string[] = [...ipv4, ...ipv6]
      const name = `net-${String(first).replaceAll(/[^\da-f]/g, '_')}`
      networks[name] = [String(first)]
      delete rule.addresses
      rule[key] = [name, ...others]
    }
}

function groupRules(entry: Entry, count: number, name: string, groups: Record<string, unknown[]>): void {
  const rules = rulesOf(entry, 'inbound')
  if (count === 0 || rules.length === 0) return
  groups[name] = rules.splice(0, count, { use: name })
}

/** Reports whether a label is random. The sandbox has other objects, one of which is busy. */
const isRandom = (label: string) => /^(v|fw-)\d$/.test(label)

function protect(value: File, before: Account): void {
  for (const kind of ['volumes', 'firewalls'] as const)
    for (const [label, entry] of Object.entries(value[kind] ?? {}))
      if (isRandom(label) && !before[kind].some((one) => one.label === label)) entry.protect = true
}

/** Values that the base has for keys that an overlay overrides. */
const overriddenValues: Readonly<Record<string, Entry>> = {
  volumes: { size: 10, tags: ['base'] },
  firewalls: { status: 'enabled', tags: ['base'], rules: { inbound: [] } },
}

function split(value: File, places: Form['places']): [File, File] {
  const [base, overlay]: [File, File] = [{}, {}]
  const put = (file: File, kind: string, name: string, entry: Entry) => {
    file[kind] = { ...file[kind], [name]: entry }
  }
  let turn = 0
  for (const [kind, entries] of Object.entries(value)) {
    // The profile is one object, and the keys of reverse DNS are addresses.
    if (kind === 'profile' || kind === 'rdns') {
      base[kind] = entries
      continue
    }
    for (const [name, entry] of Object.entries(entries)) {
      const place = places[turn % places.length]
      turn += 1
      if (place !== 'overlay')
        put(base, kind, name, place === 'refined' ? { ...entry, ...overriddenValues[kind] } : entry)
      const keys = Object.keys(overriddenValues[kind] ?? {})
      const others = Object.fromEntries(Object.entries(entry).filter(([key]) => keys.includes(key)))
      if (place !== 'base') put(overlay, kind, name, place === 'refined' ? others : entry)
    }
  }
  return [base, overlay]
}
