/** Parses test packets from a file or from flags. An invalid one is a usage error that names its place. */

import { ruleActions } from '../catalogue/firewall-rules'
import { Problem } from '../errors'
import { parseAddress } from '../rules/addresses'
import { didYouMean } from '../rules/nearest'
import { protocolsWithPorts } from '../rules/ports'
import { protocolAdvice, protocols } from '../rules/protocols'
import { isRecord } from '../rules/records'
import { directions } from './rules'
import type { Packet } from './verdict'

export interface TestCase extends Omit<Packet, 'service'> {
  name?: string | undefined
  /** Kind of the tested service; by default that of the firewall's devices. */
  service?: Packet['service'] | undefined
  expect?: string | undefined
}

export const services = ['compute', 'balancer'] as const
export const caseKeys = ['name', 'direction', 'protocol', 'port', 'from', 'to', 'service', 'expect']

/** Parses a packet. `place` (such as `cases[2]: `) prefixes error messages; if empty, they name flags, not keys. */
export function parseTestCase(value: unknown, place: string): TestCase {
  if (!isRecord(value)) throw new Problem('usage', `${place}a case must be an object`)
  const wrong = (text: string) => new Problem('usage', `${place}${text}`)
  const named = (key: string) => (place === '' ? `--${key}` : key)
  const missing = (key: string, reason = '') => wrong(`${named(key)} is required${reason}`)
  const unknown = Object.keys(value).find((key) => !caseKeys.includes(key))
  if (unknown !== undefined) {
    const near = didYouMean(unknown, caseKeys) ?? `The keys are: ${caseKeys.join(', ')}`
    throw new Problem('usage', `${place.replace(/: $/, '.')}${unknown}: unknown key. ${near}`)
  }
  const choose = <T extends string>(key: string, choices: readonly T[]): T | undefined => {
    const text = value[key]
    if (text === undefined) return undefined
    const choice = choices.find((one) => one.toLowerCase() === String(text).toLowerCase())
    const advice = key === 'protocol' ? protocolAdvice(text) : undefined
    if (choice === undefined)
      throw wrong(`${named(key)}: "${text}" is not one of ${choices.join(', ')}${advice ? `. ${advice}` : ''}`)
    return choice
  }
  const complaints = { missing, wrong: (key: string, text: string) => wrong(`${named(key)}: ${text}`) }
  const direction = choose('direction', directions) ?? (value.to === undefined ? 'inbound' : 'outbound')
  const protocol = choose('protocol', protocols)
  if (protocol === undefined) throw missing('protocol')
  return {
    name: value.name === undefined ? undefined : String(value.name),
    direction,
    protocol,
    port: portOf(value, protocol, complaints),
    address: addressOf(value, direction, complaints),
    service: choose('service', services),
    expect: choose('expect', ruleActions),
  }
}

interface Complaints {
  wrong(key: string, text: string): Problem
  missing(key: string, reason?: string): Problem
}

function portOf(
  { port }: Record<string, unknown>,
  protocol: string,
  { wrong, missing }: Complaints,
): number | undefined {
  const needed = protocolsWithPorts.includes(protocol)
  if (port === undefined && !needed) return undefined
  if (!needed) throw wrong('port', `${protocol} has no ports`)
  if (port === undefined) throw missing('port', ` with ${protocol}`)
  if (/^[1-9]\d{0,4}$/.test(String(port)) && Number(port) <= 65_535) return Number(port)
  throw wrong('port', `"${port}" is not a port from 1 to 65535`)
}

function addressOf(
  value: Record<string, unknown>,
  direction: Packet['direction'],
  { wrong, missing }: Complaints,
): Packet['address'] {
  const [key, other] = direction === 'inbound' ? ['from', 'to'] : ['to', 'from']
  if (value[other] !== undefined) throw wrong(other, `${direction} traffic is judged by "${key}"`)
  if (value[key] === undefined) throw missing(key, ` with ${direction} traffic`)
  const address = parseAddress(String(value[key]))
  if (address) return address
  throw wrong(key, `"${value[key]}" is not a single IPv4 or IPv6 address`)
}
