/** Packets to judge, from flags or from a file; a wrong one is a problem of usage that names its place. */

import { nameOfSource, parseData, readText } from '../../engine/body-file'
import type { Flags } from '../../engine/command'
import { textFlag } from '../../engine/flag-values'
import { Problem } from '../../errors'
import { directions } from '../../firewall/rules'
import type { Packet } from '../../firewall/verdict'
import { parseAddress } from '../../rules/addresses'
import { didYouMean } from '../../rules/nearest'
import { protocolsWithPorts } from '../../rules/ports'
import { isRecord } from '../../rules/records'
import type { Session } from '../../session'

export interface Case extends Omit<Packet, 'service'> {
  name?: string | undefined
  /** Where nothing is said, that of the firewall's devices. */
  service?: Packet['service'] | undefined
  expect?: string | undefined
}

export const protocols = ['TCP', 'UDP', 'ICMP', 'IPENCAP'] as const
export const actions = ['ACCEPT', 'DROP'] as const
export const services = ['compute', 'balancer'] as const
export const caseKeys = ['name', 'direction', 'protocol', 'port', 'from', 'to', 'service', 'expect']

export function caseOfFlags(flags: Flags): Case {
  const given = caseKeys.flatMap((key) => {
    const text = textFlag(flags, key)
    return text === undefined ? [] : [[key, text]]
  })
  return parseCase(Object.fromEntries(given), '')
}

/** A list of cases, or an object that has it under `cases`. */
export async function readCases(source: string, session: Session): Promise<Case[]> {
  const name = nameOfSource(source)
  const value = await parseData(await readText(source, session), name)
  const list = isRecord(value) ? value.cases : value
  if (!Array.isArray(list) || list.length === 0) throw new Problem('usage', `${name} must hold a list of cases`)
  return list.map((item: unknown, index) => parseCase(item, `cases[${index}]: `))
}

function parseCase(value: unknown, place: string): Case {
  if (!isRecord(value)) throw new Problem('usage', `${place}a case must be an object`)
  const wrong = (text: string, hint?: string) => new Problem('usage', `${place}${text}`, hint ? { hint } : {})
  const named = (key: string) => (place === '' ? `--${key}` : key)
  const missing = (key: string, reason = '') => wrong(`${named(key)} is required${reason}`)
  const unknown = Object.keys(value).find((key) => !caseKeys.includes(key))
  if (unknown !== undefined) {
    throw wrong(`unknown key "${unknown}"`, didYouMean(unknown, caseKeys) ?? `The keys are: ${caseKeys.join(', ')}`)
  }
  const choose = <T extends string>(key: string, choices: readonly T[]): T | undefined => {
    const text = value[key]
    if (text === undefined) return undefined
    const choice = choices.find((one) => one.toLowerCase() === String(text).toLowerCase())
    if (choice === undefined) throw wrong(`${named(key)}: "${text}" is not one of ${choices.join(', ')}`)
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
    expect: choose('expect', actions),
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
