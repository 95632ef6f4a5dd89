/**
 * Splits ports and addresses wherever a rule begins or ends. Between two cuts all traffic matches the same rules, so it
 * is judged once (api.md, Firewall behaviour 1).
 */

import type { AddressRange } from '../rules/address-ranges'
import { bitsOf, type Family } from '../rules/address-syntax'
import { boundsOf } from '../rules/addresses'
import { allPorts, type PortRange } from '../rules/ports'
import { keysOf } from '../rules/records'

/** Sets of ports as bitmasks: one bit for each range between two cuts. */
export interface PortIntervals {
  /** Bitmask of all ports. */
  all: bigint
  /** First port after each cut, ascending. */
  starts: readonly number[]
  bitsOf(ranges: readonly PortRange[]): bigint
  /** Returns the fewest ranges that cover the bits, ascending. */
  rangesOf(bits: bigint): PortRange[]
}

const { first: firstPort, last: lastPort } = allPorts

export function portIntervals(ranges: readonly PortRange[]): PortIntervals {
  const ends = ranges.flatMap(({ first, last }) => [first, last + 1])
  const starts = [...new Set([firstPort, ...ends])].filter((port) => port <= lastPort).sort((a, b) => a - b)
  const places = new Map([...starts, lastPort + 1].map((port, place) => [port, place]))
  const placeOf = (port: number) => BigInt(places.get(port) ?? 0)
  return {
    all: (1n << BigInt(starts.length)) - 1n,
    starts,
    bitsOf: (some) => some.reduce((bits, { first, last }) => bits | (bitsBelow(last + 1) & ~bitsBelow(first)), 0n),
    rangesOf(bits) {
      const merged: PortRange[] = []
      const digits = bits.toString(2)
      starts.forEach((first, place) => {
        if (digits.at(-1 - place) !== '1') return
        const [before, last] = [merged.at(-1), (starts[place + 1] ?? lastPort + 1) - 1]
        if (before?.last === first - 1) before.last = last
        else merged.push({ first, last })
      })
      return merged
    },
  }

  function bitsBelow(port: number): bigint {
    return (1n << placeOf(port)) - 1n
  }
}

/** Networks, and the bits of the rules that contain them. */
export interface Marked {
  bits: bigint
  networks: readonly string[]
}

/** Address range, and the bits of all rules that match it. */
export interface AddressInterval extends AddressRange {
  family: Family
  rules: bigint
}

export const families = keysOf(bitsOf)

/** Splits all addresses at the bounds of the networks, and of others. Two networks are either nested or disjoint. */
export function addressIntervals(rules: readonly Marked[], others: readonly AddressInterval[] = []): AddressInterval[] {
  const networks = [...intervalsOf(rules), ...others]
  return families.flatMap((family) => {
    const own = networks.filter((network) => network.family === family).sort(outerFirst)
    return cutNested({ family, first: 0n, last: (1n << BigInt(bitsOf[family])) - 1n, rules: 0n }, own)
  })
}

function cutNested(whole: AddressInterval, networks: readonly AddressInterval[]): AddressInterval[] {
  const { family } = whole
  const cuts: AddressInterval[] = []
  /** Stack of the networks around `inner`. The whole address space, around all of them, is closed last. */
  const outer: AddressInterval[] = []
  let inner = whole
  let next = whole.first
  const cutUpTo = (last: bigint) => {
    if (next <= last) cuts.push({ family, first: next, last, rules: inner.rules })
    next = last + 1n
  }
  const closeBefore = (first: bigint) => {
    while (inner.last < first) {
      cutUpTo(inner.last)
      inner = outer.pop() ?? whole
    }
  }
  for (const { first, last, rules } of networks) {
    closeBefore(first)
    cutUpTo(first - 1n)
    outer.push(inner)
    inner = { family, first, last, rules: inner.rules | rules }
  }
  closeBefore(whole.last)
  cutUpTo(whole.last)
  return cuts
}

/**
 * Parses the rules' networks and merges the rule bits per network list. Invalid networks match nothing. A list shared
 * by several rules is parsed once: two versions of a firewall share most lists.
 */
export function intervalsOf(rules: readonly Marked[]): AddressInterval[] {
  const lists = new Map<string, Marked>()
  for (const { bits, networks } of rules) {
    const key = networks.join()
    lists.set(key, { bits: bits | (lists.get(key)?.bits ?? 0n), networks })
  }
  const intervals: AddressInterval[] = []
  for (const { bits, networks } of lists.values()) {
    for (const text of networks) {
      const bounds = boundsOf(text)
      // Spreading `{ ...bounds }` here would take a fifth of the time of a whole comparison.
      if (bounds) intervals.push({ family: bounds.family, first: bounds.first, last: bounds.last, rules: bits })
    }
  }
  return intervals
}

function outerFirst(one: AddressInterval, other: AddressInterval): number {
  if (one.first !== other.first) return one.first < other.first ? -1 : 1
  return one.last > other.last ? -1 : 1
}
